import { useSignal } from '@preact/signals';
import type { DifferingSentence } from '../engine/protocol.js';
import { Spanned } from './spans.js';

/** Sentences that are read in several ways. */
export interface DifferingProps {
  /** Names of the readings, in order. */
  readonly names: readonly string[];
  /** The sentences. */
  readonly sentences: readonly DifferingSentence[];
  /** Types, for colours. */
  readonly types: readonly string[];
}

const AT_ONCE = 20;

/** Shows readings of sentences below each other. */
export function Differing({ names, sentences, types }: DifferingProps) {
  const most = useSignal(AT_ONCE);
  return (
    <>
      <ol class="differing">
        {sentences.slice(0, most.value).map(({ sentence, readings }) => (
          <li key={sentence} value={sentence + 1}>
            <dl>
              {readings.map(({ text, spans }, r) => (
                <div key={names[r]}>
                  <dt>{names[r]}</dt>
                  <dd dir="auto">
                    <Spanned text={text} from={0} to={text.length} spans={spans} types={types} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ol>
      {sentences.length > most.value && (
        <button type="button" onClick={() => (most.value += AT_ONCE)}>
          More ({sentences.length - most.value})
        </button>
      )}
    </>
  );
}
