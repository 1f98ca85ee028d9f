import type { Answer } from './protocol.js';

interface TrustedScriptPolicy {
  createScriptURL(address: string): string;
}

/** The one policy of trusted types that the page has: scripts of workers are files of the page. */
const policy = (
  globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: TrustedScriptPolicy): TrustedScriptPolicy };
  }
).trustedTypes?.createPolicy('spanwright', {
  createScriptURL(address) {
    if (!/^[a-z-]+\.js$/.test(address))
      throw new TypeError(`expected a script of this page, found ${address}`);
    return address;
  },
});

/** Methods of a worker by name. */
type Asked<M> = {
  readonly [K in keyof M]: M[K] extends (given: infer G) => Promise<infer R>
    ? { given: G; result: R }
    : never;
};

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  report?: ((progress: unknown) => void) | undefined;
}

/** A worker that is asked and answers. */
export class Engine<M> {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  /** @param script file of the page. */
  constructor(script: string) {
    this.worker = new Worker(policy ? policy.createScriptURL(script) : script, { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => this.take(data);
    this.worker.onerror = ({ message }) => {
      for (const { reject } of this.waiting.values()) reject(new Error(message || 'the worker failed'));
      this.waiting.clear();
    };
  }

  /** Asks; rejects with what the worker throws. */
  ask<K extends keyof M & string>(
    method: K,
    given: Asked<M>[K]['given'],
    report?: (progress: unknown) => void,
  ): Promise<Asked<M>[K]['result']> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (result: unknown) => void, reject, report });
      this.worker.postMessage({ id, method, given });
    });
  }

  /** Ends the worker, and with it what it is at: no answer comes. */
  stop(): void {
    this.worker.terminate();
    this.waiting.clear();
  }

  private take(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (waiting === undefined) return;
    if ('progress' in answer) {
      waiting.report?.(answer.progress);
      return;
    }
    this.waiting.delete(answer.id);
    if ('problem' in answer) waiting.reject(new Error(answer.problem));
    else waiting.resolve(answer.result);
  }
}
