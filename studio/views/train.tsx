import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OptionDeclaration } from '../../src/base/options.js';
import type { FileFacts, Trained, TrainingChoices, TrainProgress } from '../engine/protocol.js';
import { stopTrainer, trainerEngine } from '../engine/trainer-engine.js';
import { openBytes } from '../models.js';
import { addressOf } from '../route.js';
import { DataFile } from '../ui/data-file.js';
import { saveFile } from '../ui/download.js';

type Options = Readonly<Record<string, string | number | boolean>>;

const DEFAULT_TASK = 'entities';

/** Trains a model on a file. */
export function TrainView() {
  const facts = useSignal<FileFacts | undefined>(undefined);
  const dev = useSignal<FileFacts | undefined>(undefined);
  const choices = useSignal<TrainingChoices | undefined>(undefined);
  const progress = useSignal<TrainProgress | undefined>(undefined);
  const objective = useSignal<readonly number[]>([]);
  const result = useSignal<(Trained & { name: string }) | undefined>(undefined);
  const trouble = useSignal('');
  const task = useSignal(DEFAULT_TASK);
  useEffect(() => {
    trainerEngine()
      .ask('choices', null)
      .then((found) => {
        choices.value = found;
      })
      .catch((error: Error) => {
        trouble.value = error.message;
      });
  }, []);
  const train = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const { name, preset, options, isHeldOut } = readForm(form, choices.value as TrainingChoices);
    trouble.value = '';
    result.value = undefined;
    objective.value = [];
    progress.value = { what: 'reading', share: 0 };
    try {
      const held = dev.value ? 'dev' : isHeldOut ? 'tenth' : undefined;
      const given = { train: 'train', dev: held, task: task.value, preset, options };
      const report = (told: unknown) => {
        progress.value = told as TrainProgress;
        const { objective: point } = told as TrainProgress;
        if (point !== undefined) objective.value = [...objective.value.slice(-400), point];
      };
      const trained = await trainerEngine().ask('trainFile', given, report);
      await openBytes(name, trained.bytes);
      result.value = { ...trained, name };
    } catch (error) {
      trouble.value = (error as Error).message;
    } finally {
      progress.value = undefined;
    }
  };
  const stop = () => {
    stopTrainer();
    facts.value = undefined;
    dev.value = undefined;
    progress.value = undefined;
  };
  return (
    <>
      <h1>Train a model</h1>
      <DataFile label="Training data" name="train" facts={facts} preview />
      <details>
        <summary>Score on a file of its own</summary>
        <DataFile label="Held-out data" name="dev" facts={dev} />
      </details>
      {choices.value && (
        <TrainForm
          choices={choices.value}
          task={task}
          hasFile={facts.value !== undefined}
          hasDev={dev.value !== undefined}
          isRunning={progress.value !== undefined}
          onTrain={train}
        />
      )}
      <p class="problem-text" role="alert">
        {trouble.value}
      </p>
      {progress.value && <Running progress={progress.value} objective={objective.value} onStop={stop} />}
      {result.value && <Result result={result.value} />}
    </>
  );
}

interface TrainFormProps {
  readonly choices: TrainingChoices;
  readonly task: { value: string };
  readonly hasFile: boolean;
  readonly hasDev: boolean;
  readonly isRunning: boolean;
  readonly onTrain: (event: SubmitEvent) => void;
}

function TrainForm({ choices, task, hasFile, hasDev, isRunning, onTrain }: TrainFormProps) {
  const presets = choices.tasks[task.value]?.presets ?? {};
  return (
    <form class="panel" onSubmit={onTrain}>
      <div class="fields">
        <label>
          Task{' '}
          <select value={task.value} onChange={(event) => (task.value = event.currentTarget.value)}>
            {Object.entries(choices.tasks).map(([name, { help }]) => (
              <option key={name} value={name} title={help}>
                {name}: {help}
              </option>
            ))}
          </select>
        </label>
        <label>
          Preset{' '}
          <select name="preset" key={task.value}>
            {Object.entries(presets).map(([name, help]) => (
              <option key={name} value={name}>
                {name}: {help}
              </option>
            ))}
          </select>
        </label>
        <label>
          Name <input name="name" type="text" defaultValue="my-model" pattern="[a-z0-9\-]+" required />
        </label>
        <label class="check">
          <input type="checkbox" name="tenth" defaultChecked disabled={hasDev} /> hold out the last tenth, and
          score on it
        </label>
      </div>
      <Advanced options={choices.options} />
      <p class="row">
        <button type="submit" class="main" disabled={!hasFile || isRunning}>
          Train
        </button>
        {!hasFile && <span class="quiet">Give a file first.</span>}
      </p>
    </form>
  );
}

function readForm(form: FormData, { options }: TrainingChoices) {
  const given: Record<string, string | number | boolean> = {};
  for (const { name, kind } of options) {
    const value = form.get(`option-${name}`);
    if (typeof value !== 'string' || value === '') continue;
    given[name] = kind === 'integer' || kind === 'number' ? Number(value) : value;
  }
  const isHeldOut = form.get('tenth') !== null;
  return {
    name: String(form.get('name')),
    preset: String(form.get('preset')),
    options: given as Options,
    isHeldOut,
  };
}

function Advanced({ options }: { readonly options: readonly OptionDeclaration[] }) {
  return (
    <details>
      <summary>All options; what is left empty follows the preset</summary>
      <div class="fields">
        {options.map((option) => (
          <OptionField key={option.name} option={option} />
        ))}
      </div>
    </details>
  );
}

function OptionField({ option }: { readonly option: OptionDeclaration }) {
  const { name, kind, help, choices, min, max, default: usual } = option;
  const id = `option-${name}`;
  const isChosen = kind === 'choice' || kind === 'flag';
  const usually = usual === undefined ? '' : String(usual);
  return (
    <div class="option">
      <label htmlFor={id}>{name}</label>
      {isChosen && (
        <select id={id} name={id}>
          <option value="">as the preset</option>
          {(choices ?? ['true', 'false']).map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}
      {kind === 'string' && <input id={id} name={id} type="text" placeholder={usually} />}
      {(kind === 'integer' || kind === 'number') && (
        <input
          id={id}
          name={id}
          type="number"
          step={kind === 'number' ? 'any' : 1}
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          placeholder={usually}
        />
      )}
      <span class="quiet">{help}</span>
    </div>
  );
}

interface RunningProps {
  readonly progress: TrainProgress;
  readonly objective: readonly number[];
  readonly onStop: () => void;
}

function Running({ progress, objective, onStop }: RunningProps) {
  const most = Math.max(...objective, 1e-9);
  const least = Math.min(...objective, most);
  const points = objective.map((value, i) => {
    const x = (200 * i) / Math.max(1, objective.length - 1);
    return `${x.toFixed(1)},${(38 - (36 * (value - least)) / Math.max(1e-12, most - least)).toFixed(1)}`;
  });
  return (
    <section class="panel" aria-label="Training">
      <div class="row">
        <span role="status">{progress.what}</span>
        <progress value={progress.share} max={1} aria-label="Progress" />
        <span class="quiet">{Math.round(100 * progress.share)} %</span>
        <span class="spread" />
        <button type="button" onClick={onStop}>
          Stop
        </button>
      </div>
      {objective.length > 1 && (
        <svg
          class="objective"
          viewBox="0 0 200 40"
          role="img"
          aria-label={`Objective, now ${objective.at(-1)?.toPrecision(4)}`}
        >
          <polyline points={points.join(' ')} fill="none" stroke="currentColor" />
        </svg>
      )}
    </section>
  );
}

function Result({ result }: { readonly result: Trained & { name: string } }) {
  const { name, bytes, card, f1, table, milliseconds, features } = result;
  return (
    <section class="panel" aria-label="The model">
      <h2>{name}</h2>
      <p role="status">
        {f1 !== undefined && <b>F {f1.toFixed(2)} · </b>}
        {features.toLocaleString('en')} features, {(bytes.length / 1e6).toFixed(2)} MB,{' '}
        {(milliseconds / 1000).toFixed(1)} s
      </p>
      {table !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0}>{table}</pre>
      )}
      <p class="row">
        <button type="button" class="main" onClick={() => saveFile(`${name}.safetensors`, bytes)}>
          Download the model
        </button>
        <button type="button" onClick={() => saveFile(`${name}.md`, new TextEncoder().encode(card))}>
          Its card
        </button>
        <a href={addressOf('try', [], { model: name })}>Try it</a>
        <a href={addressOf('errors')}>Its errors</a>
      </p>
    </section>
  );
}
