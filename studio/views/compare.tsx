import { useSignal } from '@preact/signals';
import type { ComparedFacts, FileFacts } from '../engine/protocol.js';
import { trainerEngine } from '../engine/trainer-engine.js';
import { modelFiles, models } from '../models.js';
import { Differing } from '../ui/differing.js';
import { FileQuestion } from '../ui/file-question.js';
import { ModelChoice } from '../ui/model-choice.js';

/** Compares two models on a file. */
export function CompareView() {
  const facts = useSignal<FileFacts | undefined>(undefined);
  const first = useSignal(models.value?.[0]?.name ?? 'english-chunk');
  const second = useSignal(models.value?.at(-1)?.name ?? 'english-chunk');
  const found = useSignal<ComparedFacts | undefined>(undefined);
  const compare = async () => {
    const both = await Promise.all([modelFiles(first.value), modelFiles(second.value)]);
    found.value = await trainerEngine().ask('compare', { gold: 'compared', models: [both[0], both[1]] });
  };
  return (
    <>
      <h1>Compare two models</h1>
      <FileQuestion name="compared" facts={facts} action="Compare" ask={compare}>
        <ModelChoice label="First" chosen={first} />
        <ModelChoice label="Second" chosen={second} />
      </FileQuestion>
      {found.value && (
        <Compared facts={found.value} names={[first.value, second.value]} types={facts.value?.labels ?? []} />
      )}
    </>
  );
}

interface ComparedProps {
  readonly facts: ComparedFacts;
  readonly names: readonly [string, string];
  readonly types: readonly string[];
}

function Compared({ facts, names, types }: ComparedProps) {
  const { f1, p, onlyFirst, onlySecond, tables, sentences } = facts;
  const [a, b] = f1;
  const better =
    a === b ? 'They are equal' : `${a > b ? names[0] : names[1]} is better by ${Math.abs(a - b).toFixed(2)}`;
  return (
    <>
      <section class="panel">
        <p role="status">
          <b>{better}</b>;{' '}
          {p < 0.05 ? 'a difference that chance rarely makes' : 'chance may have made the difference'} (p ={' '}
          {p.toPrecision(2)}, paired randomisation).
        </p>
        <p>
          Chunks that only {names[0]} found: {onlyFirst}; only {names[1]}: {onlySecond}.
        </p>
        <div class="pair">
          {tables.map((table, t) => (
            <figure key={t === 0 ? 'first' : 'second'}>
              <figcaption>{names[t]}</figcaption>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
              <pre tabIndex={0}>{table}</pre>
            </figure>
          ))}
        </div>
      </section>
      <section class="panel">
        <h2>Sentences in which they differ</h2>
        <Differing names={['gold', ...distinct(names)]} types={types} sentences={sentences} />
      </section>
    </>
  );
}

/** Names that can be told apart. */
function distinct([a, b]: readonly [string, string]): readonly string[] {
  return a === b ? [`${a} (first)`, `${b} (second)`] : [a, b];
}
