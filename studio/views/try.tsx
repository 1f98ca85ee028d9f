import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FoundSpan, FoundText, ModelFacts, SentenceFacts } from '../engine/protocol.js';
import { engine, models, openBytes, openModel, place } from '../models.js';
import { note, route } from '../route.js';
import { percent } from '../ui/colours.js';
import { EXAMPLES } from '../ui/examples.js';
import { ModelChoice } from '../ui/model-choice.js';
import { SameAs, waysOf } from '../ui/same-as.js';
import { Details } from '../ui/sentence-details.js';
import { Legend, Spanned } from '../ui/spans.js';

/** Milliseconds after the last key press after which a text is labelled. */
const PAUSE = 80;
/** Longest text that an address holds. */
const MOST_IN_ADDRESS = 2000;

interface Labelled {
  readonly model: ModelFacts;
  readonly text: string;
  readonly found: FoundText;
}

interface Chosen {
  readonly span: FoundSpan;
  readonly sentence: number;
  readonly facts: SentenceFacts | undefined;
}

/** Labels what is typed, and says why. */
export function TryView() {
  const { query } = route.value;
  const model = useSignal(query.model ?? EXAMPLES[0].model);
  const text = useSignal(query.text ?? EXAMPLES[0].text);
  const least = useSignal(0);
  const trouble = useSignal('');
  const labelled = useLabelled(model.value, text.value, trouble);
  const chosen = useSignal<Chosen | undefined>(undefined);
  useEffect(() => {
    chosen.value = undefined;
    note({ model: model.value, ...(text.value.length <= MOST_IN_ADDRESS && { text: text.value }) });
  }, [model.value, text.value]);
  const choose = async (span: FoundSpan, sentence: number) => {
    const given = labelled.value as Labelled;
    chosen.value = { span, sentence, facts: undefined };
    const facts = await engine().ask('details', { model: given.model.name, text: given.text, sentence });
    if (chosen.value?.span === span) chosen.value = { span, sentence, facts };
  };
  return (
    <div class="try">
      <h1>Try a model</h1>
      <section class="panel input">
        <Choices model={model} text={text} />
        <textarea
          aria-label="Text"
          dir="auto"
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </section>
      <p class="problem-text" role="alert">
        {trouble.value}
      </p>
      <div class="columns">
        <Result labelled={labelled.value} least={least} chosen={chosen.value?.span} onChoose={choose} />
        {chosen.value && labelled.value?.text === text.value && (
          <Details
            text={labelled.value.text}
            sentence={labelled.value.found.sentences[chosen.value.sentence]}
            span={chosen.value.span}
            facts={chosen.value.facts}
            types={labelled.value.model.types}
            onClose={() => {
              chosen.value = undefined;
            }}
          />
        )}
      </div>
      <SameAs
        ways={waysOf(
          model.value,
          text.value,
          EXAMPLES.some((example) => example.model === model.value),
          place.value?.server ? place.value.api : undefined,
        )}
      />
    </div>
  );
}

/** The labelling of a text, once there has been no other for a moment. */
function useLabelled(model: string, text: string, trouble: { value: string }) {
  const labelled = useSignal<Labelled | undefined>(undefined);
  const list = models.value;
  useEffect(() => {
    if (list === undefined) return undefined;
    let isStale = false;
    const label = async () => {
      try {
        const facts = await openModel(model);
        const found = await engine().ask('label', { model, text });
        if (isStale) return;
        labelled.value = { model: facts, text, found };
        trouble.value = '';
      } catch (error) {
        if (!isStale) trouble.value = (error as Error).message;
      }
    };
    const timer = setTimeout(label, labelled.value === undefined ? 0 : PAUSE);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [list, model, text]);
  return labelled;
}

interface ChoicesProps {
  readonly model: { value: string };
  readonly text: { value: string };
}

function Choices({ model, text }: ChoicesProps) {
  const own = async (file: File) => {
    const name = file.name.replace(/\.safetensors$/, '');
    await openBytes(name, new Uint8Array(await file.arrayBuffer()));
    model.value = name;
  };
  return (
    <div class="row">
      <ModelChoice label="Model" chosen={model} />
      <label class="button">
        Open a model …
        <input
          type="file"
          class="hidden"
          accept=".safetensors"
          onChange={async (event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) await own(file);
          }}
        />
      </label>
      <span class="spread" />
      <span class="examples">
        <span class="quiet">Examples:</span>
        {EXAMPLES.map((example) => (
          <button
            key={example.title}
            type="button"
            class="link"
            onClick={() => {
              text.value = example.text;
              model.value = example.model;
            }}
          >
            {example.title}
          </button>
        ))}
      </span>
    </div>
  );
}

interface ResultProps {
  readonly labelled: Labelled | undefined;
  readonly least: { value: number };
  readonly chosen: FoundSpan | undefined;
  readonly onChoose: (span: FoundSpan, sentence: number) => void;
}

function Result({ labelled, least, chosen, onChoose }: ResultProps) {
  const isSure = ({ confidence = 1 }: FoundSpan) => confidence >= least.value;
  const counts = useComputed(() => new Map<string, number>());
  if (labelled === undefined) {
    return (
      <section class="panel result" aria-busy="true">
        <p class="quiet">Loading the model …</p>
      </section>
    );
  }
  const { text, found, model } = labelled;
  counts.value.clear();
  const parts = found.sentences.map((sentence, s) => {
    const spans = sentence.spans.filter(isSure);
    for (const { type } of spans) counts.value.set(type, (counts.value.get(type) ?? 0) + 1);
    const before = text.slice(s === 0 ? 0 : found.sentences[s - 1].end, sentence.start);
    return (
      <span key={s}>
        {before}
        <Spanned
          text={text}
          from={sentence.start}
          to={sentence.end}
          spans={spans}
          types={model.types}
          chosen={chosen}
          onChoose={(span) => onChoose(span, s)}
        />
      </span>
    );
  });
  const spans = [...counts.value.values()].reduce((sum, count) => sum + count, 0);
  return (
    <section class="panel result">
      <div class="row">
        <p id="status" class="quiet" role="status">
          {found.tokens} tokens, {spans} spans, {found.milliseconds.toFixed(1)} ms
        </p>
        <span class="spread" />
        <label class="slider">
          Hide below {percent(least.value)}
          <input
            type="range"
            min="0"
            max="100"
            value={100 * least.value}
            onInput={(event) => {
              least.value = Number(event.currentTarget.value) / 100;
            }}
          />
        </label>
      </div>
      <div class="labelled" id="labelled" dir="auto">
        {parts}
      </div>
      <Legend types={model.types} counts={new Map(counts.value)} />
    </section>
  );
}
