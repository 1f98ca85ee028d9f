import type { Question } from './protocol.js';

/** A worker's own end of its channel. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Question>) => void) | null;
  postMessage(message: unknown): void;
}

/** What a worker does, by name. */
export type Methods = Readonly<
  Record<string, (given: never, report: (progress: unknown) => void) => Promise<unknown>>
>;

/** Answers questions, each in its turn: models must not be used from two places at once. */
export function answerQuestions(load: (method: string) => Promise<Methods>): void {
  const scope = globalThis as unknown as WorkerScope;
  let turn: Promise<void> = Promise.resolve();
  scope.onmessage = ({ data: { id, method, given } }) => {
    turn = turn.then(async () => {
      try {
        const methods = await load(method);
        const report = (progress: unknown) => scope.postMessage({ id, progress });
        scope.postMessage({ id, result: await methods[method](given as never, report) });
      } catch (error) {
        scope.postMessage({ id, problem: error instanceof Error ? error.message : String(error) });
      }
    });
  };
}
