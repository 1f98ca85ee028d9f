import type { FileFacts } from '../engine/protocol.js';
import { trainerEngine } from '../engine/trainer-engine.js';
import { FileInput } from './file-input.js';
import { Legend, Spanned } from './spans.js';
import { useTask } from './use-task.js';

/** A labelled file that somebody gives. */
export interface DataFileProps {
  /** What it is for. */
  readonly label: string;
  /** Name under which the worker keeps it. */
  readonly name: string;
  /** What is known of it. */
  readonly facts: { value: FileFacts | undefined };
  /** Whether its first sentences are shown. */
  readonly preview?: boolean;
}

/** Takes a labelled file, and says what it holds. */
export function DataFile({ label, name, facts, preview }: DataFileProps) {
  const { run, isBusy, trouble } = useTask(async (list: readonly File[]) => {
    const files = await Promise.all(
      list.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
    );
    facts.value = await trainerEngine().ask('readData', { name, files });
  });
  const known = facts.value;
  return (
    <section class="panel">
      <FileInput
        label={label}
        help="Columns, JSONL spans, CoNLL-U, brat (.ann with .txt), Label Studio, … – whatever the command line reads"
        multiple
        onFiles={run}
      />
      <p class="problem-text" role="alert">
        {trouble.value}
      </p>
      {isBusy.value && <p class="quiet">Reading …</p>}
      {known && (
        <div class="file-facts">
          <p>
            {known.detected.slice(0, 5).join('; ')}: {known.sentences.toLocaleString('en')} sentences,{' '}
            {known.tokens.toLocaleString('en')} tokens
            {known.columns.length > 0 && `, columns ${known.columns.join(', ')}`}
          </p>
          {known.problems.length > 0 && (
            <details open>
              <summary>{known.problems.length} lines could not be read</summary>
              <ul class="problems">
                {known.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </details>
          )}
          <Legend types={known.labels.slice(0, 60)} />
          {preview && (
            <details>
              <summary>The first sentences</summary>
              <div class="labelled small" dir="auto">
                <Spanned
                  text={known.preview.text}
                  from={0}
                  to={known.preview.text.length}
                  spans={known.preview.spans}
                  types={known.labels}
                />
              </div>
            </details>
          )}
        </div>
      )}
    </section>
  );
}
