import { useSignal } from '@preact/signals';
import type { DifferingSentence, ErrorFacts, FileFacts } from '../engine/protocol.js';
import { trainerEngine } from '../engine/trainer-engine.js';
import { modelFiles, models } from '../models.js';
import { Differing } from '../ui/differing.js';
import { FileQuestion } from '../ui/file-question.js';
import { ModelChoice } from '../ui/model-choice.js';

interface Cell {
  readonly gold: string | null;
  readonly predicted: string | null;
}

/** Shows what a model gets wrong. */
export function ErrorsView() {
  const facts = useSignal<FileFacts | undefined>(undefined);
  const model = useSignal(models.value?.at(-1)?.name ?? 'english-chunk');
  const found = useSignal<ErrorFacts | undefined>(undefined);
  const cell = useSignal<Cell | undefined>(undefined);
  const look = async () => {
    cell.value = undefined;
    found.value = await trainerEngine().ask('errorsOf', {
      gold: 'gold',
      models: await modelFiles(model.value),
    });
  };
  const types = (found.value?.types ?? []).filter((type): type is string => type !== null);
  return (
    <>
      <h1>Errors of a model</h1>
      <FileQuestion name="gold" facts={facts} action="Look at its errors" ask={look}>
        <ModelChoice label="Model" chosen={model} />
      </FileQuestion>
      {found.value && (
        <>
          <section class="panel">
            <h2>Scores</h2>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
            <pre tabIndex={0}>{found.value.table}</pre>
          </section>
          <section class="panel">
            <h2>What is taken for what</h2>
            <p class="quiet">
              Tokens of a type (rows) that were given another (columns). A click shows their sentences.
            </p>
            <Confusions facts={found.value} cell={cell} />
          </section>
          <section class="panel">
            <h2>Sentences with errors</h2>
            <Differing
              names={['gold', model.value]}
              types={types}
              sentences={filtered(found.value.sentences, cell.value)}
            />
          </section>
        </>
      )}
    </>
  );
}

function Confusions({
  facts,
  cell,
}: {
  readonly facts: ErrorFacts;
  readonly cell: { value: Cell | undefined };
}) {
  const { types, confusions } = facts;
  const name = (type: string | null) => type ?? 'none';
  const isSame = (a: Cell | undefined, b: Cell) => a?.gold === b.gold && a.predicted === b.predicted;
  return (
    <div class="scroll">
      <table class="confusions">
        <thead>
          <tr>
            <th scope="col">gold</th>
            {types.map((type) => (
              <th key={name(type)} scope="col" class="number">
                {name(type)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map((gold) => (
            <tr key={name(gold)}>
              <th scope="row">{name(gold)}</th>
              {types.map((predicted) => {
                const own = { gold, predicted };
                const tokens = confusions.find((other) => isSame(other, own))?.tokens ?? 0;
                return (
                  <td key={name(predicted)} class="number">
                    {tokens > 0 && gold !== predicted ? (
                      <button
                        type="button"
                        class="link"
                        aria-pressed={isSame(cell.value, own)}
                        onClick={() => {
                          cell.value = isSame(cell.value, own) ? undefined : own;
                        }}
                      >
                        {tokens}
                        <span class="hidden">
                          {' '}
                          {name(gold)} as {name(predicted)}
                        </span>
                      </button>
                    ) : (
                      <span class="quiet">{tokens || ''}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Sentences in which a token of one type was given another. */
function filtered(
  sentences: readonly DifferingSentence[],
  cell: Cell | undefined,
): readonly DifferingSentence[] {
  if (cell === undefined) return sentences;
  return sentences.filter(({ readings: [gold, predicted] }) => {
    const typeAt = (reading: typeof gold, at: number) =>
      reading.spans.find(({ start, end }) => start <= at && at < end)?.type ?? null;
    const starts = [...gold.text.matchAll(/\S+/g)].map(({ index }) => index);
    return starts.some((at) => typeAt(gold, at) === cell.gold && typeAt(predicted, at) === cell.predicted);
  });
}
