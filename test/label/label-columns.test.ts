import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/errors.js';
import { decodeUtf8, encodeUtf8 } from '../../src/base/utf8.js';
import { ColumnLabeller } from '../../src/label/label-columns.js';
import type { LabelOptions } from '../../src/label/labeller.js';
import { Tagger } from '../../src/tag/tagger.js';
import { SCHEMES } from '../../src/tags/scheme.js';
import { columnFile, makeSentences, TRAINING, trainTiny } from '../model/tiny.js';

let tagger: Tagger;

beforeAll(async () => {
  tagger = new Tagger(await trainTiny());
});

const DEFAULTS: LabelOptions = { source: 'f', format: 'columns', confidence: false, onError: 'stop' };

function label(input: string | readonly Uint8Array[], options: Partial<LabelOptions> = {}, by = tagger) {
  const labeller = new ColumnLabeller(by, { ...DEFAULTS, ...options });
  let output = '';
  for (const chunk of typeof input === 'string' ? [encodeUtf8(input)] : input) {
    output += decodeUtf8(labeller.push(chunk));
  }
  output += decodeUtf8(labeller.finish());
  return { output, labeller };
}

describe('ColumnLabeller, columns', () => {
  it('adds the tags of the tagger, and counts', () => {
    const sentences = makeSentences(10, 4);
    const { output, labeller } = label(columnFile(sentences));
    expect(output).toBe(
      columnFile(sentences, ({ columns, spans }) => {
        const gold = SCHEMES.iob2.encode(spans, columns.word.length);
        return tagger.label(columns).tags.map((tag, t) => `${gold[t]} ${tag}`);
      }),
    );
    expect(labeller).toMatchObject({
      sentences: 10,
      tokens: sentences.reduce((sum, { columns }) => sum + columns.word.length, 0),
      badSentences: 0,
      firstProblem: undefined,
    });
  });

  it('labels more sentences, and longer ones, than it takes at a time', () => {
    const sentences = makeSentences(2000, 7);
    const words = sentences.flatMap(({ columns }) => columns.word);
    const pos = sentences.flatMap(({ columns }) => columns.pos);
    const long = { columns: { word: words, pos }, spans: [] };
    expect(words.length).toBeGreaterThan(5000);
    const all = [...sentences, long, ...sentences.slice(0, 3), long];
    const lines = columnFile(all, ({ columns }) => tagger.label(columns).tags);
    const bytes = encodeUtf8(lines.replace(/ \S+$/gm, ''));
    expect(label([bytes]).output).toBe(lines);
    const third = Math.floor(bytes.length / 3);
    const plain = new Tagger(tagger.model, { kernels: 'plain' });
    expect(label([bytes.subarray(0, third), bytes.subarray(third)], {}, plain).output).toBe(lines);
  });

  it('does not read the gold column', () => {
    const sentences = makeSentences(10, 4);
    const lastCells = (text: string) => text.split('\n').map((line) => line.split(' ').at(-1));
    const given = label(columnFile(sentences)).output;
    const scrambled = label(columnFile(sentences, ({ columns }) => columns.pos.map(() => 'nonsense'))).output;
    expect(lastCells(scrambled)).toEqual(lastCells(given));
    expect(scrambled).toContain('nonsense B-NP');
  });

  it('leaves everything but the added cell as it is, in any chunks', () => {
    const lines = ['the DT', 'dog\tNN', 'barks  VB ', ' in IN', '', '  ', '-DOCSTART- -X-', '犬 NN'];
    const line = fc.tuple(fc.constantFrom(...lines), fc.constantFrom('\n', '\r\n'));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.boolean(),
        fc.array(fc.nat({ max: 150 }), { maxLength: 5 }),
        (parts, endless, cuts) => {
          const whole = parts.flat().join('');
          const text = `\ufeff${endless ? whole.replace(/\r?\n$/, '') : whole}`;
          const bytes = encodeUtf8(text);
          const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const chunks = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
          const { output } = label(chunks);
          expect(output).toBe(label(text).output);
          const added = /([ \t])[BI]-[NVP]P(?=\r?\n|$)|([ \t])O(?=\r?\n|$)/;
          const restored = output
            .split('\n')
            .map((found) => {
              const isToken = /\S/.test(found.replace('\ufeff', ''));
              return isToken ? found.replace(/[ \t](?:[BI]-[NVP]P|O)(\r?)$/, '$1') : found;
            })
            .join('\n');
          // Only the final newline after a token may be new.
          expect([text, `${text}\n`]).toContain(restored);
          const widths =
            output.match(/[^\s\ufeff]+([ \t]+[^\s]+)*/g)?.map((own) => own.split(/[ \t]+/).length) ?? [];
          expect(widths.every((width) => width === 3)).toBe(true);
          if (/\S/.test(whole)) expect(output).toMatch(added);
        },
      ),
    );
  });

  it('parts the new cell as the line does, and writes confidences behind it', () => {
    const { output } = label('the\tDT\ndog NN\n', { confidence: true });
    expect(output).toMatch(/^the\tDT\tB-NP\t[01]\.\d{4}\ndog NN I-NP [01]\.\d{4}\n$/);
  });

  it('leaves comments and a header where they are, and labels as without them', () => {
    const bare = 'the DT\ndog NN\n\nit PRP\n';
    const text = 'WORD POS\n# id = 1\nthe DT\n# odd\ndog NN\n#\n\n#end\nit PRP\n# last';
    const { output, labeller } = label(text, { comments: '#', header: 1 });
    const isKept = (line: string) => line.startsWith('#') || line === 'WORD POS';
    const lines = output.split('\n');
    expect(lines.filter(isKept)).toEqual(text.split('\n').filter(isKept));
    expect(lines.filter((line) => !isKept(line)).join('\n')).toBe(label(bare).output.trimEnd());
    expect(labeller.sentences).toBe(2);
    const rated = { comments: '#', header: 1, confidence: true };
    expect(label(text, rated).output.replace(/ \d\.\d{4}/g, '')).toBe(output);
    expect(() => label('', { comments: '' })).toThrow(
      '--comments: expected 1 to 4 bytes, such as #, found ""',
    );
  });

  it('reads cells with spaces where tabs part them', () => {
    const { output } = label('the dog\tDT\n', { separator: 'tab' });
    expect(output).toMatch(/^the dog\tDT\t\S+\n$/);
  });
});

describe('ColumnLabeller, brackets and JSON', () => {
  const [{ columns, spans }] = TRAINING;
  const text = columnFile(TRAINING.slice(0, 1));

  it('writes chunks in brackets', () => {
    const { output } = label(text, { format: 'brackets' });
    expect(output.replace(/\[[NVP]P |\]/g, '')).toBe(`${columns.word.join(' ')}\n`);
    expect(output.match(/\[/g)).toHaveLength(spans.length);
    expect(label('[a] NN\nb\\ NN\n', { format: 'brackets' }).output).toBe('[NP \\[a\\] b\\\\]\n');
    expect(label(text, { format: 'brackets', confidence: true }).output).toMatch(/\[[NVP]P\|[01]\.\d\d /);
  });

  it('writes tokens and chunks as JSON', () => {
    const found = JSON.parse(label(text, { format: 'json' }).output);
    const { tags } = tagger.label(columns);
    const joined = columns.word.join(' ');
    // All characters of the words are of one UTF-16 unit, so both kinds of offsets are the same.
    const place = (start: number, end: number) => ({
      text: joined.slice(start, end),
      start,
      end,
      startCodePoint: start,
      endCodePoint: end,
    });
    const starts = columns.word.map((_, t) => columns.word.slice(0, t).join(' ').length + (t > 0 ? 1 : 0));
    const ends = starts.map((start, t) => start + columns.word[t].length);
    expect(found).toMatchObject(place(0, joined.length));
    expect(found.tokens).toEqual(
      tags.map((tag, t) => ({ ...place(starts[t], ends[t]), pos: columns.pos[t], tag })),
    );
    expect(found.chunks).toEqual(
      spans.map(({ start, end, type }) => ({
        type,
        ...place(starts[start], ends[end - 1]),
        firstToken: start,
        lastToken: end - 1,
      })),
    );
    const rated = JSON.parse(label(text, { format: 'json', confidence: true }).output);
    const labelled = tagger.label(columns);
    rated.tokens.forEach(({ confidence }: { confidence: number }, t: number) => {
      expect(confidence).toBeCloseTo(labelled.confidences[t], 4);
    });
    rated.chunks.forEach(({ confidence }: { confidence: number }, s: number) => {
      expect(confidence).toBeCloseTo(labelled.spans[s].confidence, 4);
    });
  });
});

describe('ColumnLabeller, sentences that cannot be read', () => {
  const text = 'the DT\n\nbad\n\ndog NN\n\nalso\n';

  it('stop it, with what was labelled before, and nothing more comes out', () => {
    const labeller = new ColumnLabeller(tagger, DEFAULTS);
    expect(decodeUtf8(labeller.push(encodeUtf8(text)))).toMatch(/^the DT \S+\n$/);
    expect(labeller.stopped).toBeInstanceOf(InputError);
    expect(labeller.stopped?.message).toBe('f:3: expected at least 2 columns, found 1');
    expect(labeller.push(encodeUtf8('dog NN\n\n'))).toHaveLength(0);
    expect(labeller.finish()).toHaveLength(0);
    expect(labeller).toMatchObject({ sentences: 1, badSentences: 0 });
    expect(label('the DT\n\nbad', {}).labeller.stopped?.place.line).toBe(3);
  });

  it('are skipped', () => {
    const { output, labeller } = label(text, { onError: 'skip' });
    expect(output).toMatch(/^the DT \S+\n\ndog NN \S+\n$/);
    expect(labeller).toMatchObject({ sentences: 2, badSentences: 2 });
    expect(labeller.firstProblem?.place.line).toBe(3);
    const marked = label('-DOCSTART- -X-\n\nbad\n\nthe DT\n', { onError: 'skip' });
    expect(marked.output).toMatch(/^-DOCSTART- -X- O\n\n\nthe DT \S+\n$/);
  });

  it('are kept', () => {
    const { output, labeller } = label(text, { onError: 'keep' });
    expect(output).toMatch(/^the DT \S+\n\nbad\n\ndog NN \S+\n\nalso\n$/);
    expect(labeller.badSentences).toBe(2);
    expect(label(text, { onError: 'keep', format: 'brackets' }).output.split('\n')[1]).toBe('bad');
    expect(JSON.parse(label(text, { onError: 'keep', format: 'json' }).output.split('\n')[1])).toEqual({
      error: 'f:3: expected at least 2 columns, found 1',
      input: 'bad',
    });
  });
});
