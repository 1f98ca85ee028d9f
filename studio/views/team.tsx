import { useSignal } from '@preact/signals';
import type { OpenDocument } from '../../src/project/document.js';
import type { Project } from '../../src/project/project.js';
import { agreementOf, type PairAgreement } from '../../src/project/team-agreement.js';
import { Session } from '../annotate/session.js';
import { openStore } from '../store/open-store.js';
import { Differing } from '../ui/differing.js';

interface Pair extends PairAgreement {
  readonly names: readonly [string, string];
}

const MOST_SHOWN = 200;

/** How those who annotated a project agree. */
export function Team({ project }: { readonly project: Project }) {
  const pairs = useSignal<readonly Pair[] | undefined>(undefined);
  const shown = useSignal<Pair | undefined>(undefined);
  const trouble = useSignal('');
  const measure = async () => {
    try {
      pairs.value = await measurePairs(project);
      shown.value = undefined;
    } catch (error) {
      trouble.value = (error as Error).message;
    }
  };
  return (
    <section class="panel">
      <h2>Agreement</h2>
      <button type="button" onClick={measure}>
        Measure
      </button>
      <p class="problem-text" role="alert">
        {trouble.value}
      </p>
      {pairs.value && pairs.value.length === 0 && (
        <p class="quiet">Agreement needs sentences that two people have accepted.</p>
      )}
      {pairs.value && pairs.value.length > 0 && (
        <PairTable pairs={pairs.value} onShow={(pair) => (shown.value = pair)} />
      )}
      {shown.value && (
        <>
          <h3>Where {shown.value.names.join(' and ')} differ</h3>
          <Differing
            names={shown.value.names}
            types={project.layers[0].labels}
            sentences={shown.value.differences
              .slice(0, MOST_SHOWN)
              .map(({ document, sentence, spans }, number) => ({
                sentence: number,
                readings: spans.map((own) => readingOf(document, sentence, own)),
              }))}
          />
        </>
      )}
    </section>
  );
}

interface PairTableProps {
  readonly pairs: readonly Pair[];
  readonly onShow: (pair: Pair) => void;
}

function PairTable({ pairs, onShow }: PairTableProps) {
  const two = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(2));
  const one = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(1));
  const heads = [
    'Sentences',
    'F exact',
    '95 %',
    'F overlapping',
    'F position',
    'κ types',
    'α tokens',
    'AC1 tokens',
    'Differ',
  ];
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Who</th>
            {heads.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <tr key={pair.names.join()}>
              <td>{pair.names.join(', ')}</td>
              <td class="number">{pair.sentences}</td>
              <td class="number">{one(pair.exact)}</td>
              <td class="number">
                {one(pair.interval.low)}–{one(pair.interval.high)}
              </td>
              <td class="number">{one(pair.overlapping)}</td>
              <td class="number">{one(pair.positions)}</td>
              <td class="number">{two(pair.types)}</td>
              <td class="number">{two(pair.alpha)}</td>
              <td class="number">{two(pair.ac1)}</td>
              <td class="number">
                <button type="button" class="link" onClick={() => onShow(pair)}>
                  {pair.differences.length}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function measurePairs(project: Project): Promise<Pair[]> {
  const store = await openStore();
  const names = await store.annotators(project.id);
  const sessions = await Promise.all(names.map((name) => Session.open(store, project, name)));
  if (sessions.length < 2) return [];
  const documents = await Promise.all(sessions[0].entries.map(({ id }) => sessions[0].document(id)));
  const spansOf = (session: Session) => (document: OpenDocument, sentence: number) => {
    const { status, spans } = session.sentence(document, sentence);
    return status === 'accepted' ? spans : undefined;
  };
  const pairs: Pair[] = [];
  sessions.forEach((first, i) => {
    for (const second of sessions.slice(i + 1)) {
      const found = agreementOf(documents, spansOf(first), spansOf(second));
      if (found.sentences > 0) pairs.push({ ...found, names: [first.annotator, second.annotator] });
    }
  });
  return pairs;
}

function readingOf(
  document: OpenDocument,
  sentence: number,
  spans: readonly { start: number; end: number; type: string }[],
) {
  const from = document.startOf(sentence);
  const text = document.stored.text.slice(from, document.endOf(sentence));
  return {
    text,
    spans: spans.map(({ start, end, type }) => ({ start: start - from, end: end - from, type })),
  };
}
