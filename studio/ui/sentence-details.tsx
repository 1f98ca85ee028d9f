import type { FoundSentence, FoundSpan, SentenceFacts, TokenFacts } from '../engine/protocol.js';
import { percent } from './colours.js';
import { Spanned } from './spans.js';

/** What is shown of a span. */
export interface DetailsProps {
  /** Its text. */
  readonly text: string;
  /** The sentence that it is in. */
  readonly sentence: FoundSentence;
  /** The span. */
  readonly span: FoundSpan;
  /** All types, for colours. */
  readonly types: readonly string[];
  /** What the model says of the sentence; undefined until it has. */
  readonly facts: SentenceFacts | undefined;
  /** Closes it. */
  readonly onClose: () => void;
}

/** Why a span is there, and what else the model thought of. */
export function Details({ text, sentence, span, types, facts, onClose }: DetailsProps) {
  const covered = text.slice(span.start, span.end);
  return (
    <section class="panel details" aria-label="The span chosen">
      <header>
        <h2 dir="auto">{covered}</h2>
        <button type="button" class="plain" onClick={onClose} aria-label="Close">
          ×
        </button>
      </header>
      <p class="facts">
        <b>{span.type || 'word'}</b>
        {span.confidence !== undefined && <> · confidence {percent(span.confidence)}</>} · characters{' '}
        {span.start}–{span.end}
      </p>
      {facts === undefined ? (
        <p class="quiet">Asking the model …</p>
      ) : (
        <>
          <Alternatives text={text} sentence={sentence} types={types} facts={facts} />
          <h3>What made it so</h3>
          {tokensWithin(sentence, span, facts).map((token, t) => (
            <Token key={t} token={token} />
          ))}
        </>
      )}
    </section>
  );
}

function tokensWithin({ tokens }: FoundSentence, span: FoundSpan, facts: SentenceFacts): TokenFacts[] {
  return facts.tokens.filter((_, t) => tokens[2 * t] >= span.start && tokens[2 * t + 1] <= span.end);
}

function Alternatives({
  text,
  sentence,
  types,
  facts,
}: Pick<DetailsProps, 'text' | 'sentence' | 'types'> & { facts: SentenceFacts }) {
  if (facts.alternatives.length < 2) return null;
  return (
    <>
      <h3>Readings of the sentence</h3>
      <ol class="alternatives">
        {facts.alternatives.map(({ probability, spans }) => (
          <li key={spans.map(({ start, end, type }) => `${start}-${end}${type}`).join()}>
            <span class="probability">{percent(probability)}</span>
            <span class="reading" dir="auto">
              <Spanned text={text} from={sentence.start} to={sentence.end} spans={spans} types={types} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function Token({ token }: { readonly token: TokenFacts }) {
  const { text, label, rival, lead, features } = token;
  const most = Math.max(...features.map(({ chosen, rival: other = 0 }) => Math.abs(chosen - other)), 1e-9);
  return (
    <details class="token-facts" open={features.length > 0}>
      <summary>
        <b dir="auto">{text}</b> is {label}
        {rival !== undefined && (
          <span class="quiet">
            , then {rival} ({(lead ?? 0).toFixed(2)} behind)
          </span>
        )}
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col" class="number">
              for {label}
            </th>
            {rival !== undefined && (
              <th scope="col" class="number">
                for {rival}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {features.map(({ feature, chosen, rival: other }) => (
            <tr key={feature}>
              <td dir="auto">
                {feature}
                <meter min={0} max={most} value={Math.abs(chosen - (other ?? 0))} aria-label="weight" />
              </td>
              <td class="number">{chosen.toFixed(3)}</td>
              {rival !== undefined && <td class="number">{other?.toFixed(3)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
