import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { readColumns } from '../../src/data/corpus.js';
import type { UnitFormat } from '../../src/data/formats/input-formats.js';
import type { LabelFormat } from '../../src/label/formats.js';
import { UnitLabeller } from '../../src/label/label-units.js';
import type { LabelOptions } from '../../src/label/labeller.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { Tagger } from '../../src/tag/tagger.js';
import { configure } from '../../src/tasks/configure.js';
import type { OffsetUnit } from '../../src/text/code-points.js';
import { train } from '../../src/train/train.js';
import { columnFile, TRAINING, trainTiny } from '../model/tiny.js';

let posTagger: Tagger;
let chunker: Tagger;
let pipeline: Pipeline;

beforeAll(async () => {
  const corpus = readColumns(columnFile(TRAINING), { columns: ['word', 'pos'] });
  posTagger = new Tagger(await train(corpus, configure({ task: 'pos', options: { 'cut-off': 1 } })));
  chunker = new Tagger(await trainTiny());
  pipeline = new Pipeline([posTagger, chunker]);
});

interface Run extends Partial<LabelOptions> {
  readonly offsets?: OffsetUnit;
  readonly stages?: Pipeline;
}

/** Labels chunks of bytes, by default into the format they are in. */
function run(format: UnitFormat, chunks: readonly Uint8Array[], { offsets, stages, ...options }: Run = {}) {
  const labeller = new UnitLabeller(
    stages ?? pipeline,
    format,
    {
      source: 'f',
      format: format === 'text' || format === 'trees' ? 'brackets' : format,
      confidence: false,
      onError: 'stop',
      ...options,
    },
    offsets,
  );
  const parts = [...chunks.map((chunk) => labeller.push(chunk).slice()), labeller.finish().slice()];
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const { sentences, tokens, badSentences, firstProblem, stopped } = labeller;
  return {
    bytes,
    counts: { sentences, tokens, badSentences },
    firstProblem: firstProblem?.message,
    stopped: stopped?.message,
  };
}

/** As {@link run}, from one text to another. */
function label(format: UnitFormat, input: string, options: Run = {}) {
  const { bytes, ...others } = run(format, [encodeUtf8(input)], options);
  return { output: decodeUtf8(bytes), ...others };
}

const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const row = (id: string, form: string, xpos = '_', misc = '_') =>
  `${id}\t${form}\tlem ma\tX\t${xpos}\tF=1\t0\troot\t_\t${misc}`;

const OUTPUTS: readonly LabelFormat[] = ['columns', 'brackets', 'json', 'jsonl', 'conllu'];

/** Parts of an input that can follow each other in any order, good and bad ones. */
const PARTS = {
  text: ['The dog barks. ', 'She was seen', '\n\n', '“It” 犬 🦊\r\n', ' ', 'häufige Straße!\n'],
  jsonl: [
    '{"text":"The 犬 barks. 🦊 She was seen."}\n',
    '{"text":"it","tokens":[{"start":0,"end":2,"pos":"PRP"}],"id":"ä"}\r\n',
    '\n',
    'no JSON ö\n',
    '{"text":"it","spans":[{"start":0,"end":1,"label":"X"}]}\n',
    '{"text":""}\n',
  ],
  conllu: [
    `# sent_id = ä\n${row('1', 'The', 'DT')}\n${row('2', '犬', 'NN')}\n\n`,
    `${row('1-2', 'x')}\r\n${row('1', 'it')}\r\n${row('2', '🦊')}\r\n${row('2.1', 'e')}\r\n\r\n`,
    `${row('7', 'bad ö')}\n\n`,
  ],
} as const satisfies Partial<Record<UnitFormat, readonly string[]>>;

describe('UnitLabeller, with spans that are there already', () => {
  const text = 'The dog barks at Yahoo! Inc today. She was seen.';

  it('says the same, whatever they are', () => {
    const found = (document: object) => jsonLines(label('jsonl', JSON.stringify(document)).output)[0].spans;
    const expected = found({ text });
    const offset = fc.integer({ min: -2, max: text.length + 2 });
    const span = fc.record({ start: offset, end: offset, label: fc.constantFrom('NP', 'a b', '') });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(span, fc.constant(null), fc.constant('x')), { maxLength: 5 }),
        (spans) => {
          expect(found({ text, spans })).toEqual(expected);
          expect(found({ text, spans: spans.length })).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('UnitLabeller, however the bytes are cut', () => {
  it.each(['text', 'jsonl', 'conllu'] as const)('%s: says the same', (format) => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PARTS[format]), { maxLength: 8 }),
        fc.constantFrom(...OUTPUTS),
        fc.constantFrom('stop' as const, 'skip' as const, 'keep' as const),
        fc.array(fc.nat({ max: 400 }), { maxLength: 6 }),
        (parts, output, onError, cuts) => {
          const bytes = encodeUtf8(parts.join(''));
          const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = ends.map((end, i) => bytes.slice(i === 0 ? 0 : ends[i - 1], end));
          const hasPlace = output === format || output === 'json' || output === 'brackets';
          const policy = format === 'text' ? 'stop' : onError === 'keep' && !hasPlace ? 'skip' : onError;
          const options = { format: output, onError: policy };
          expect(run(format, chunks, options)).toEqual(run(format, [bytes], options));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(['jsonl', 'conllu'] as const)('%s: a byte at a time', (format) => {
    const bytes = encodeUtf8(PARTS[format].join(''));
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    const whole = run(format, [bytes], { onError: 'keep' });
    expect(run(format, single, { onError: 'keep' })).toEqual(whole);
    expect(whole.counts.badSentences).toBeGreaterThan(0);
  });

  it.each(['jsonl', 'conllu'] as const)('%s: more units than one batch holds', (format) => {
    const parts = PARTS[format].filter((part) => part !== '\n');
    const input = Array.from({ length: 600 }, (_, i) => parts[i % parts.length]);
    const alone = parts.map((part) => label(format, part, { onError: 'keep' }).output);
    const { output, counts } = label(format, input.join(''), { onError: 'keep' });
    expect(output).toBe(input.map((_, i) => alone[i % parts.length]).join(''));
    const bad = parts.filter((part) => label(format, part, { onError: 'skip' }).counts.badSentences > 0);
    expect(counts.badSentences).toBe((600 / parts.length) * bad.length);
  });
});

describe('UnitLabeller, raw text', () => {
  const text = 'The dog barks. 🦊 She was seen.\n\n“It” eats';

  it('labels sentence by sentence as the pipeline does', () => {
    const expected = pipeline.label(text);
    const { output, counts } = label('text', text, { format: 'json' });
    const found = jsonLines(output);
    expect(counts).toEqual({
      sentences: expected.sentences.length,
      tokens: expected.tokens.length,
      badSentences: 0,
    });
    expect(found.map((one) => one.text)).toEqual(expected.sentences.map((one) => one.text));
    const bare = ({ confidence: _, ...token }: { confidence?: number | undefined }) => token;
    const tokens = expected.tokens.map(({ columns, ...token }) => ({ ...bare(token), ...columns }));
    expect(found.flatMap((one) => one.tokens)).toEqual(tokens);
    expect(found.flatMap((one) => one.chunks).map(({ start, end, type }) => [start, end, type])).toEqual(
      expected.chunks.map(({ start, end, type }) => [start, end, type]),
    );
  });

  it.each([
    ['brackets', /\n/g],
    ['columns', /\n\n/g],
    ['jsonl', /\n/g],
    ['conllu', /\n\n/g],
  ] as const)('writes as many sentences as there are: %s', (format, end) => {
    const { output, counts } = label('text', text, { format });
    expect(counts.sentences).toBe(3);
    expect(output.match(end)).toHaveLength(3);
    expect(output.endsWith('\n')).toBe(true);
  });

  it('is labelled the same when its JSONL and CoNLL-U are labelled again', () => {
    for (const format of ['jsonl', 'conllu'] as const) {
      const first = label('text', text, { format });
      const again = label(format, first.output);
      expect(again).toEqual(first);
    }
  });

  it('goes to a writer of one’s own', () => {
    const { output } = label('text', text, {
      format: ({ sentence, tags }) => `${sentence.text}|${tags.length};`,
    });
    expect(output).toBe('The dog barks.|4;🦊 She was seen.|5;“It” eats|4;');
  });

  it('is refused by models that read more than it has', () => {
    const { stopped, output } = label('text', 'It eats.', { stages: new Pipeline([chunker]) });
    expect(stopped).toContain('expected the column pos, which this text sentence does not have');
    expect(output).toBe('');
  });
});

describe('UnitLabeller, JSONL to JSONL', () => {
  const documents = [
    { id: 7, text: 'The dog barks. 🦊 She was seen.', meta: { a: [1, null, 'é'] } },
    { text: '' },
    { text: ' it\n', spans: [{ start: 1, end: 3, label: 'OLD' }], labels: 'kept' },
    { text: 'it eats', label: [[0, 2, 'OLD']], z: '', a: 0 },
  ];
  const input = documents.map((document) => JSON.stringify(document)).join('\n');

  it('keeps documents and their other keys in order, and replaces the labels', () => {
    const { output, counts } = label('jsonl', input);
    const found = jsonLines(output);
    expect(found).toHaveLength(documents.length);
    expect(counts).toEqual({ sentences: 4, tokens: 12, badSentences: 0 });
    found.forEach(({ tokens, spans, ...others }, d) => {
      const { spans: _spans, label: old, ...rest } = documents[d];
      const { label: lists, ...kept } = others;
      expect(kept).toEqual(rest);
      expect(lists === undefined).toBe(old === undefined);
      const keys = Object.keys(rest).filter((key) => key !== 'text');
      expect(Object.keys(kept).filter((key) => key !== 'text')).toEqual(keys);
      const expected = pipeline.label(documents[d].text);
      expect(tokens).toEqual(
        expected.tokens.map(({ columns, tag: _, confidence: __, ...place }, id) => ({
          ...place,
          id,
          ...columns,
        })),
      );
      const objects = expected.chunks.map(({ text: _, type, confidence: __, ...place }) => ({
        ...place,
        label: type,
      }));
      if (lists) expect(lists).toEqual(objects.map(({ start, end, label: type }) => [start, end, type]));
      else expect(spans).toEqual(objects);
    });
    expect(output).not.toContain('OLD');
  });

  it('is stable once its documents have tokens', () => {
    const second = label('jsonl', label('jsonl', input).output);
    expect(label('jsonl', second.output)).toEqual(second);
    expect(jsonLines(second.output).map(({ text }) => text)).toEqual(documents.map(({ text }) => text));
  });

  it('keeps tokens and parts of speech that are given', () => {
    const tokens = [
      { start: 0, end: 5, pos: 'DT' },
      { start: 5, end: 8, pos: 'NN' },
    ];
    const { output } = label('jsonl', JSON.stringify({ text: 'Thedogxx barks', tokens }));
    const [found] = jsonLines(output);
    expect(found.tokens).toEqual(tokens);
    const { spans } = chunker.label({ word: ['Thedo', 'gxx'], pos: ['DT', 'NN'] });
    expect(found.spans.map((span: { label: string }) => span.label)).toEqual(spans.map(({ type }) => type));
  });

  it('reads offsets as told', () => {
    const line = '{"text":"🦊 it","tokens":[{"start":2,"end":4,"text":"it","pos":"PRP"}]}\n';
    const [found] = jsonLines(label('jsonl', line, { offsets: 'code-points' }).output);
    expect(found.tokens).toEqual([{ text: 'it', start: 2, end: 4, pos: 'PRP' }]);
    expect(found.spans[0]).toMatchObject({ start: 2, end: 4, startCodePoint: 2, endCodePoint: 4 });
    expect(label('jsonl', line).stopped).toBe('f:1: token 2–4: says "it", but the text has " i"');
  });

  it('rates spans if asked to, with four digits', () => {
    const [found] = jsonLines(label('jsonl', '{"text":"The dog barks."}', { confidence: true }).output);
    const { chunks } = pipeline.label('The dog barks.');
    expect(found.spans.map(({ confidence }: { confidence: number }) => confidence)).toEqual(
      chunks.map(({ confidence }) => Math.round((confidence as number) * 10000) / 10000),
    );
    expect(label('jsonl', '{"text":"The dog barks."}').output).not.toContain('confidence');
  });

  it('keeps the characters of what no model filled, byte order mark, line ends and blank lines among it', () => {
    const line =
      '\ufeff{ "text":"it", "n":12345678901234567890, "x":1.0,"tokens":[{"start":0,"end":2,"pos":"P P","ws":true}]}';
    const expected =
      '\ufeff{"text":"it","n":12345678901234567890,"x":1.0,"tokens":[{"start":0,"end":2,"pos":"P P","ws":true}],"spans":[';
    const { output } = label('jsonl', `${line}\r\n\n`);
    expect(output.startsWith(expected)).toBe(true);
    expect(output.endsWith(']}\r\n\n')).toBe(true);
  });

  it('keeps spans where it labels tokens', () => {
    const line =
      '{"text":"it","tokens":[{"start":0,"end":2}],"spans":[{"start":0,"end":2,"label":"X","by":"me"}]}\n';
    const { tags } = posTagger.label({ word: ['it'] });
    const { output } = label('jsonl', line, { stages: new Pipeline([posTagger]) });
    expect(output).toBe(line.replace('"end":2}]', `"end":2,"pos":"${tags[0]}"}]`));
  });

  it('leaves no old tags beside new spans', () => {
    const line = '{"text":"it","tokens":[{"start":0,"end":2,"pos":"PRP","chunk":"B-OLD"}]}';
    const [found] = jsonLines(label('jsonl', line).output);
    expect(found.tokens[0].chunk).toBe(`B-${found.spans[0].label}`);
  });
});

describe('UnitLabeller, CoNLL-U to CoNLL-U', () => {
  const word = fc.constantFrom('The', 'dog', '犬', '🦊', '_', 'barks', 'New York');
  const old = fc.constantFrom('', 'SpaceAfter=No|', 'Gloss=a\\pb|');
  const token = fc.record({
    word,
    old,
    extra: fc.constantFrom('', '-', '.'),
    chunk: fc.constantFrom('O', 'B-X'),
  });
  const sentence = fc.record({
    comments: fc.constantFrom('', '# text = a\n', '#\n# ä = 1\t2\n', '\n'),
    tokens: fc.array(token, { minLength: 1, maxLength: 5 }),
    ending: fc.constantFrom('\n', '\r\n'),
  });

  it('keeps everything but the labels, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.boolean(), (sentences, isCut) => {
        let input = '';
        let expected = '';
        for (const { comments, tokens, ending } of sentences) {
          const cells = {
            word: tokens.map((one) => one.word.replace(' ', '_')),
            pos: tokens.map(() => 'NN'),
          };
          const { tags } = chunker.label(cells);
          input += comments;
          expected += comments;
          tokens.forEach((one, t) => {
            const other = one.extra && `${row(`${t + 1}${one.extra}${t + 2}`, 'x', 'X', 'Chunk=R')}${ending}`;
            const line = (tag: string) =>
              `${other}${row(String(t + 1), one.word, 'NN', `${one.old}Chunk=${tag}|Z=1`)}${ending}`;
            input += line(one.chunk);
            expected += line(tags[t]);
          });
          input += ending;
          expected += ending;
        }
        if (isCut) [input, expected] = [input, expected].map((text) => text.replace(/(\r?\n)+$/, ''));
        const { output, counts } = label('conllu', input);
        expect(output).toBe(expected);
        expect(counts.sentences).toBe(sentences.length);
        expect(counts.tokens).toBe(sentences.reduce((sum, { tokens }) => sum + tokens.length, 0));
      }),
      { numRuns: 60 },
    );
  });

  it('fills parts of speech where words lack one, and leaves those that are given', () => {
    const input = `${row('1', 'the', 'XX')}\n${row('2', 'dog')}\n\n${row('1', 'dog', 'XX')}\n\n`;
    const second = posTagger.label({ word: ['the', 'dog'] }).tags[1];
    const [first, last] = [
      chunker.label({ word: ['the', 'dog'], pos: ['XX', second] }).tags,
      chunker.label({ word: ['dog'], pos: ['XX'] }).tags,
    ];
    expect(label('conllu', input).output).toBe(
      `${row('1', 'the', 'XX', `Chunk=${first[0]}`)}\n${row('2', 'dog', second, `Chunk=${first[1]}`)}\n\n` +
        `${row('1', 'dog', 'XX', `Chunk=${last[0]}`)}\n\n`,
    );
  });

  it('keeps cells that no model filled, byte order mark and what follows the last sentence', () => {
    const cells = `1\tit\tlem ma\tP P\tP P\t_\t_\t_\t_`;
    const input = `\ufeff${cells}\tChunk=X|A=b|chunk=Y\n\n\n# end\n\n`;
    const { tags } = chunker.label({ word: ['it'], pos: ['P_P'] });
    const { output, counts } = label('conllu', input);
    expect(output).toBe(`\ufeff${cells}\tChunk=${tags[0]}|A=b\n\n\n# end\n\n`);
    expect(counts).toEqual({ sentences: 1, tokens: 1, badSentences: 0 });
    expect(jsonLines(label('conllu', input, { format: 'json' }).output)).toHaveLength(1);
  });

  it('spaces words in other formats as SpaceAfter says', () => {
    const input = `${row('1', 'it', 'PRP', 'SpaceAfter=No')}\n${row('2', '.', '.')}\n${row('3', 'a', 'DT')}\n\n`;
    const [found] = jsonLines(label('conllu', input, { format: 'jsonl' }).output);
    expect(found.text).toBe('it. a');
    expect(found.tokens.map(({ start, end }: { start: number; end: number }) => [start, end])).toEqual([
      [0, 2],
      [2, 3],
      [4, 5],
    ]);
  });

  it('is labelled with labels of tokens too', () => {
    const { output } = label('conllu', `${row('1', 'the')}\n\n`, { stages: new Pipeline([posTagger]) });
    expect(output).toBe(`${row('1', 'the', posTagger.label({ word: ['the'] }).tags[0])}\n\n`);
  });
});

describe('UnitLabeller, what cannot be read', () => {
  const good = '{"text":"it"}\n';
  const done = label.bind(undefined, 'jsonl');
  const first = () => done(good).output;

  it('stops it: what was before is labelled, and nothing comes after', () => {
    const labeller = new UnitLabeller(pipeline, 'jsonl', {
      ...{ source: 'f', format: 'jsonl', confidence: false, onError: 'stop' },
    });
    expect(decodeUtf8(labeller.push(encodeUtf8(`${good}[]\n${good}`)))).toBe(first());
    expect(labeller.stopped?.message).toBe('f:2: expected a JSON object, found "[]"');
    expect(labeller.push(encodeUtf8(good))).toHaveLength(0);
    expect(labeller.finish()).toHaveLength(0);
    expect(labeller).toMatchObject({ sentences: 1, badSentences: 0, firstProblem: undefined });
  });

  it('is skipped, and counted', () => {
    expect(done(`${good}[]\n${good}{}\n`, { onError: 'skip' })).toEqual({
      output: first() + first(),
      counts: { sentences: 2, tokens: 2, badSentences: 2 },
      firstProblem: 'f:2: expected a JSON object, found "[]"',
      stopped: undefined,
    });
  });

  it('is kept as it is, line end and all', () => {
    const spans = '{"text":"it","tokens":[{"start":0,"end":3}]}';
    expect(done(`[ 1]\r\n${good}${spans}`, { onError: 'keep' })).toMatchObject({
      output: `[ 1]\r\n${first()}${spans}`,
      counts: { sentences: 1, badSentences: 2 },
    });
    const bad = `# c\r\n${row('1-2', 'x')}\r\n${row('2', 'y')}\r\n\r\n`;
    const sentence = `${row('1', 'it', 'PRP')}\n\n`;
    const kept = label('conllu', bad + sentence + bad, { onError: 'keep' });
    expect(kept.output).toBe(bad + label('conllu', sentence).output + bad);
    expect(kept.firstProblem).toBe('f:3: expected the id 1, a range or an empty node, found "2"');
  });

  it('is kept as bytes where it is no text', () => {
    const bytes = Uint8Array.of(0xff, 0x41, 13, 10, ...encodeUtf8(good));
    const { bytes: found, firstProblem } = run('jsonl', [bytes], { onError: 'keep' });
    expect([...found.subarray(0, 4)]).toEqual([0xff, 0x41, 13, 10]);
    expect(decodeUtf8(found.subarray(4))).toBe(first());
    expect(firstProblem).toContain('f:1 (byte 0): expected UTF-8 text, found the invalid byte 0xff');
  });

  it('is named in JSON', () => {
    const { output } = done(`{"text": 5}\n${good}`, { onError: 'keep', format: 'json' });
    const [problem, sentence] = jsonLines(output);
    expect(problem).toEqual({ error: 'f:1: expected a string "text", found 5', input: '{"text": 5}' });
    expect(sentence.text).toBe('it');
  });

  it('does not stop raw text before the sentences ahead of it', () => {
    const bytes = Uint8Array.of(...encodeUtf8('It eats\n'), 0xff, 10, ...encodeUtf8('She'));
    const { bytes: output, stopped, counts } = run('text', [bytes]);
    expect(decodeUtf8(output)).toBe(label('text', 'It eats').output);
    expect(stopped).toContain('f:2 (byte 8): expected UTF-8 text');
    expect(counts.sentences).toBe(1);
  });

  it('is not kept where the output has no place for it, nor left out of raw text', () => {
    for (const [input, format] of [
      ['jsonl', 'conllu'],
      ['conllu', 'columns'],
      ['conllu', 'jsonl'],
    ] as const) {
      expect(() => label(input, '', { format, onError: 'keep' })).toThrow(
        `--on-error keep: ${format} has no place for what cannot be read; expected skip or stop, or the format ` +
          `${input}, brackets, json or spans-jsonl`,
      );
    }
    expect(() => label('text', '', { onError: 'skip' })).toThrow('--on-error: raw text has no sentences');
  });

  it('may be a column that is missing: stop, skip and keep', () => {
    const stages = new Pipeline([chunker]);
    const lacking = `# c\n${row('1', 'it', 'PRP')}\n${row('2', 'eats')}\n\n`;
    const sentence = `${row('1', 'it', 'PRP')}\n\n`;
    const labelled = label('conllu', sentence, { stages }).output;
    const message =
      'f:6: expected the column pos, which this conllu sentence does not have for every token; ' +
      '--pos-model FILE fills in parts of speech';
    const input = `${sentence}# d\n\n${lacking}${sentence}`;
    const stopped = label('conllu', input, { stages });
    expect(stopped).toMatchObject({ output: labelled, stopped: message });
    const skipped = label('conllu', input, { stages, onError: 'skip' });
    expect(skipped).toMatchObject({ output: labelled + labelled, firstProblem: message });
    const kept = label('conllu', input, { stages, onError: 'keep' });
    expect(kept.output).toBe(`${labelled}# d\n\n${lacking}${labelled}`);
    expect(kept.counts).toEqual({ sentences: 2, tokens: 2, badSentences: 1 });
  });
});
