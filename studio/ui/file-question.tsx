import type { ComponentChildren } from 'preact';
import type { FileFacts } from '../engine/protocol.js';
import { DataFile } from './data-file.js';
import { useTask } from './use-task.js';

/** A question about a file of labelled data. */
export interface FileQuestionProps {
  /** Name that the trainer knows the file by. */
  readonly name: string;
  /** What the file is, once there is one. */
  readonly facts: { value: FileFacts | undefined };
  /** What the button says. */
  readonly action: string;
  /** Asks; what it throws is shown. */
  readonly ask: () => Promise<void>;
  /** What else is to be chosen. */
  readonly children: ComponentChildren;
}

/** Takes a file, what else is to be chosen, and a click; says while it is under way, and what went wrong. */
export function FileQuestion({ name, facts, action, ask, children }: FileQuestionProps) {
  const { run, isBusy, trouble } = useTask(ask);
  return (
    <>
      <DataFile label="Labelled data" name={name} facts={facts} />
      <p class="row">
        {children}
        <button
          type="button"
          class="main"
          disabled={facts.value === undefined || isBusy.value}
          onClick={() => run()}
        >
          {isBusy.value ? 'Labelling …' : action}
        </button>
      </p>
      <p class="problem-text" role="alert">
        {trouble.value}
      </p>
    </>
  );
}
