// Compares this checkout with another built one: trains with both on the first sentences of CoNLL-2000, PKU and UD Chinese GSD,
// for every learner, strategy and decoder that go together and for every preset, and prints which tensors and labels are equal.
// Both label test data with the bundled models too. Corpora are in ../shared/data, or in SPANWRIGHT_DATA.
//
//   node scripts/compare-release.js --with ../before [--sentences 40] [--only TEXT]
//
// --only keeps the cases whose names have a text. Exits with 1 where anything differs.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const data = process.env.SPANWRIGHT_DATA ?? join(root, '../shared/data');
const { values: given } = parseArgs({
  options: {
    with: { type: 'string' },
    sentences: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    // A process that runs the cases with one checkout.
    run: { type: 'string' },
  },
});
const count = Number(given.sentences);

/** Corpora: the task that fits, the input format, and the parts trained on and labelled, a number of sentences each. */
const CORPORA = {
  'CoNLL-2000': {
    tasks: ['chunking', 'pos'],
    format: 'columns',
    train: () => blocks('conll2000/train.txt'),
    test: () => blocks('conll2000/test.txt'),
  },
  PKU: {
    tasks: ['segmentation'],
    format: 'segmented',
    train: () => lines('icwb2/pku_training.reconstructed.utf8'),
    test: () => lines('icwb2/pku_test.utf8'),
  },
  GSD: {
    tasks: ['segmentation', 'joint-pos'],
    format: 'conllu',
    train: () => blocks('ud_chinese_gsd/zh-ud-train.conllu'),
    test: () => plainText(blocks('ud_chinese_gsd/zh-ud-test.conllu')),
  },
};

/** The first sentences of a file that parts them with blank lines. */
function blocks(path) {
  return `${text(path).split(/\n\n+/, count).join('\n\n')}\n\n`;
}

/** The first lines of a file. */
function lines(path) {
  return `${text(path).split('\n', count).join('\n')}\n`;
}

/** Sentences of CoNLL-U without blanks, a line each. */
function plainText(conllu) {
  const sentences = conllu.trim().split('\n\n');
  const words = (sentence) => [...sentence.matchAll(/^\d+\t([^\t]+)/gm)].map(([, word]) => word);
  return `${sentences.map((sentence) => words(sentence).join('')).join('\n')}\n`;
}

function text(path) {
  return readFileSync(join(data, path), 'utf8');
}

/** All cases, by name: a corpus, and how a model of it is configured. */
async function allCases() {
  const { LEARNERS } = await import('../dist/learn/learners.js');
  const { REDUCTIONS } = await import('../dist/reduce/reductions.js');
  const { DECODERS } = await import('../dist/decode/decoders.js');
  const { TASKS } = await import('../dist/tasks/tasks.js');
  const cases = [];
  for (const [corpus, { tasks }] of Object.entries(CORPORA)) {
    for (const task of tasks) {
      for (const preset of Object.keys(TASKS[task].presets)) {
        cases.push({ name: `${corpus}: ${task}, preset ${preset}`, corpus, task, preset, options: {} });
      }
    }
    for (const learner of Object.keys(LEARNERS)) {
      for (const strategy of LEARNERS[learner].kind === 'binary' ? Object.keys(REDUCTIONS) : [undefined]) {
        for (const decoder of Object.keys(DECODERS)) {
          const parts = [learner, strategy, decoder].filter((part) => part !== undefined);
          cases.push({
            name: `${corpus}: ${parts.join(', ')}`,
            corpus,
            task: tasks[0],
            options: { learner, decoder, ...(strategy && { strategy }) },
          });
        }
      }
    }
  }
  for (const model of readdirSync(join(root, 'models')).filter((name) => name.endsWith('.safetensors'))) {
    const corpus = model.startsWith('chinese') ? 'GSD' : 'CoNLL-2000';
    cases.push({ name: `bundled ${model}`, corpus, model });
  }
  return cases.filter(({ name }) => name.includes(given.only));
}

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Hashes of a model file's tensors, with their types and shapes, by name. */
function tensorsOf(file) {
  const view = new DataView(file.buffer, file.byteOffset);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  delete header.__metadata__;
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => [name, `${dtype} ${shape} ${digest(file.subarray(start + from, start + to))}`],
    ),
  );
}

/** Runs all cases with the checkout in a folder, and prints a line of JSON for each. */
async function runCases(folder) {
  const use = (path) => import(pathToFileURL(join(folder, 'dist', path)));
  const spanwright = await use('index.js');
  const texts = new Map(Object.entries(CORPORA).map(([name, { train, test }]) => [name, [train(), test()]]));
  for (const one of await allCases()) {
    console.log(
      JSON.stringify({ name: one.name, ...(await runCase(spanwright, one, texts.get(one.corpus))) }),
    );
  }
}

/** Tensors and labels of a case, or the error that there is instead. */
async function runCase(spanwright, { corpus, task, preset, options, model }, [trainText, testText]) {
  const { format } = CORPORA[corpus];
  try {
    if (model) {
      const file = readFileSync(join(root, 'models', model));
      return { labels: labelsOf(spanwright, file, format, testText) };
    }
    const configuration = spanwright.configure({ task, preset, options });
    const builder =
      format === 'columns'
        ? undefined
        : new spanwright.UnitCorpusBuilder(format, { ...configuration, source: corpus });
    builder?.push(Buffer.from(trainText));
    const columns = task === 'pos' ? ['word', 'pos', '_'] : configuration.columns;
    const training = builder
      ? builder.finish()
      : spanwright.readColumns([Buffer.from(trainText)], { columns, source: corpus });
    const trained = await spanwright.train(await training, configuration);
    const file = spanwright.saveModel(trained);
    return { tensors: tensorsOf(file), labels: labelsOf(spanwright, file, format, testText) };
  } catch (error) {
    return { error: error.message };
  }
}

/** Hashes of a text's labels, without and with confidences. */
function labelsOf(spanwright, file, format, testText) {
  const tagger = new spanwright.Tagger(spanwright.loadModel(file));
  return [false, true].map((confidence) => {
    const isText = format !== 'columns';
    const how = {
      source: 'test',
      format: confidence ? 'jsonl' : isText ? 'segmented' : 'columns',
      confidence,
      onError: 'stop',
    };
    const labeller = isText
      ? new spanwright.LineLabeller(tagger, { ...how, format: 'segmented', confidence: false })
      : new spanwright.ColumnLabeller(tagger, how);
    const output = [labeller.push(Buffer.from(testText)).slice(), labeller.finish().slice()];
    return digest(Buffer.concat(output));
  });
}

/** Results of a checkout, one after another. */
async function* resultsOf(folder) {
  const args = [
    fileURLToPath(import.meta.url),
    '--run',
    folder,
    '--sentences',
    given.sentences,
    '--only',
    given.only,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  const [code] = await ended;
  if (code !== 0)
    throw new Error(`expected the cases of ${folder} to run to the end, found exit code ${code}`);
}

/** Says what is equal in two results, and whether all is. */
function compare(own, other) {
  if (own.error || other.error) {
    const isSame = Boolean(own.error) === Boolean(other.error);
    return {
      isSame,
      isRefused: isSame,
      text: isSame ? 'refused by both' : `DIFFERENT: ${own.error ?? 'works'} / ${other.error ?? 'works'}`,
    };
  }
  const names = [...new Set([...Object.keys(own.tensors ?? {}), ...Object.keys(other.tensors ?? {})])];
  const changed = names.filter((name) => own.tensors[name] !== other.tensors[name]);
  const sameLabels = own.labels[0] === other.labels[0];
  const sameConfidences = own.labels[1] === other.labels[1];
  const parts = [
    names.length === 0
      ? undefined
      : changed.length === 0
        ? `${names.length} tensors equal`
        : `tensors DIFFERENT: ${changed.join(', ')}`,
    `labels ${sameLabels ? 'equal' : 'DIFFERENT'}`,
    `confidences ${sameConfidences ? 'equal' : 'DIFFERENT'}`,
  ];
  return {
    isSame: changed.length === 0 && sameLabels && sameConfidences,
    text: parts.filter(Boolean).join(', '),
  };
}

async function main() {
  if (given.run) return runCases(given.run);
  if (!given.with || !existsSync(join(given.with, 'dist/index.js'))) {
    throw new Error('expected --with and the folder of a built checkout');
  }
  const [own, other] = [resultsOf(root), resultsOf(resolve(given.with))];
  const tally = { same: 0, refused: 0, different: 0 };
  for (;;) {
    const [left, right] = await Promise.all([own.next(), other.next()]);
    if (left.done && right.done) break;
    if (left.value?.name !== right.value?.name)
      throw new Error('expected the same cases from both, found others');
    const { isSame, isRefused, text: said } = compare(left.value, right.value);
    tally[isRefused ? 'refused' : isSame ? 'same' : 'different']++;
    if (!isRefused) console.log(`${left.value.name.padEnd(56)} ${said}`);
  }
  console.log(`${tally.same} equal, ${tally.different} different; ${tally.refused} refused by both`);
  if (tally.different > 0 || tally.same === 0) process.exitCode = 1;
}

await main();
