import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
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
const models = { fast: workspace.path('fast.model'), accurate: workspace.path('accurate.model') };

const segment = (input: string | Uint8Array, args: readonly string[] = [], model = models.fast) =>
  run(['label', '--text', '--format', 'segmented', '--model', model, ...args], input);

describe.each(['fast', 'accurate'] as const)('task segmentation, preset %s', (preset) => {
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

    const evaluated = await run(['evaluate', '--model', models[preset], '--json', gold]);
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ f1: 100, oovRate: 0, recallOov: 0, recallIv: 100 });
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
    const scores = JSON.parse((await run(['evaluate', '--model', model, '--json', test])).stdout);
    expect(scores).toMatchObject({ f1: 100, tagged: { f1: 100 } });
  });
});

describe('spanwright evaluate --gold', () => {
  it('scores one segmentation against another', async () => {
    const predicted = workspace.write('predicted.seg', joined(lines(40, 2), ' ').replace('他 ', '他'));
    const words = workspace.write('words.txt', '他\n北京\n');
    const { stdout } = await run(['evaluate', '--gold', gold, '--words', words, '--json', predicted]);
    const scores = JSON.parse(stdout);
    expect(scores.predicted).toBe(scores.gold - 1);
    expect(scores.correct).toBe(scores.gold - 2);
    expect(scores.oovRate).toBeGreaterThan(50);
  });

  it('names the first difference of the texts', async () => {
    const one = workspace.write('one.seg', '他 很\n我们 在\n');
    const other = workspace.write('other.seg', '他 很\n我 们 有\n');
    const { code, stderr } = await run(['evaluate', '--gold', one, other]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${other}:2: character 3: expected "在" as in the gold standard, found "有"`);
  });
});
