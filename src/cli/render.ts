import { printableLines } from '../base/errors.js';
import type { Progress, ProgressListener } from '../base/progress.js';
import { showStatus, showsProgress } from './terminal.js';

/** 1234567 → `1,234,567`. */
export function withThousands(value: number): string {
  // toLocaleString would load all of Intl first, a hundredth of a second at every start.
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Bytes in a readable unit. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Milliseconds in a readable unit. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** `1 sentence`, `2 sentences`. */
export function counted(count: number, noun: string): string {
  return `${withThousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Writes a warning to standard error. */
export function warn(text: string): void {
  process.stderr.write(`warning: ${printableLines(text)}\n`);
}

/** Writes to standard output what people read: labels and tokens in it cannot steer a terminal. */
export function say(text: string): void {
  process.stdout.write(printableLines(text));
}

/** Something that counts. */
export interface Counter {
  /** One more is done. */
  readonly step: () => void;
  /** Removes what is on the screen. */
  readonly end: () => void;
}

/** Counts what is done of a number of things: a line on standard error, where that is a terminal. */
export function counter(total: number, noun: string): Counter {
  let done = 0;
  return {
    step: () => showStatus(`${++done} of ${counted(total, noun)}`),
    end: () => showStatus(''),
  };
}

/** Something that shows progress. */
export interface ProgressDisplay {
  /** Receives the reports. */
  readonly listener: ProgressListener;
  /** Removes what is on the screen. */
  end(): void;
}

/**
 * Shows training progress on standard error: one line that is rewritten on a terminal, nothing elsewhere. With
 * `json`, a JSON object a line on standard output.
 */
export function progressDisplay(json: boolean): ProgressDisplay {
  if (json) {
    return {
      listener: (progress) => process.stdout.write(`${JSON.stringify(progress)}\n`),
      end: () => undefined,
    };
  }
  if (!showsProgress()) return { listener: () => undefined, end: () => undefined };
  const epochs = new Map<number, number>();
  let started = 0;
  return {
    listener: (progress) => {
      if (progress.kind !== 'features' && started === 0) started = performance.now();
      if (progress.kind === 'epoch') epochs.set(progress.block, progress.epoch);
      showStatus(progressLine(progress, epochs, performance.now() - started));
    },
    end: () => showStatus(''),
  };
}

/** One progress report as a line. */
export function progressLine(
  progress: Progress,
  epochs: ReadonlyMap<number, number>,
  elapsed: number,
): string {
  if (progress.kind === 'features') {
    return `features: ${Math.round((100 * progress.sentences) / progress.total)} % of the sentences`;
  }
  if (progress.kind === 'iteration') {
    const { iteration, iterations, measures } = progress;
    const watched = Object.entries(measures).map(([name, value]) => `, ${name} ${value.toPrecision(6)}`);
    const left = (elapsed / iteration) * (iterations - iteration);
    return `iteration ${iteration}/${iterations}, at most ${duration(left)} left${watched.join('')}`;
  }
  const { block, blocks, epoch, gap, active } = progress;
  const done = [...epochs.values()].reduce((sum, count) => sum + count, 0);
  const all = blocks * progress.epochs;
  const left = done === all ? 0 : (elapsed / done) * (all - done);
  return (
    `block ${block + 1}/${blocks}, epoch ${epoch}/${progress.epochs}, at most ${duration(left)} left, ` +
    `gap ${gap.toPrecision(3)}, ${withThousands(active)} active`
  );
}
