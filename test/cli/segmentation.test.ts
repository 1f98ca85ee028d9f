import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { run, Workspace } from './program.js';

const workspace = new Workspace();
const WORDS = [
  '我们',
  '他',
  '北京',
  '天安门广场',
  '喜欢',
  '在',
  '１９９８年',
  '学习',
  '。',
  '，',
  '很',
  '大学生',
];

/** Lines of words drawn at random. */
function lines(count: number, seed: number): string[][] {
  const random = new Random(seed);
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + random.below(8) }, () => WORDS[random.below(WORDS.length)]),
  );
}

const joined = (sentences: readonly (readonly string[])[], separator: string) =>
  sentences.map((words) => `${words.join(separator)}\n`).join('');
const train = workspace.write('train.seg', joined(lines(300, 1), '  '));
const gold = workspace.write('gold.seg', joined(lines(40, 2), ' '));
const raw = joined(lines(40, 2), '');
const models = {
  fast: workspace.path('fast.safetensors'),
  accurate: workspace.path('accurate.safetensors'),
  'chunk-level': workspace.path('chunk-level.model'),
};

const segment = (input: string | Uint8Array, args: readonly string[] = [], model = models.fast) =>
  run(['label', '--text', '--format', 'segmented', '--model', model, ...args], input);

describe.each(['fast', 'accurate', 'chunk-level'] as const)('task segmentation, preset %s', (preset) => {
  it('trains on segmented text, segments raw text and scores', async () => {
    const trained = await run([
      ...['train', '--task', 'segmentation', '--preset', preset, '--train', train, '--model', models[preset]],
      ...['--dev', gold],
    ]);
    expect(trained).toMatchObject({ code: 0, stderr: '' });
    expect(trained.stdout).toContain('OOV rate 0.00%');

    const { stdout, code } = await segment(raw, [], models[preset]);
    expect(code).toBe(0);
    expect(stdout).toBe(joined(lines(40, 2), ' '));
    // What a model of characters is for, without being told.
    expect((await run(['label', '--model', models[preset]], raw)).stdout).toBe(stdout);
    const file = workspace.write(`${preset}-raw.txt`, raw);
    expect((await run(['label', '--text', '--model', models[preset], file])).stdout).toBe(stdout);
    const told = await run(['label', '--input-format', 'columns', '--model', models[preset]], '我\n们\n');
    expect(told.stdout).toMatch(/^我 \S+\n们 \S+\n$/);

    const evaluated = await run(['evaluate', '--model', models[preset], '--json', gold]);
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ f1: 100, oovRate: 0, recallOov: 0, recallIv: 100 });
  });
});

describe('rates of unknown words', () => {
  const unknown = workspace.write('unknown.seg', `他 喜欢 猫狗\n我们 学习\n${joined(lines(10, 3), ' ')}`);

  it('stand beside F where models are compared, as evaluate has them', async () => {
    const systems = [models.fast, models.accurate];
    const compare = (...args: string[]) =>
      run(['compare', ...systems, '--gold', unknown, '--input-format', 'segmented', ...args]);
    const [{ words }] = JSON.parse((await compare('--json')).stdout);
    const scores = await Promise.all(
      systems.map(async (model) =>
        JSON.parse((await run(['evaluate', '--model', model, '--json', unknown])).stdout),
      ),
    );
    expect(words).toEqual(scores);
    expect(words[0].oovRate).toBeGreaterThan(0);
    const { stdout } = await compare();
    for (const { oovRate, recallOov, recallIv } of scores) {
      const [oov, outside, inside] = [oovRate, recallOov, recallIv].map((rate) => rate.toFixed(2));
      expect(stdout).toContain(
        `; OOV rate ${oov}%; recall of OOV words ${outside}%, of IV words ${inside}%\n`,
      );
    }
  });

  it('are columns of a cross-validation, a word of one line being unknown in its fold', async () => {
    const crossval = ['crossval', '--task', 'segmentation', '--train', unknown, '--folds', '3'];
    const { folds, mean } = JSON.parse((await run([...crossval, '--json'])).stdout);
    const rates: number[] = folds.map(({ oovRate }: { oovRate: number }) => oovRate);
    expect(Math.max(...rates)).toBeGreaterThan(0);
    expect(mean.oovRate).toBeCloseTo(rates.reduce((sum, rate) => sum + rate, 0) / 3, 10);
    const { stdout } = await run(crossval);
    expect(stdout).toMatch(/^fold .* f1 +oovRate +recallOov +recallIv\n/);
    expect(stdout).toContain(rates[0].toFixed(2));
  });
});

describe('spanwright label --text --format segmented', () => {
  it.each([
    ['empty lines and lines of blanks', '\n \u3000 \n他很\r\n\r\n', '\n\n他 很\r\n\r\n'],
    ['blanks, which part words', '北京  大学生\u00a0他', '北京 大学生 他'],
    ['digits of another width, as they are', '1998年很', '1998年 很'],
    ['a byte order mark', '\ufeff他很', '\ufeff他 很'],
    ['no input', '', ''],
  ])('keeps lines with %s', async (_, input, output) => {
    expect(await segment(input)).toEqual({ code: 0, stdout: output, stderr: '' });
  });

  it('keeps the characters of text that is not Chinese', async () => {
    const text = 'häufig 🦊🦊 x-y\n';
    const { stdout } = await segment(text);
    expect(stdout.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });

  it('segments a line of a megabyte as its parts', async () => {
    const { stdout, code } = await segment(`${'我们在北京，'.repeat(60_000)}\n`);
    expect(code).toBe(0);
    expect(stdout).toBe(`${'我们 在 北京 ， '.repeat(60_000).trimEnd()}\n`);
  });

  it('reads GB18030', async () => {
    // 他很
    expect(await segment(Uint8Array.of(0xcb, 0xfb, 0xba, 0xdc), ['--encoding', 'gb18030'])).toMatchObject({
      stdout: '他 很',
    });
  });

  it('names the offset of bytes that cannot be decoded', async () => {
    const { code, stderr, stdout } = await segment(Uint8Array.of(0xe4, 0xbb, 0x96, 0x0a, 0xe4, 0xbb));
    expect(code).toBe(2);
    expect(stdout).toBe('他\n');
    expect(stderr).toContain('<stdin>:2 (byte 4): expected UTF-8 text, found the invalid byte 0xe4');
  });

  it.each([
    ['gb18030', [0xcb, 0xfb, 0x0a, 0xba, 0xdc, 0xff, 0xff, 0x0a], 5],
    ['big5', [0xa5, 0x4c, 0x0a, 0xab, 0xdc, 0xff, 0x0a], 5],
    ['gb18030', [0xcb, 0xfb, 0x0a, 0xba], 3],
  ])('names their offset in the file as it is: %s', async (encoding, bytes, at) => {
    const { code, stderr } = await segment(Uint8Array.from(bytes), ['--encoding', encoding]);
    expect(code).toBe(2);
    expect(stderr).toContain(`<stdin> (byte ${at}): expected ${encoding} text`);
  });

  it('takes encoded surrogates for no text', async () => {
    const { code, stderr } = await segment(Uint8Array.of(0xe4, 0xbb, 0x96, 0xed, 0xa0, 0x80, 0x0a));
    expect(code).toBe(2);
    expect(stderr).toContain('<stdin>:1 (byte 3): expected UTF-8 text');
  });

  it.each(['segmented', 'tagged', 'conllu'])('has no place for confidences in %s', async (format) => {
    const args = ['label', '--text', '--format', format, '--confidence', '--model', models.fast];
    const { code, stdout, stderr } = await run(args, '他很\n');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      `--confidence: the format ${format} has no place for it; expected the format columns`,
    );
  });

  it('counts offsets in code points and in UTF-16 units', async () => {
    const args = ['label', '--text', '--format', 'json', '--model', models.fast];
    const { stdout } = await run(args, '\ufeff𠀀 他\n');
    const sentences = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(sentences.flatMap(({ chunks }) => chunks)).toMatchObject([
      { text: '𠀀', start: 0, end: 2, startCodePoint: 0, endCodePoint: 1 },
      { text: '他', start: 3, end: 4, startCodePoint: 2, endCodePoint: 3 },
    ]);
  });

  it('labels the characters of documents in JSONL, a lone surrogate among them', async () => {
    const text = '\\ud800 我们在 𠀀';
    const { stdout } = await run(
      ['label', '--input-format', 'jsonl', '--model', models.fast],
      `{"text":"${text}"}\n`,
    );
    expect(stdout).toContain(`{"text":"${text}"`);
    expect(JSON.parse(stdout).spans).toMatchObject([
      { start: 0, end: 1 },
      { start: 2, end: 4, startCodePoint: 2, endCodePoint: 4 },
      { start: 4, end: 5 },
      { start: 6, end: 8, startCodePoint: 6, endCodePoint: 7 },
    ]);
  });

  it('says the same in other formats', async () => {
    const { stdout } = await run(
      ['label', '--text', '--model', models.fast, '--format', 'json'],
      '他很 🦊\n',
    );
    const [first] = stdout.split('\n').map((line) => line && JSON.parse(line));
    expect(first.chunks.map(({ text, start }: { text: string; start: number }) => [text, start])).toEqual([
      ['他', 0],
      ['很', 1],
    ]);
  });
});

describe('accessor variety', () => {
  const model = workspace.path('variety.model');
  const rawText = workspace.write('raw.txt', raw);
  const args = ['train', '--task', 'segmentation', '--train', train, '--model', model];

  it('is measured on training data and raw text, which the model names', async () => {
    const options = ['--templates', 'accessor-variety', '--raw-text', rawText];
    expect(await run([...args, ...options])).toMatchObject({ code: 0, stderr: '' });
    expect((await segment(raw, [], model)).stdout).toBe(joined(lines(40, 2), ' '));
    const scores = JSON.parse((await run(['evaluate', '--model', model, '--json', gold])).stdout);
    expect(scores).toMatchObject({ f1: 100 });
    const sha256 = createHash('sha256').update(raw).digest('hex');
    const { training } = JSON.parse((await run(['inspect', '--model', model, '--json'])).stdout);
    expect(training.rawText).toEqual({ lines: 40, sha256 });
    expect((await run(['inspect', '--model', model])).stdout).toContain(
      `40 lines, sha256 ${sha256}: transductive where`,
    );
  });

  it('names files by their bytes, whatever their encoding', async () => {
    // 他很 and 他 很
    const bytes = Buffer.concat(Array(9).fill(Buffer.of(0xcb, 0xfb, 0x20, 0xba, 0xdc, 0x0a)));
    const data = workspace.write('gb.train', bytes);
    const text = workspace.write('gb.raw', Buffer.of(0xcb, 0xfb, 0xba, 0xdc, 0x0a));
    const how = [
      'train',
      '--task',
      'segmentation',
      '--train',
      data,
      '--templates',
      'accessor-variety',
      '--cut-off',
      '1',
    ];
    const output = workspace.path('gb.model');
    const recorded = async (...args: string[]) => {
      expect(await run([...how, '--model', output, ...args])).toMatchObject({ code: 0 });
      return loadModel(readFileSync(output), output).training;
    };
    const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(await recorded('--encoding', 'gb18030', '--raw-text', text)).toMatchObject({
      sha256: hash(data),
      rawText: { lines: 1, sha256: hash(text) },
    });
    workspace.write('gb.train', '他 很\n'.repeat(9));
    workspace.write('gb.raw', '\ufeff他很\n');
    expect(await recorded('--raw-text', text)).toMatchObject({
      sha256: hash(data),
      rawText: { lines: 1, sha256: hash(text) },
    });
  });

  it('refuses raw text that nothing would be made of', async () => {
    const { code, stderr } = await run([...args, '--raw-text', rawText]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--raw-text: expected templates that read av2, av3, av4, av5 or av6, found adjacent-characters',
    );
  });
});

describe('task joint-pos', () => {
  const tagOf = (word: string) => (/[。，]/.test(word) ? 'w' : word.length === 1 ? 'r' : 'n');
  const tagged = (sentences: readonly (readonly string[])[], separator: string) =>
    joined(
      sentences.map((words) => words.map((word) => `${word}/${tagOf(word)}`)),
      separator,
    );

  it('trains on word/TAG text and labels words with their parts of speech', async () => {
    const file = workspace.write('train.txt', `19980101-01-001-001/m  ${tagged(lines(300, 1), '  ')}`);
    const test = workspace.write('test.txt', tagged(lines(40, 2), '  '));
    const model = workspace.path('joint.model');
    expect(await run(['train', '--task', 'joint-pos', '--train', file, '--model', model])).toMatchObject({
      code: 0,
    });
    const { stdout } = await run(['label', '--text', '--format', 'tagged', '--model', model], raw);
    expect(stdout).toBe(tagged(lines(40, 2), ' '));
    expect((await run(['label', '--model', model], raw)).stdout).toBe(stdout);
    const scores = JSON.parse((await run(['evaluate', '--model', model, '--json', test])).stdout);
    expect(scores).toMatchObject({ f1: 100, tagged: { f1: 100 } });
  });
});

describe('spanwright experiment on characters', () => {
  it('scores words, unknown ones apart', async () => {
    const corpora = [{ name: 'toy', task: 'segmentation', train: 'train.seg', test: 'gold.seg' }];
    const file = workspace.write(
      'words.json',
      JSON.stringify({ corpora, configurations: [{ name: 'fast' }] }),
    );
    const folder = workspace.path('words');
    const { stdout } = await run(['experiment', file, '--output', folder, '--json']);
    const [{ test }] = JSON.parse(stdout).corpora[0].systems;
    expect(test.words).toMatchObject({ f1: 100, oovRate: 0, recallOov: 0, recallIv: 100 });
    expect(test.words.f1).toBe(test.scores.f1);
    expect(readFileSync(`${folder}/results.md`, 'utf8')).toContain('| OOV % |');
  });
});

describe('spanwright evaluate --gold', () => {
  it('says how word/TAG text is read, where it is given as segmented text', async () => {
    const file = workspace.write('tagged.txt', '他/r  很/d\n');
    const { code, stderr } = await run(['evaluate', '--model', models.fast, file]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:1: expected words without tags, found WORD/TAG throughout`);
  });

  it('scores one segmentation against another', async () => {
    const predicted = workspace.write('predicted.seg', joined(lines(40, 2), ' ').replace('他 ', '他'));
    const words = workspace.write('words.txt', '他\n北京\n');
    const { stdout } = await run(['evaluate', '--gold', gold, '--words', words, '--json', predicted]);
    const scores = JSON.parse(stdout);
    expect(scores.predicted).toBe(scores.gold - 1);
    expect(scores.correct).toBe(scores.gold - 2);
    expect(scores.oovRate).toBeGreaterThan(50);
  });

  // Gold words 我, 们, 在, 北京, 1998年, of which the prediction has 在, 北京 and 1998年 among its 4: 我们 is wrong.
  // The word list has 在, 北京, 我们 and a full-width １９９８年, which is another word: 3 of 5 are unknown, and of these
  // only 1998年 is right.
  const hand = {
    gold: '我 们 在\n\n北京 1998年\n',
    found: '我们 在\n北京 1998年\n',
    scores: {
      sentences: 2,
      tokens: 10,
      accuracy: 90, // 们 begins a word in the gold standard only
      gold: 5,
      predicted: 4,
      correct: 3,
      precision: 75,
      recall: 60,
      f1: (2 * 75 * 60) / (75 + 60),
      oovRate: 60,
      recallOov: expect.closeTo(100 / 3, 10),
      recallIv: 100,
    },
  };

  it.each([
    ['line feeds', ''],
    ['CRLF and byte order marks', '\r'],
  ])('counts as one does by hand: %s', async (_, carriage) => {
    const form = (text: string) => (carriage && '\ufeff') + text.replaceAll('\n', `${carriage}\n`);
    const files = [
      ...['--gold', workspace.write('hand.gold', form(hand.gold))],
      ...['--words', workspace.write('hand.words', form('在\n北京\n我们\n１９９８年\n'))],
      workspace.write('hand.found', form(hand.found)),
    ];
    expect(JSON.parse((await run(['evaluate', '--json', ...files])).stdout)).toEqual(hand.scores);
    const { stdout } = await run(['evaluate', ...files]);
    expect(stdout).toContain('recall 60.00%; precision 75.00%; F 66.67');
  });

  it('counts the same of a model and its training words', async () => {
    const { code, stdout } = await segment(hand.gold.replaceAll(' ', ''));
    expect({ code, stdout }).toEqual({ code: 0, stdout: hand.found.replace('\n', '\n\n') });
    const file = workspace.write('hand.seg', hand.gold);
    const evaluated = await run([
      'evaluate',
      '--model',
      models.fast,
      '--input-format',
      'segmented',
      '--json',
      file,
    ]);
    expect(JSON.parse(evaluated.stdout)).toEqual(hand.scores);
  });

  it.each([
    [
      'a line that is missing',
      '他 很\n',
      'GOLD:2: expected the same lines in both files, found none for this one in',
    ],
    [
      'a line too many',
      '他 很\n我们\n在\n',
      'FOUND:3: expected the same lines in both files, found none for',
    ],
    [
      'the rest of a line',
      '他\n我们\n',
      'FOUND:1: character 2: expected "很" as in the gold standard, found the end',
    ],
    ['another width', '他 很\n我们１\n', 'FOUND:2: character 3: expected the end of the line as in the gold'],
  ])('names %s', async (_, text, problem) => {
    const one = workspace.write('lines.gold', '他 很\n我们\n');
    const other = workspace.write('lines.found', text);
    const { code, stdout, stderr } = await run(['evaluate', '--gold', one, other]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(problem.replace('GOLD', one).replace('FOUND', other));
  });

  it('names the line of a token without a tag', async () => {
    const file = workspace.write('untagged.txt', '他/r\n\n很/d 好\n');
    const { code, stderr } = await run([
      'evaluate',
      '--input-format',
      'tagged',
      '--model',
      models.fast,
      file,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${file}:3: expected WORD/TAG, found "好"`);
  });

  it('names the first difference of the texts', async () => {
    const one = workspace.write('one.seg', '他 很\n我们 在\n');
    const other = workspace.write('other.seg', '他 很\n我 们 有\n');
    const { code, stderr } = await run(['evaluate', '--gold', one, other]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${other}:2: character 3: expected "在" as in the gold standard, found "有"`);
  });
});

describe('--join-unknown', () => {
  it('is fitted in training', async () => {
    const train = ['train', '--task', 'segmentation', '--train', gold, '--cut-off', '1'];
    const model = workspace.path('fitted.safetensors');
    const { stdout, code } = await run([...train, '--model', model, '--join-unknown']);
    expect(code).toBe(0);
    const { unknownWords } = loadModel(readFileSync(model), model);
    expect(stdout.split('\n').at(-2)).toBe(
      unknownWords === undefined
        ? 'joining unknown words gains nothing on held-out data: left out'
        : `unknown words are joined if found ${unknownWords.leastCount} times or more with a confidence of ` +
            `${unknownWords.leastConfidence} or more`,
    );
    const typed = workspace.write('typed.txt', '他/r  很/d\n我们/r  在/v\n'.repeat(5));
    const refused = await run([
      'train',
      '--task',
      'joint-pos',
      '--train',
      typed,
      '--model',
      model,
      '--join-unknown',
    ]);
    expect(refused.stderr).toContain('--join-unknown: expected words without types');
  });

  it('joins the same words in label and evaluate', async () => {
    const plain = loadModel(readFileSync(models.fast), models.fast);
    const unknownWords = { leastConfidence: 0, leastCount: 1 };
    const model = workspace.write('joining.safetensors', saveModel({ ...plain, unknownWords }));
    // Characters in any order: many words that training never saw, found here and cut there.
    const random = new Random(5);
    const characters = [...new Set(WORDS.join(''))];
    const text = Array.from({ length: 60 }, () => [
      Array.from({ length: 12 }, () => characters[random.below(characters.length)]).join(''),
    ]);
    const held = workspace.write('random.seg', joined(text, ' '));
    const { stdout } = await segment(joined(text, ''), ['--join-unknown'], model);
    const output = workspace.write('random-joined.seg', stdout);
    const counts = async (...args: string[]) =>
      JSON.parse((await run(['evaluate', ...args, '--json'])).stdout);
    const { correct, predicted } = await counts('--model', model, '--join-unknown', held);
    expect(await counts('--gold', held, output)).toMatchObject({ correct, predicted });
    expect(predicted).toBeLessThan((await counts('--model', model, held)).predicted);
  });

  it.each([
    ['a model without thresholds', ['label', '--text', '--format', 'segmented', '--model', models.fast]],
    ['evaluate of such a model', ['evaluate', '--model', models.fast, gold]],
    ['another output format', ['label', '--text', '--format', 'json', '--model', models.fast]],
    ['evaluate without a model', ['evaluate', '--gold', gold, gold]],
  ])('is refused for %s', async (_, args) => {
    const { code, stderr } = await run([...args, '--join-unknown'], '他');
    expect(code).toBe(2);
    expect(stderr).toContain('--join-unknown: expected ');
  });
});

it('JSONL that label writes for words is read by evaluate and train', async () => {
  const own = workspace.path('jsonl.model');
  expect(await run(['train', '--task', 'segmentation', '--train', train, '--model', own])).toMatchObject({
    code: 0,
  });
  const { stdout } = await run(['label', '--text', '--model', own, '--format', 'jsonl'], raw);
  const labelled = workspace.write('labelled.jsonl', stdout);
  const evaluated = await run(['evaluate', '--model', own, labelled]);
  expect(evaluated).toMatchObject({ code: 0, stderr: '' });
  expect(evaluated.stdout).toContain('F 100.00');
  const again = [
    'train',
    '--task',
    'segmentation',
    '--train',
    labelled,
    '--model',
    workspace.path('again.model'),
  ];
  expect(await run(again)).toMatchObject({ code: 0 });
});
