// What is attacked, each with well-formed samples and a check. A check returns 'accepted' or 'refused', and throws Failure
// when something is lost, a refusal does not say where, or (anything else thrown) the code fell over.
import { crc32 } from '../../dist/base/crc32.js';
import { SpanwrightError } from '../../dist/base/errors.js';
import { UNIT_READERS } from '../../dist/data/formats/unit-readers.js';
import {
  ColumnLabeller,
  configure,
  loadModel,
  Pipeline,
  readColumns,
  readTemplates,
  saveModel,
  splitText,
  Tagger,
  tokenText,
  train,
  UnitCorpusBuilder,
  UnitLabeller,
} from '../../dist/index.js';
import { PredictedFileScorer } from '../../dist/score/predicted-file.js';
import { concat, mutate, pick } from './mutate.js';

/** Something that must not happen. */
export class Failure extends Error {}

const encode = (text) => new TextEncoder().encode(text);
const decode = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
const SOURCE = 'input';

const COLUMNS = [
  'The DT B-NP\nold JJ I-NP\ndog NN I-NP\nbarks VBZ B-VP\n. . O\n\nShe PRP B-NP\nsees VBZ B-VP\nit PRP B-NP\n',
  '-DOCSTART- -X- O\n\nin\tIN\tB-PP\nParis\tNNP\tB-NP\n\n\nHe PRP B-NP\r\nwent VBD B-VP\r\n\r\nto TO B-PP\r\nNew NNP B-NP',
].map(encode);
const TEXTS = [
  'Mr. Smith didn’t go to the U.S. on Jan. 5. "Why not?" he asked (twice).\n\nIt cost $3.5 million – about 5% more…',
  "See https://example.org/a_(b), or mail me@example.org! 👩‍🚀🏽 flew. #tag @you 1/2 rock ’n’ roll; cannot, won't.\r\nEnd",
].map(encode);
const SPANS = [
  '{"text":"The old dog barks.","spans":[{"start":0,"end":11,"label":"NP"},{"start":12,"end":17,"label":"VP"}],"id":7}\n' +
    '{"text":"She sees it. 👩‍🚀 too.","labels":[[0,3,"NP"]]}\n',
  '{"text":"Paris in May","tokens":[{"start":0,"end":5,"pos":"NNP"},{"start":6,"end":8,"pos":"IN"},{"start":9,"end":12,"pos":"NNP"}],"spans":null}\n',
].map(encode);
const CONLLU = [
  '# text = The dog barks.\n1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tChunk=B-NP\n2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\tChunk=I-NP\n' +
    '3\tbarks\tbark\tVERB\tVBZ\t_\t0\troot\t_\tChunk=B-VP|SpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\tChunk=O\n\n' +
    '1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\tIN\t_\t_\t_\t_\tChunk=B-PP\n2\tle\tle\tDET\tDT\t_\t_\t_\t_\tChunk=B-NP\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n',
].map(encode);
const PREDICTED = ['a B-NP B-NP\nb I-NP O\n\nc O B-VP\n', 'a S-X S-X\nb B-X B-X\nc E-X E-X\n'].map(encode);
const TEMPLATES = [
  'word[0]\nword[-1] word[0]\nword.suffix3[0]\npos[-1] pos[0] pos[1]\nlabel[-1]\nlabel[-1] pos[0]\n# a comment\n',
  'word.lower.prefix2[1] pos[0]\nword.test("^[A-Z]\\\\d+$")[0]\nword.match("\\\\d+")[0]\nlabel[-1] label[-2]\n',
  'U00:%x[-1,0]\nU01:%x[0,0]/%x[1,1]\nU02:%m[0,0,"^.?.?"]\nB\n',
].map(encode);
const CONFIGURATIONS = [
  '{"task":"chunking","options":{"scheme":"iob2","C":0.5,"epochs":3,"cut-off":2}}',
  '{"task":"pos","preset":"fast","columns":["word","pos"],"options":{"decoder":"beam","beam":4,"order":1,"seed":3}}',
].map(encode);

const MODELS = await makeModels();

async function makeModels() {
  const corpus = readColumns(COLUMNS[0], { columns: ['word', 'pos', 'chunk'] });
  const options = { templates: 'wide', 'cut-off': 1, epochs: 2 };
  const chunker = await train(
    corpus,
    configure({ task: 'chunking', options: { ...options, precision: 'int8' } }),
  );
  const tagged = readColumns(COLUMNS[0], { columns: ['word', 'pos', '_'] });
  const pos = await train(tagged, configure({ task: 'pos', options: { 'cut-off': 1, epochs: 2 } }));
  return { chunker, pos };
}

/** All kinds by name. */
export const KINDS = {
  columns: {
    samples: COLUMNS,
    check(bytes, random) {
      const format = pick(random, ['columns', 'brackets', 'json', 'jsonl', 'conllu']);
      const onError = pick(random, ['stop', 'skip', 'keep']);
      const tagger = new Tagger(MODELS.chunker);
      const labeller = new ColumnLabeller(tagger, {
        source: SOURCE,
        format,
        onError,
        confidence: random.below(2) > 0,
      });
      const output = pushAll(labeller, bytes, random);
      if (labeller.stopped) return refusedAt(labeller.stopped);
      const tokens = countTokens(bytes);
      if (labeller.badSentences === 0 && tokens !== labeller.tokens) {
        throw new Failure(`${tokens} tokens in, ${labeller.tokens} labelled`);
      }
      if (format === 'columns' && onError !== 'skip' && countTokens(output) !== tokens) {
        throw new Failure(`${tokens} tokens in, ${countTokens(output)} out`);
      }
      return labeller.badSentences > 0 ? refusedAt(labeller.firstProblem) : 'accepted';
    },
  },
  training: {
    samples: COLUMNS,
    async check(bytes, random) {
      const task = pick(random, ['chunking', 'pos']);
      return refusable(async () => {
        const columns = task === 'pos' ? ['word', 'pos'] : ['word', 'pos', 'chunk'];
        const corpus = readColumns(bytes, { columns, source: SOURCE });
        if (corpus.cells[0].length > 300) return;
        const model = await train(corpus, configure({ task, options: { 'cut-off': 1, epochs: 1 } }));
        label(loadModel(saveModel(model)));
      });
    },
  },
  text: {
    samples: TEXTS,
    check(bytes, random) {
      const format = pick(random, ['columns', 'brackets', 'json', 'jsonl', 'conllu']);
      const options = { source: SOURCE, format, onError: 'stop', confidence: false };
      const labeller = new UnitLabeller(new Pipeline([MODELS.pos, MODELS.chunker]), 'text', options);
      pushAll(labeller, bytes, random);
      // As bytes, damage makes bad UTF-8; as a string it makes any characters at all, lone surrogates too.
      checkTokens(
        random.below(2) > 0 ? decode(bytes) : String.fromCharCode(...new Uint16Array(bytes.slice(0, 4000))),
      );
      return labeller.stopped ? refusedAt(labeller.stopped) : 'accepted';
    },
  },
  jsonl: { samples: SPANS, check: (bytes, random) => checkUnits('jsonl', bytes, random) },
  conllu: { samples: CONLLU, check: (bytes, random) => checkUnits('conllu', bytes, random) },
  predicted: {
    samples: PREDICTED,
    check(bytes, random) {
      return refusable(() => {
        const scorer = new PredictedFileScorer(
          SOURCE,
          undefined,
          pick(random, [undefined, 'iob2', 'iobes', 'token']),
        );
        for (const chunk of chunksOf(bytes, random)) scorer.push(chunk);
        const { tokens } = scorer.finish();
        if (tokens !== countTokens(bytes))
          throw new Failure(`${countTokens(bytes)} tokens in, ${tokens} scored`);
      });
    },
  },
  templates: {
    samples: TEMPLATES,
    check(bytes) {
      return refusable(() => {
        const templates = readTemplates(decode(bytes), SOURCE, ['word', 'pos']);
        configure({ task: 'chunking', templates });
      });
    },
  },
  configurations: {
    samples: CONFIGURATIONS,
    check(bytes) {
      let given;
      try {
        given = JSON.parse(decode(bytes));
      } catch {
        return 'refused';
      }
      if (typeof given !== 'object' || given === null) return 'refused';
      return refusable(() => configure(given), /\S/);
    },
  },
  models: {
    samples: [saveModel(MODELS.chunker), saveModel(MODELS.pos)],
    check(bytes, random) {
      const damaged = random.below(2) > 0 ? withChecksum(bytes) : bytes;
      return refusable(
        () => {
          const model = loadModel(damaged, SOURCE);
          label(model);
          label(loadModel(saveModel(model)));
        },
        new RegExp(`^${SOURCE}: `),
      );
    },
  },
};

/** An input of a kind; the same for the same random numbers. */
export function makeInput(kind, random) {
  return mutate(random, KINDS[kind].samples);
}

function checkUnits(format, bytes, random) {
  const onError = pick(random, ['stop', 'skip', 'keep']);
  const outFormat = pick(random, [format, 'json', 'columns']);
  const pipeline = new Pipeline([MODELS.pos, MODELS.chunker]);
  const labeller = new UnitLabeller(pipeline, format, {
    source: SOURCE,
    format: outFormat,
    onError,
    confidence: false,
  });
  const output = pushAll(labeller, bytes, random);
  let outcome = 'accepted';
  if (labeller.stopped) outcome = refusedAt(labeller.stopped);
  else if (labeller.badSentences > 0) outcome = refusedAt(labeller.firstProblem);
  if (outFormat === format && onError === 'keep') {
    const units = (input) => readUnits(format, input).length;
    if (units(output) !== units(bytes)) throw new Failure(`${units(bytes)} units in, ${units(output)} out`);
  }
  const fill = new Pipeline([MODELS.pos]);
  refusable(() => {
    const columns = ['word', 'pos', 'chunk'];
    const builder = new UnitCorpusBuilder(format, { columns, scheme: 'iob2', source: SOURCE, fill });
    for (const chunk of chunksOf(bytes, random)) builder.push(chunk);
    builder.finish();
  });
  return outcome;
}

function readUnits(format, bytes) {
  const reader = UNIT_READERS[format]({ source: SOURCE, columns: ['word'] });
  reader.push(bytes);
  reader.end();
  const units = [];
  for (let unit = reader.next(); unit; unit = reader.next()) units.push(unit);
  return units;
}

/** Every character but white space and control characters is in one token, at its place. */
function checkTokens(text) {
  const blank = /[\s\p{Cc}\u200b]/gu;
  let joined = '';
  for (const sentence of splitText(text)) {
    for (let t = 0; t < sentence.words.length; t++) {
      const token = tokenText(sentence, t);
      const start = sentence.start + sentence.tokens[2 * t];
      if (token === '' || text.slice(start, start + token.length) !== token)
        throw new Failure(`token ${t} is misplaced`);
      joined += token;
    }
    const before = [...text.slice(0, sentence.start)].length;
    if (before !== sentence.startCodePoint)
      throw new Failure(`code points: ${before}, not ${sentence.startCodePoint}`);
  }
  if (joined !== text.replace(blank, '')) throw new Failure('the tokens are not the text');
}

function label(model) {
  const tagger = new Tagger(model);
  const words = ['The', 'dog', 'barks', '犬'];
  const { tags } = tagger.label(Object.fromEntries(tagger.inputColumns.map((name) => [name, words])));
  if (tags.length !== words.length) throw new Failure(`${words.length} words in, ${tags.length} tags out`);
}

function pushAll(labeller, bytes, random) {
  const parts = [];
  for (const chunk of chunksOf(bytes, random)) parts.push(labeller.push(chunk).slice());
  parts.push(labeller.finish().slice());
  return concat(parts);
}

function* chunksOf(bytes, random) {
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + random.below(pick(random, [3, 50, 100_000]));
    yield bytes.slice(start, end);
    start = end;
  }
}

/** Lines that are tokens, counted without the reader under test. */
function countTokens(bytes) {
  const lines = decode(bytes)
    .replace(/^\ufeff/, '')
    .split('\n');
  return lines.filter((line) => /[^ \t\r]/.test(line.replace(/\r$/, '')) && !/^[ \t]*-DOCSTART-/.test(line))
    .length;
}

/** Gives a damaged model the checksum that fits, so that what it says is looked at. */
function withChecksum(bytes) {
  const copy = Uint8Array.from(bytes);
  const at = Buffer.from(copy).indexOf('"checksum":"crc32:');
  if (at < 0 || at + 26 > copy.length) return copy;
  const digits = at + 18;
  copy.set(encode('00000000'), digits);
  copy.set(encode(crc32(copy).toString(16).padStart(8, '0')), digits);
  return copy;
}

/** Runs something that may refuse its input, but only so that the message says where. */
function refusable(work, place = new RegExp(`${SOURCE}(?::\\d+| \\(byte \\d+\\)|: )|--[a-z]`)) {
  const judge = (error) => {
    if (!(error instanceof SpanwrightError)) throw error;
    checkMessage(error.message, place);
    return 'refused';
  };
  try {
    const result = work();
    if (result instanceof Promise) return result.then(() => 'accepted', judge);
    return 'accepted';
  } catch (error) {
    return judge(error);
  }
}

/** A problem that a labeller noted. */
function refusedAt(problem) {
  if (!(problem instanceof SpanwrightError)) throw new Failure(`no error of ours: ${problem}`);
  checkMessage(problem.message, new RegExp(`^${SOURCE}(?::\\d+| \\(byte \\d+\\))`));
  return 'refused';
}

function checkMessage(message, place) {
  if (!place.test(message)) throw new Failure(`the message names no place: ${message}`);
  if (message.length > 1000) throw new Failure(`a message of ${message.length} characters`);
  if (/[\p{Cc}\u202a-\u202e]/u.test(message))
    throw new Failure(`control characters in: ${JSON.stringify(message)}`);
}
