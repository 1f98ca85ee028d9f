// What is attacked, each with well-formed samples and a check. A check returns 'accepted' or 'refused', and throws a
// Failure when something is lost, a refusal does not say where, or (anything else thrown) the code fell over.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, MAIN } from './dist.js';
import {
  ALL_VALUES,
  concat,
  mutate,
  mutateJson,
  mutateText,
  nasty,
  pick,
  piecesOf,
  revive,
} from './mutate.js';
import * as oracle from './oracles.js';
import { expect, latin1, refusable, refusedAt, SOURCE } from './oracles.js';
import * as samples from './samples.js';

const {
  ColumnLabeller,
  configure,
  formatTemplates,
  loadModel,
  ModelFileError,
  Pipeline,
  readColumns,
  readTemplates,
  saveModel,
  splitText,
  Tagger,
  TextScanner,
  LABEL_FORMATS,
  tokenText,
  train,
  UnitCorpusBuilder,
  UnitLabeller,
} = await load('index.js');
const { PredictedFileScorer } = await load('score/predicted-file.js');
const { crc32 } = await load('base/crc32.js');
const { readSafetensors, writeSafetensors } = await load('model/safetensors.js');

const { MODELS } = samples;
const encode = (text) => new TextEncoder().encode(text);
const FORMATS = ['columns', 'columns', 'brackets', 'json', 'jsonl', 'conllu'];
/** Whether confidences are asked for; only some formats have a place for them. */
const confidenceFor = (random, format) => random.below(2) > 0 && LABEL_FORMATS[format].hasConfidence === true;
const POLICIES = ['stop', 'skip', 'keep'];
/** Only the input's own format, JSON and brackets have a place for what cannot be read. */
const policyFor = (random, format, own) =>
  pick(random, [own, 'json', 'brackets'].includes(format) ? POLICIES : ['stop', 'skip']);
const TINY = { 'cut-off': 1, epochs: 1 };

/** All kinds by name; `make` is how inputs are damaged where bytes are not enough, `slow` ones have fewer cases. */
export const KINDS = {
  columns: { samples: samples.COLUMNS, check: checkColumns },
  train: { samples: samples.COLUMNS, check: checkTraining },
  text: { samples: samples.TEXTS, check: checkText },
  jsonl: { samples: samples.SPANS, make: damagedDocuments, check: checkDocuments },
  conllu: { samples: samples.CONLLU, check: checkConllu },
  templates: { samples: samples.TEMPLATES, make: damagedTemplates, check: checkTemplates },
  configurations: { make: damagedConfiguration, check: checkConfiguration },
  models: { samples: samples.MODEL_FILES, make: damagedModel, check: checkModel },
  predicted: { samples: samples.PREDICTED, check: checkPredicted },
  cli: { make: damagedCall, check: checkCall, slow: true },
};

/** An input of a kind; the same for the same random numbers. */
export function makeInput(kind, random) {
  const { make, samples: wellFormed } = KINDS[kind];
  return make ? make(random) : mutate(random, wellFormed);
}

/** Gives a labeller its input in pieces; returns its output. */
function pushAll(labeller, bytes, random) {
  const parts = [];
  for (const piece of piecesOf(bytes, random)) {
    parts.push(labeller.push(piece).slice());
    if (labeller.stopped) return concat(parts);
  }
  parts.push(labeller.finish().slice());
  return concat(parts);
}

function outcomeOf(labeller) {
  if (labeller.stopped) return refusedAt(labeller.stopped);
  return labeller.badSentences > 0 ? refusedAt(labeller.firstProblem) : 'accepted';
}

// Column files

function checkColumns(bytes, random) {
  const separator = pick(random, ['blanks', 'tab']);
  const format = pick(random, FORMATS);
  const onError = policyFor(random, format, 'columns');
  const confidence = confidenceFor(random, format);
  const tagger = new Tagger(pick(random, [MODELS.chunker, MODELS.odd, MODELS.exact]));
  const labeller = new ColumnLabeller(tagger, { source: SOURCE, format, onError, confidence, separator });
  const output = pushAll(labeller, bytes, random);
  const outcome = outcomeOf(labeller);

  const input = oracle.columnSentences(bytes, separator, [0, 1]);
  // JSONL tells tokens by their offsets in the text, which of nothing but blanks are none.
  const isHeld = ([word]) => format !== 'jsonl' || /[^ \t\r\n]/.test(word ?? '');
  for (const sentence of input.sentences) sentence.isGood &&= sentence.tokens.every(isHeld);
  const firstBad = input.sentences.findIndex(({ isGood }) => !isGood);
  const reached = onError === 'stop' && firstBad >= 0 ? input.sentences.slice(0, firstBad) : input.sentences;
  const good = reached.filter(({ isGood }) => isGood);
  const tokens = good.reduce((sum, sentence) => sum + sentence.tokens.length, 0);
  const bad = reached.length - good.length;
  expect(labeller.tokens === tokens, () => `${tokens} tokens in, ${labeller.tokens} labelled`);
  expect(
    labeller.sentences === good.length,
    () => `${good.length} sentences, ${labeller.sentences} labelled`,
  );
  expect(labeller.badSentences === bad, () => `${bad} bad sentences, ${labeller.badSentences} noted`);
  const problem = labeller.stopped ?? labeller.firstProblem;
  expect(
    firstBad >= 0 === (problem !== undefined),
    'a problem that there is not, or none where there is one',
  );
  if (problem) {
    const { first, tokens: lines, gapIsText } = input.sentences[firstBad];
    const { line } = problem.place;
    expect(
      line < first + Math.max(1, lines.length) && (line >= first || !gapIsText),
      () => `line ${line}, sentence at ${first}`,
    );
  }

  const kept = onError === 'keep' ? bad : 0;
  if (format === 'columns') checkExtended(input, output, { onError, confidence, until: reached.length });
  else checkOutput(format, output, { tokens: labeller.tokens, sentences: good.length, kept });

  const columns = ['word', 'pos', '_'];
  const read = refusable(() => {
    const corpus = readColumns(piecesOf(bytes, random), { columns, source: SOURCE, separator });
    expect(firstBad < 0, 'read what no labeller reads');
    expect(corpus.cells[0].length === tokens, () => `${tokens} tokens in, ${corpus.cells[0].length} read`);
  });
  expect(read === 'refused' || input.sentences.length > 0, 'read nothing');
  return outcome;
}

/** Every line comes back as it was; those of good sentences with a tag, and how sure it is. */
function checkExtended({ sentences, lines, mark }, output, { onError, confidence, until }) {
  const text = latin1(output);
  const sentenceOf = new Map();
  sentences.forEach((sentence, s) => {
    sentence.tokens.forEach((_, t) => {
      sentenceOf.set(sentence.first - 1 + t, { sentence, s });
    });
  });
  let at = 0;
  const take = (part) => {
    expect(
      text.startsWith(part, at),
      () => `lost ${JSON.stringify(part.slice(0, 80))} at byte ${at} of the output`,
    );
    at += part.length;
  };
  const rating = confidence ? '[ \\t](?:0\\.\\d{4}|1\\.0000)' : '';
  const tag = new RegExp(`[ \\t](?:O|[BIES]-[^ \\t\\r\\n]+)${rating}`, 'y');
  const outside = new RegExp(`[ \\t]O${confidence ? '[ \\t]1\\.0000' : ''}`, 'y');
  // What stands before the first sentence goes with it.
  if (until > 0 || sentences.length === 0) take(mark);
  for (let i = 0; i < lines.length; i++) {
    const { body, ending } = lines[i];
    const { sentence, s } = sentenceOf.get(i) ?? {};
    if (s >= until) return expect(at === text.length, 'output of a sentence that cannot be read');
    // What stands before a sentence goes with it: nothing of the gap before the one that stops.
    if (sentence === undefined && until < sentences.length && i >= lastLineBefore(sentences, until)) continue;
    // Under skip a blank line goes with the bad sentence after it; a -DOCSTART- line stays.
    if (sentence === undefined && onError === 'skip' && !isKeptGap({ sentences, lines, mark }, i)) continue;
    if (sentence && !sentence.isGood && onError === 'skip') continue;
    if (sentence?.isGood) {
      const cr = ending === '' && body.endsWith('\r') ? '\r' : '';
      take(cr ? body.slice(0, -1) : body);
      tag.lastIndex = at;
      const found = tag.exec(text);
      expect(found !== null, () => `no tag after ${JSON.stringify(body.slice(0, 80))}`);
      at += found[0].length;
      take(ending === '' ? cr || '\n' : ending);
    } else if (sentence === undefined && isMark(body) && !isKeptAsItWas(sentences, i, onError)) {
      const bare = body.replace(/\r+$/, '');
      take(bare);
      outside.lastIndex = at;
      const found = outside.exec(text);
      expect(found !== null, () => `no tag after ${JSON.stringify(bare.slice(0, 80))}`);
      at += found[0].length;
      take(body.slice(bare.length) + ending);
    } else take(body + ending);
  }
  return expect(at === text.length, () => `more output: ${JSON.stringify(text.slice(at, at + 80))}`);
}

/** Whether a line between sentences marks the start of a document. */
function isMark(body) {
  return /^[ \t]*-DOCSTART-/.test(body);
}

/** Whether a line between sentences goes with a bad sentence that is kept. */
function isKeptAsItWas(sentences, line, onError) {
  const next = sentences.find(({ first }) => first - 1 > line);
  return onError === 'keep' && next !== undefined && !next.isGood;
}

/** First line after the sentence before the one that stops. */
function lastLineBefore(sentences, until) {
  return until === 0 ? 0 : sentences[until - 1].first - 1 + sentences[until - 1].tokens.length;
}

/** Whether a line between sentences is not left out with a bad sentence after it. */
function isKeptGap({ sentences, lines, mark }, line) {
  const next = sentences.findIndex(({ first }) => first - 1 > line);
  if (next < 0 || sentences[next].isGood) return true;
  const from = lastLineBefore(sentences, next);
  const gap = lines.slice(from, sentences[next].first - 1).map(({ body }) => body);
  return (next === 0 && mark !== '') || /[^\t\r ]/.test(gap.join(''));
}

/** What was labelled is in the output, in whatever format. */
function checkOutput(format, output, { tokens, sentences, kept }) {
  const lines = oracle.decode(output).split('\n');
  const last = lines.pop();
  expect(last === '', () => `the output ends within a line: ${JSON.stringify(last.slice(0, 80))}`);
  let found = tokens;
  let foundSentences = sentences;
  if (format === 'brackets') foundSentences = lines.length - kept;
  else if (format === 'json' || (format === 'jsonl' && kept === 0)) {
    const parsed = lines.map((line) => JSON.parse(line));
    const good = parsed.filter((sentence) => sentence.error === undefined || sentence.tokens);
    expect(
      parsed.length - good.length === kept,
      () => `${kept} kept, ${parsed.length - good.length} in the output`,
    );
    found = good.reduce((sum, sentence) => sum + sentence.tokens.length, 0);
    foundSentences = good.length;
    const rated = good.flatMap((sentence) => [...sentence.tokens, ...(sentence.chunks ?? sentence.spans)]);
    oracle.checkConfidences(rated.flatMap(({ confidence = 0 }) => confidence));
  } else if (format === 'conllu' && kept === 0) {
    const words = lines.filter((line) => /^\d+\t/.test(line));
    found = words.length;
    expect(
      words.every((line) => line.split('\t').length === 10),
      'a line of CoNLL-U without ten columns',
    );
  } else if (format === 'columns' && kept === 0) found = lines.filter((line) => line !== '').length;
  expect(found === tokens, () => `${tokens} tokens labelled, ${found} in the output`);
  expect(
    foundSentences === sentences,
    () => `${sentences} sentences labelled, ${foundSentences} in the output`,
  );
}

// Training

function checkTraining(bytes, random) {
  const separator = pick(random, ['blanks', 'tab']);
  const task = pick(random, ['chunking', 'pos']);
  const options = {
    ...TINY,
    decoder: pick(random, ['greedy', 'beam', 'viterbi', 'hybrid']),
    direction: pick(random, ['forward', 'backward']),
    precision: pick(random, ['float32', 'int8']),
    ...(task === 'chunking' && { scheme: pick(random, ['iob1', 'iob2', 'ioe1', 'ioe2', 'iobes']) }),
    templates: task === 'pos' ? 'pos' : pick(random, ['004', 'small']),
  };
  const columns = task === 'pos' ? ['word', 'pos'] : ['word', 'pos', 'chunk'];
  const input = oracle.columnSentences(
    bytes,
    separator,
    columns.map((_, c) => c),
  );
  const tokens = input.sentences.reduce((sum, sentence) => sum + sentence.tokens.length, 0);
  if (tokens > 300) return 'refused';
  return refusable(async () => {
    const corpus = readColumns(piecesOf(bytes, random), { columns, source: SOURCE, separator });
    const model = await train(corpus, configure({ task, options }));
    const { training } = model;
    expect(training.tokens === tokens, () => `${tokens} tokens in, ${training.tokens} trained on`);
    expect(training.sentences === input.sentences.length, 'sentences were lost');
    const again = loadModel(saveModel(model));
    expect(label(again) === label(model), 'labels differ once the model is read again');
  });
}

/** Labels a few sentences; returns everything said of them. */
function label(model, kernels) {
  const tagger = new Tagger(model, { kernels });
  const said = [];
  for (const words of [['The', 'dog', 'barks', '犬'], ['She'], [], new Array(70).fill('dog')]) {
    const other = words.map((_, t) => ['DT', 'NN', 'VBZ', 'PRP'][t % 4]);
    const columns = Object.fromEntries(tagger.inputColumns.map((name, c) => [name, c === 0 ? words : other]));
    const { tags, spans, confidences } = tagger.label(columns);
    expect(tags.length === words.length, () => `${words.length} words in, ${tags.length} tags out`);
    oracle.checkConfidences(confidences);
    said.push(tags, spans);
  }
  return JSON.stringify(said);
}

// English text

function checkText(bytes, random) {
  const format = pick(random, FORMATS);
  const confidence = confidenceFor(random, format);
  const labeller = new UnitLabeller(textPipeline(), 'text', {
    source: SOURCE,
    format,
    onError: 'stop',
    confidence,
  });
  const output = pushAll(labeller, bytes, random);
  const outcome = outcomeOf(labeller);

  const { lines } = oracle.linesOf(bytes);
  const bad = lines.findIndex(({ isText }) => !isText);
  expect(bad >= 0 === (labeller.stopped !== undefined), 'stopped where it should not, or did not');
  if (bad >= 0)
    expect(
      labeller.stopped.place.line === bad + 1,
      () => `line ${labeller.stopped.place.line}, not ${bad + 1}`,
    );
  const good = lines.slice(0, bad < 0 ? lines.length : bad);
  const text = oracle.decode(Buffer.from(good.map(({ body, ending }) => body + ending).join(''), 'latin1'));
  const { tokens, sentences } = checkLabelling(text, random);
  expect(labeller.tokens === tokens.length, () => `${tokens.length} tokens in, ${labeller.tokens} labelled`);
  checkOutput(format, output, { tokens: tokens.length, sentences: sentences.length, kept: 0 });
  if (format === 'json') {
    const written = oracle
      .decode(output)
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    const own = written.flatMap((sentence) => sentence.tokens.map(({ start, tag }) => `${start} ${tag}`));
    expect(
      own.join() === tokens.map(({ start, tag }) => `${start} ${tag}`).join(),
      'the program says something else',
    );
  }

  // As a string it may have any characters at all.
  const string = mutateText(random, text.length > 5000 ? text.slice(0, 5000) : text);
  checkLabelling(string, random);
  return outcome;
}

let pipeline;
function textPipeline() {
  pipeline ??= new Pipeline([MODELS.pos, MODELS.chunker]);
  return pipeline;
}

function checkLabelling(text, random) {
  const scanner = new TextScanner();
  const scanned = [];
  const takeAll = () => {
    for (let sentence = scanner.next(); sentence; sentence = scanner.next()) scanned.push(sentence);
  };
  for (const piece of piecesOf(text, random)) {
    scanner.push(piece);
    if (random.below(2) > 0) takeAll();
  }
  scanner.end();
  takeAll();
  const split = splitText(text);
  expect(JSON.stringify(scanned) === JSON.stringify(split), 'pieces make a difference');
  oracle.checkTokens(
    text,
    split.flatMap((sentence) => sentence.words.map((_, t) => tokenText(sentence, t))),
  );
  expect(
    split.every(
      ({ words }) =>
        words.length > 0 && words.every((word) => oracle.withoutBlanks(word) === word && word !== ''),
    ),
    'a word is empty or has blanks in it',
  );
  const labelled = textPipeline().label(text);
  oracle.checkPlaces(text, labelled.tokens, 'token');
  oracle.checkPlaces(text, labelled.sentences, 'sentence');
  oracle.checkPlaces(text, labelled.chunks, 'chunk');
  oracle.checkTokens(
    text,
    labelled.tokens.map((token) => token.text),
  );
  oracle.checkConfidences(labelled.tokens.map(({ confidence }) => confidence));
  for (const { firstToken, lastToken, start, end } of [...labelled.sentences, ...labelled.chunks]) {
    const { tokens } = labelled;
    expect(tokens[firstToken].start === start && tokens[lastToken].end === end, 'token numbers are wrong');
  }
  return labelled;
}

// Documents of JSONL

function damagedDocuments(random) {
  if (random.below(3) === 0) return mutate(random, samples.SPANS);
  const lines = new TextDecoder().decode(pick(random, samples.SPANS)).split('\n');
  const damaged = lines.map((line) => {
    if (line.trim() === '' || random.below(2) > 0) return line;
    return JSON.stringify(mutateJson(random, JSON.parse(line), DOCUMENT_VALUES));
  });
  return encode(damaged.join('\n'));
}

const DOCUMENT_VALUES = [
  ...[null, true, 0, 1, 2, 3, 5, 11, 12, 17, 18, -1, 0.5, 2 ** 53, 1e300],
  ...[
    '',
    ' ',
    'NP',
    'a b',
    'The old dog',
    '👍',
    '\ud83d',
    'a\u2028b',
    '\u0000',
    '__proto__',
    'x\u00a0y',
    '\r\n',
    'B-NP',
  ],
  ...[
    [],
    {},
    [0, 3, 'NP'],
    [[0, 3, 'NP']],
    [['0', '3', 'NP']],
    { start: 0, end: 3, label: 'VP' },
    { start: 4, end: 7 },
  ],
  ...[[{ start: 0, end: 3, label: 'NP' }], [{ start: 0, end: 1 }], { constructor: 'NN', start: 0, end: 3 }],
];

function checkDocuments(bytes, random) {
  const format = pick(random, ['jsonl', 'jsonl', 'jsonl', 'json', 'columns', 'conllu', 'brackets']);
  const onError = policyFor(random, format, 'jsonl');
  const offsets = pick(random, ['utf16', 'code-points']);
  const labelling = pick(random, [
    textPipeline(),
    new Pipeline([MODELS.odd]),
    new Pipeline([MODELS.chunker]),
  ]);
  const options = { source: SOURCE, format, onError, confidence: confidenceFor(random, format) };
  const labeller = new UnitLabeller(labelling, 'jsonl', options, offsets);
  const output = pushAll(labeller, bytes, random);
  const outcome = outcomeOf(labeller);

  const { lines } = oracle.linesOf(bytes);
  const documents = lines
    .map((line, i) => ({ ...line, line: i + 1 }))
    .filter(({ body, isText }) => !isText || !isBlank(body));
  const stoppedAt =
    labeller.stopped && documents.findIndex(({ line }) => line === labeller.stopped.place.line);
  expect(stoppedAt !== -1, 'the line named has no document');
  const reached = documents.slice(0, stoppedAt);
  if (format === 'jsonl') checkDocumentLines(reached, output, labeller, onError === 'keep', offsets);
  else checkOutput(format, output, sizesOf(labeller, onError));

  if (labelling === textPipeline())
    checkBuilt('jsonl', bytes, random, { offsets, tokens: () => tokensIn(documents) });
  return outcome;
}

/** Whether a line, a byte a character, has no text. */
function isBlank(body) {
  return oracle.decode(Buffer.from(body, 'latin1')).trim() === '';
}

function sizesOf(labeller, onError) {
  const kept = onError === 'keep' ? labeller.badSentences : 0;
  return { tokens: labeller.tokens, sentences: labeller.sentences, kept };
}

/** Keys that labels may be under. */
const LABEL_KEYS = ['tokens', 'spans', 'label', 'labels', 'entities'];

/** Documents come back in order: with their text and other keys where they are good, else as they were or not at all. */
function checkDocumentLines(documents, output, { badSentences }, keeps, offsets) {
  const written = oracle.linesOf(output).lines.filter(({ body }) => !isBlank(body));
  const expected = documents.length - (keeps ? 0 : badSentences);
  expect(
    written.length === expected,
    () => `${expected} documents expected, ${written.length} in the output`,
  );
  let d = 0;
  let asTheyWere = 0;
  for (const { body } of written) {
    for (; d < documents.length; d++) {
      if (keeps && body === documents[d].body) {
        asTheyWere++;
        break;
      }
      if (isRelabelled(documents[d], body, offsets)) break;
      expect(!keeps, () => `document ${d + 1} came back as ${body.slice(0, 200)}`);
    }
    expect(d < documents.length, () => `no document of the input: ${body.slice(0, 200)}`);
    d++;
  }
  expect(!keeps || asTheyWere >= badSentences, 'a bad document was changed');
}

function isRelabelled({ body, isText }, output, offsets) {
  if (!isText) return false;
  let before;
  try {
    before = JSON.parse(oracle.decode(Buffer.from(body, 'latin1')));
  } catch {
    return false;
  }
  const after = JSON.parse(oracle.decode(Buffer.from(output, 'latin1')));
  // A lone surrogate, which JSON can write as an escape, stays what it is.
  if (before?.text !== after.text) return false;
  // Spans come back in the form in which they came: lists under another key are not looked into.
  const written = after.spans ?? [];
  const hasLists = written.some((span) => Array.isArray(span));
  const spans = written.map((span) => {
    if (!Array.isArray(span)) return span;
    const [start, end, label] = span;
    return { start, end, label };
  });
  const inUnits = offsets === 'utf16' ? spans : spans.map(oracle.pointsToUnits(after.text));
  oracle.checkPlaces(after.text, inUnits, 'span');
  expect(
    spans.every(
      ({ startCodePoint, label: type }) => (startCodePoint !== undefined || hasLists) && type !== '',
    ),
    'a span without code points or label',
  );
  if (before.tokens === undefined || before.tokens === null) {
    const texts = after.tokens.map(({ text }) => text);
    oracle.checkTokens(after.text, texts);
  } else {
    expect(before.tokens.length === after.tokens.length, 'tokens were lost');
    before.tokens.forEach((token, t) => {
      expectKept(
        token,
        after.tokens[t],
        (key, value) => key === 'chunk' || (key === 'pos' && !isCell(value)),
      );
    });
  }
  expectKept(before, after, (key) => LABEL_KEYS.includes(key));
  return true;
}

/** Keys of an object are what they were, but those that may change. */
function expectKept(before, after, mayChange) {
  for (const [key, value] of Object.entries(before)) {
    if (mayChange(key, value)) continue;
    expect(
      Object.hasOwn(after, key) && JSON.stringify(after[key]) === JSON.stringify(value),
      () => `key ${JSON.stringify(key).slice(0, 80)} is not as it was`,
    );
  }
}

function isCell(value) {
  return typeof value === 'string' && value.trim() !== '';
}

function tokensIn(documents) {
  let tokens = 0;
  let spans = 0;
  for (const { body } of documents) {
    const { text, tokens: own, ...rest } = JSON.parse(oracle.decode(Buffer.from(body, 'latin1')));
    tokens += own ? own.length : splitText(text).reduce((sum, { words }) => sum + words.length, 0);
    for (const key of LABEL_KEYS) {
      const list = Object.hasOwn(rest, key) && Array.isArray(rest[key]) ? rest[key] : [];
      if (list.every((entry) => typeof entry === 'object' && entry !== null)) spans += list.length;
    }
  }
  return { tokens, spans };
}

/** Reads labelled units as a corpus; none of their tokens and spans are lost. */
function checkBuilt(format, bytes, random, { offsets, tokens: count }) {
  refusable(() => {
    const columns = ['word', 'pos', 'chunk'];
    const fill = new Pipeline([MODELS.pos]);
    const skipBad = random.below(2) > 0;
    const options = { columns, scheme: 'iob2', source: SOURCE, fill, offsets, skipBad };
    const builder = new UnitCorpusBuilder(format, options);
    for (const piece of piecesOf(bytes, random)) builder.push(piece);
    const corpus = builder.finish();
    if (builder.badUnits > 0) return refusedAt(builder.firstProblem);
    const { tokens, spans } = count();
    expect(
      corpus.cells[0].length === tokens,
      () => `${tokens} tokens in, ${corpus.cells[0].length} in the corpus`,
    );
    if (spans === undefined) return undefined;
    const beginning = corpus.alphabets[2].toArray().map((tag) => tag.startsWith('B-'));
    const found = corpus.cells[2].filter((id) => beginning[id]).length;
    return expect(found === spans, () => `${spans} spans in, ${found} in the corpus`);
  });
}

// CoNLL-U

function checkConllu(bytes, random) {
  const format = pick(random, ['conllu', 'conllu', 'conllu', 'json', 'columns', 'jsonl', 'brackets']);
  const onError = policyFor(random, format, 'conllu');
  const labelling = pick(random, [
    textPipeline(),
    new Pipeline([MODELS.odd]),
    new Pipeline([MODELS.chunker]),
  ]);
  const options = { source: SOURCE, format, onError, confidence: confidenceFor(random, format) };
  const labeller = new UnitLabeller(labelling, 'conllu', options);
  const output = pushAll(labeller, bytes, random);
  const outcome = outcomeOf(labeller);
  const { lines } = oracle.linesOf(bytes);
  if (format === 'conllu')
    checkConlluLines(lines, oracle.linesOf(output).lines, labeller, onError, labelling);
  else checkOutput(format, output, sizesOf(labeller, onError));
  checkBuilt('conllu', bytes, random, {
    tokens: () => ({ tokens: lines.filter(({ body }) => /^\d+\t/.test(body)).length }),
  });
  return outcome;
}

function checkConlluLines(input, output, { badSentences, stopped, tokens }, onError, labelling) {
  // Under skip, or where it stopped, whole sentences are missing; all else comes back line by line.
  if (onError === 'keep' || (!stopped && badSentences === 0)) {
    expect(output.length === input.length, () => `${input.length} lines in, ${output.length} out`);
  }
  let i = 0;
  let labelled = 0;
  for (const { body, ending } of output) {
    const isThat = (line) => line.ending === ending && (line.body === body || isRelabelledWord(line, body));
    const from = i;
    while (i < input.length && !isThat(input[i])) i++;
    expect(
      i < input.length && (onError === 'skip' || i === from),
      () => `no line of the input: ${JSON.stringify(body.slice(0, 200))}`,
    );
    if (/^\d+\t/.test(body) && /(?:\t|\|)chunk=/i.test(body)) labelled++;
    i++;
  }
  expect(labelled >= tokens, () => `${tokens} tokens labelled, ${labelled} in the output`);
  if (labelling.earlier.length === 0) return;
  // Parts of speech that were given stay.
  for (let l = 0; output.length === input.length && l < input.length; l++) {
    const given = input[l].body.split('\t')[4];
    const now = output[l].body.split('\t')[4];
    expect(given === now || given === '_', () => `XPOS ${given} is ${now} now`);
  }
}

/** Whether a line is that of a word with other labels. */
function isRelabelledWord({ body, isText }, output) {
  const before = body.split('\t');
  const after = output.split('\t');
  if (!isText || before.length !== 10 || after.length !== 10) return false;
  const others = (misc) => misc.split('|').filter((part) => !/^chunk(?:=|$)/i.test(part) && part !== '_');
  return (
    before.every((cell, c) => c === 4 || c === 9 || cell === after[c]) &&
    others(before[9]).join('|') === others(after[9]).join('|')
  );
}

// Templates

function damagedTemplates(random) {
  if (random.below(2) > 0) return mutate(random, samples.TEMPLATES);
  const views = [
    'word',
    'pos',
    'word.lower',
    'word.shape',
    'pos.prefix2',
    'word.type',
    'label',
    'chunk',
    'word.suffix11',
  ];
  const own = () => {
    const view = pick(random, views.concat(`word.test(${JSON.stringify(nasty(random).slice(0, 200))})`));
    return `${view}[${pick(random, [0, 0, -1, 1, -2, 2, 8, 9, '+1', '-0', '007'])}]`;
  };
  const foreign = () => {
    const column = pick(random, [0, 1, 1, 2, 99]);
    const regex = pick(random, ['^.?.?', '\\u\\d*', '*', '[', '$$', '\\', nasty(random).slice(0, 200)]);
    return pick(random, [
      `%x[${random.below(5) - 2},${column}]`,
      `%m[0,${column},"${regex}"]`,
      `%T[0,0,"${regex}"]`,
    ]);
  };
  const isForeign = random.below(2) > 0;
  const lines = Array.from({ length: 1 + random.below(6) }, (_, i) => {
    const nodes = Array.from({ length: 1 + random.below(3) }, isForeign ? foreign : own);
    return isForeign ? `${pick(random, ['U', 'B', '*', 'u'])}${i}:${nodes.join('/')}` : nodes.join(' ');
  });
  return encode(lines.join('\n'));
}

function checkTemplates(bytes) {
  const columns = ['word', 'pos'];
  return refusable(async () => {
    const templates = readTemplates(oracle.decode(bytes), SOURCE, columns);
    const configuration = configure({ task: 'chunking', templates, options: TINY });
    const written = formatTemplates(templates);
    expect(
      formatTemplates(readTemplates(written, SOURCE, columns)) === written,
      'written and read it is another set',
    );
    const corpus = readColumns(samples.COLUMNS[0], { columns: ['word', 'pos', 'chunk'] });
    const model = await train(corpus, configuration);
    expect(label(loadModel(saveModel(model))) === label(model), 'labels differ once the model is read again');
  }, /^input(?::\d+|: )|^--templates: /);
}

// Configurations

function damagedConfiguration(random) {
  return encode(JSON.stringify(mutateJson(random, pick(random, samples.CONFIGURATIONS), ALL_VALUES)));
}

function checkConfiguration(bytes) {
  let given;
  try {
    given = revive(JSON.parse(oracle.decode(bytes)));
  } catch {
    return 'refused';
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'refused';
  return refusable(async () => {
    const configuration = configure(given);
    expect(Number.isSafeInteger(configuration.cutOff) && configuration.cutOff > 0, 'a cut-off that is none');
    expect(Number.isSafeInteger(configuration.seed), 'a seed that is none');
    const { columns, options } = configuration;
    const numbers = Object.values(options).filter((value) => typeof value === 'number');
    expect(numbers.every(Number.isFinite), 'an option that is no number');
    const named = columns.map((_, c) => (c === 0 ? 'w' : c === columns.length - 1 ? 'B-NP' : `${c}`));
    const corpus = readColumns(`${named.join(' ')}\n`.repeat(3), { columns });
    const slow = Object.hasOwn(options, 'epochs') ? { epochs: Math.min(options.epochs, 20) } : {};
    const beam = options.beam > 1000 ? { beam: 1000 } : {};
    const model = await train(corpus, {
      ...configuration,
      cutOff: 1,
      options: { ...options, ...slow, ...beam },
    });
    expect(label(loadModel(saveModel(model))) === label(model), 'labels differ once the model is read again');
  }, /--[a-zA-Z]|^unknown option "|^(?:options|templates|given): expected /);
}

// Model files

function damagedModel(random) {
  if (random.below(4) === 0) return mutate(random, samples.MODEL_FILES);
  const bytes = pick(random, samples.MODEL_FILES);
  if (random.below(4) === 0) return withChecksum(mutate(random, [bytes]));
  // The container stays well-formed: what is in it does not.
  const { tensors, metadata } = readSafetensors(bytes, SOURCE);
  const { checksum: _, ...entries } = metadata;
  for (let rounds = 1 + random.below(2); rounds > 0; rounds--) {
    const what = random.below(5);
    if (what < 2) damageTensor(random, tensors);
    else if (what === 2) {
      const key = pick(random, Object.keys(entries));
      if (random.below(3) === 0) delete entries[key];
      else
        entries[key] = pick(random, [
          '',
          '0',
          '-1',
          '1e9',
          'NaN',
          'null',
          '{}',
          '[]',
          nasty(random).slice(0, 5000),
        ]);
    } else {
      const key = pick(random, [
        'configuration',
        'configuration',
        'tagSet',
        'training',
        'problems',
        'scores',
        'weightStep',
        'dev',
      ]);
      const value = parsed(entries[key] ?? '0');
      if (value !== undefined) entries[key] = JSON.stringify(mutateJson(random, value)) ?? 'null';
    }
  }
  return writeSafetensors(tensors, entries);
}

function damageTensor(random, tensors) {
  const name = pick(random, Object.keys(tensors));
  const { data, shape } = tensors[name];
  const changed = data.slice();
  const i = random.below(Math.max(1, changed.length));
  const what = random.below(10);
  if (what === 0) delete tensors[name];
  else if (what === 1) {
    const length = pick(random, [0, 1, i, Math.max(0, data.length - 1)]);
    tensors[name] = { data: data.slice(0, length), shape: [length] };
  } else if (what === 2) tensors[name] = { data, shape: [...shape, 1] };
  else if (what === 3) {
    const type = pick(random, [Uint8Array, Uint16Array, Uint32Array, Float32Array, Int8Array]);
    tensors[name] = { data: type.from(data), shape };
  } else {
    changed[i] = pick(random, [0, 1, 2, 127, 255, 256, 65535, 4294967295, -1, NaN, Infinity, 1e38]);
    if (what === 4) changed[random.below(Math.max(1, changed.length))] = changed[0];
    // Orders and counts that kernels may take for granted.
    const end = i + random.below(Math.max(1, changed.length - i)) + 1;
    if (what === 6) changed.subarray(i, end).reverse();
    else if (what === 7) changed.fill(changed[0], i, end);
    else if (what === 8 && i > 0) [changed[i - 1], changed[i]] = [data[i], data[i - 1]];
    else if (what === 9 && i > 0) changed.set([data[i - 1] + 1, data[i] - 1], i - 1);
    tensors[name] = { data: changed, shape };
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** What is wrong is told in our words, not in those of the engine. */
const OF_MODELS =
  /^input: (?!.*(?:found undefined|undefined is not|\[object|is not a function|is not iterable|Cannot read|destructure|Invalid array))/s;

function checkModel(bytes) {
  let model;
  const outcome = refusable(
    () => {
      model = loadModel(bytes, SOURCE);
    },
    OF_MODELS,
    ModelFileError,
  );
  if (model === undefined) return outcome;
  const said = label(model, 'plain');
  expect(label(model, 'simd') === said, 'labels differ with the other kernels');
  const saved = saveModel(model);
  const again = loadModel(saved, SOURCE);
  expect(label(again) === said, 'labels differ once the model is saved and read again');
  expect(Buffer.compare(saveModel(again), saved) === 0, 'saved again it is another file');
  return outcome;
}

// Scoring

function checkPredicted(bytes, random) {
  const separator = pick(random, ['blanks', 'tab']);
  const scheme = pick(random, [undefined, 'iob1', 'iob2', 'ioe1', 'ioe2', 'iobes', 'token']);
  const { sentences } = oracle.columnSentences(bytes, separator, [-2, -1]);
  const tokens = sentences.reduce((sum, sentence) => sum + sentence.tokens.length, 0);
  return refusable(() => {
    const scorer = new PredictedFileScorer(SOURCE, { separator, scheme });
    for (const piece of piecesOf(bytes, random)) scorer.push(piece);
    const scores = scorer.finish();
    expect(scores.tokens === tokens, () => `${tokens} tokens in, ${scores.tokens} scored`);
    expect(
      sentences.every(({ isGood }) => isGood),
      'scored what cannot be read',
    );
    const equal = sentences.flatMap((sentence) =>
      sentence.tokens.filter((cells) => cells.at(-1) === cells.at(-2)),
    );
    const accuracy = (100 * equal.length) / tokens;
    expect(Math.abs(scores.accuracy - accuracy) < 1e-9, () => `accuracy ${scores.accuracy}, not ${accuracy}`);
    expect(
      scores.precision >= 0 && scores.precision <= 100 && scores.f1 >= 0 && scores.f1 <= 100,
      'a score that is none',
    );
  });
}

// The program itself

const CALLS = {
  config: {
    bytes: (random) => encode(JSON.stringify(mutateJson(random, CONFIG))),
    args: ['train', '--config', 'FILE'],
  },
  'config bytes': {
    bytes: (random) => mutate(random, [encode(JSON.stringify(CONFIG, null, 1))]),
    args: ['train', '--config', 'FILE'],
  },
  templates: {
    bytes: damagedTemplates,
    args: [
      'train',
      '--task',
      'chunking',
      '--train',
      'DATA',
      '--model',
      'OUT',
      '--cut-off',
      '1',
      '--templates',
      'FILE',
    ],
  },
  data: {
    bytes: (random) => mutate(random, samples.COLUMNS),
    args: ['train', '--task', 'chunking', '--train', 'FILE', '--model', 'OUT', '--cut-off', '1'],
  },
  label: { bytes: (random) => mutate(random, samples.COLUMNS), args: ['label', '--model', 'MODEL', 'FILE'] },
  'label in threads': {
    bytes: (random) => mutate(random, samples.COLUMNS),
    args: ['label', '--model', 'MODEL', '--threads', '2', '--on-error', 'keep', 'FILE'],
  },
  text: {
    bytes: (random) => mutate(random, samples.TEXTS),
    args: ['label', '--text', '--model', 'POS', 'FILE'],
  },
  jsonl: {
    bytes: damagedDocuments,
    args: ['label', '--model', 'POS', '--input-format', 'jsonl', '--on-error', 'skip', 'FILE'],
  },
  conllu: {
    bytes: (random) => mutate(random, samples.CONLLU),
    args: ['evaluate', '--model', 'MODEL', '--input-format', 'conllu', 'FILE'],
  },
  evaluate: { bytes: (random) => mutate(random, samples.PREDICTED), args: ['evaluate', 'FILE'] },
  convert: {
    bytes: (random) => mutate(random, samples.COLUMNS),
    args: ['convert', '--from', 'iob2', '--to', 'iobes', 'FILE'],
  },
  model: { bytes: damagedModel, args: ['inspect', '--model', 'FILE'] },
};
const CONFIG = {
  task: 'chunking',
  train: 'DATA',
  model: 'OUT',
  'cut-off': 1,
  epochs: 2,
  C: 0.5,
  json: true,
  seed: 4,
};

/** The name of a call, a NUL byte and its file. */
function damagedCall(random) {
  const name = pick(random, Object.keys(CALLS));
  return concat([encode(`${name}\0`), CALLS[name].bytes(random)]);
}

function checkCall(input) {
  const end = input.indexOf(0);
  const name = latin1(input.subarray(0, Math.max(0, end)));
  if (!Object.hasOwn(CALLS, name)) return 'refused';
  // No damaged configuration may make a file outside of the folder of the case.
  const model = name.startsWith('config') ? parsed(latin1(input.subarray(end + 1)))?.model : undefined;
  if (typeof model === 'string' && /^\/|\.\./.test(model)) return 'refused';
  const folder = mkdtempSync(join(tmpdir(), 'spanwright-fuzz-cli-'));
  try {
    const paths = Object.fromEntries(
      ['FILE', 'DATA', 'OUT', 'MODEL', 'POS'].map((file) => [file, join(folder, file)]),
    );
    writeFileSync(paths.FILE, input.subarray(end + 1));
    writeFileSync(paths.DATA, samples.COLUMNS[0]);
    writeFileSync(paths.MODEL, samples.MODEL_FILES[1]);
    writeFileSync(paths.POS, samples.MODEL_FILES[0]);
    const args = CALLS[name].args.map((argument) => paths[argument] ?? argument);
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [MAIN, ...args], {
      cwd: folder,
      timeout: 15_000,
      maxBuffer: 1 << 28,
    });
    expect(error === undefined, () => `spanwright ${name}: ${error.message}`);
    const message = stderr.toString();
    expect(
      status === 0 || status === 2,
      () => `spanwright ${name}: exit code ${status}: ${message.slice(0, 500)}`,
    );
    if (status === 0) {
      if (args[0] === 'train') label(loadModel(readFileSync(modelOf(folder, paths.FILE, name)), SOURCE));
      return 'accepted';
    }
    expect(
      stdout.length === 0 || args[0] === 'label' || args[0] === 'convert',
      'output in spite of a refusal',
    );
    expect(
      /^spanwright: [^\n]*\n$/.test(message),
      () => `more or less than a line: ${JSON.stringify(message.slice(0, 500))}`,
    );
    oracle.checkMessage(
      message.trimEnd().replaceAll(folder, ''),
      /\/FILE(?::\d+| \(byte \d+\)|: )|--[a-z]|unknown option|cannot be (?:read|written)/,
    );
    return 'refused';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where a run of training wrote its model: a configuration may say something else than `OUT`. */
function modelOf(folder, file, name) {
  if (!name.startsWith('config')) return join(folder, 'OUT');
  return join(folder, String(parsed(oracle.decode(readFileSync(file)).replace(/^\ufeff/, '')).model));
}
