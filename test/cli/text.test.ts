import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Pipeline } from '../../src/label/pipeline.js';
import { loadModel } from '../../src/model/model-file.js';
import { corpus, corpusText } from './corpus.js';
import { run, runShell, Workspace } from './program.js';

const models = fileURLToPath(new URL('../../models/', import.meta.url));
const chunker = `${models}english-chunk.safetensors`;
const tagger = `${models}english-pos.safetensors`;
const workspace = new Workspace();
const TEXT = 'Mr. Smith didn’t go to the U.S. “Why not?” he asked 🦊 twice.\n\nIt rained.';

const label = (args: readonly string[], input: string | Uint8Array = TEXT) =>
  run(['label', '--text', '--model', chunker, ...args], input);

describe('spanwright label --text', () => {
  const pipeline = new Pipeline([tagger, chunker].map((path) => loadModel(readFileSync(path), path)));
  const expected = pipeline.label(TEXT);

  it('writes brackets where the output is no terminal', async () => {
    const { code, stdout } = await label([]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('\x1b');
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(expected.sentences.length);
    expect(stdout.match(/\[/g)).toHaveLength(expected.chunks.length);
    expect(lines[2]).toBe('[NP It] [VP rained] .');
  });

  it('writes JSON with offsets into the input', async () => {
    const { stdout } = await label(['--format', 'json', '--confidence']);
    const sentences = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const points = [...TEXT];
    let tokensBefore = 0;
    const chunks = [];
    for (const sentence of sentences) {
      for (const found of [sentence, ...sentence.tokens, ...sentence.chunks]) {
        expect(TEXT.slice(found.start, found.end)).toBe(found.text);
        expect(points.slice(found.startCodePoint, found.endCodePoint).join('')).toBe(found.text);
      }
      for (const { firstToken, lastToken, start, end } of sentence.chunks) {
        expect(sentence.tokens[firstToken].start).toBe(start);
        expect(sentence.tokens[lastToken].end).toBe(end);
      }
      for (const { pos, tag, confidence } of sentence.tokens) {
        expect(pos).toMatch(/^\S+$/);
        expect(tag).toMatch(/^(?:O|[BI]-[A-Z]+)$/);
        expect(confidence).toBeGreaterThan(0);
      }
      chunks.push(...sentence.chunks.map((chunk: { type: string }) => ({ ...chunk, tokensBefore })));
      tokensBefore += sentence.tokens.length;
    }
    expect(tokensBefore).toBe(expected.tokens.length);
    expect(
      chunks.map(({ type, text, start, firstToken, tokensBefore: before }) => ({
        type,
        text,
        start,
        firstToken: firstToken + before,
      })),
    ).toEqual(
      expected.chunks.map(({ type, text, start, firstToken }) => ({ type, text, start, firstToken })),
    );
  });

  it('writes formats that label reads again, with the same labels', async () => {
    for (const format of ['jsonl', 'conllu']) {
      const path = workspace.path(`labelled.${format}`);
      await label(['--format', format, '--output', path]);
      const again = await run(['label', '--model', chunker, path]);
      expect(again).toEqual({ code: 0, stdout: readFileSync(path, 'utf8'), stderr: '' });
    }
    const { stdout } = await label(['--format', 'columns']);
    expect(stdout.split('\n')[0]).toBe('Mr. NNP B-NP');
    const scored = await run(['evaluate', '--model', chunker, '--json'], stdout);
    // The file holds the tokens as they are in the text: all but the quotes read the same.
    expect(JSON.parse(scored.stdout).f1).toBeGreaterThan(80);
  });

  it('--format pretty is coloured and wrapped on a terminal only, and plain with NO_COLOR', async () => {
    writeFileSync(workspace.path('long.txt'), 'The old man and the sea were in the book. '.repeat(4));
    const onTerminal = (setting: string) =>
      runShell(`${setting} script -qec "stty cols 40; '$0' '$1' label --text --model '$2' '$3'" /dev/null`, [
        chunker,
        workspace.path('long.txt'),
      ]);
    const { code, stdout } = await onTerminal('TERM=xterm');
    if (code === 127) return; // no script(1) here
    expect(stdout).toContain('\x1b[');
    const plain = stdout.replace(/\x1b\[\d*m/g, '').replaceAll('\r', '');
    expect(plain).toMatch(/^\[NP The old man\]/);
    for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect((await onTerminal('TERM=xterm NO_COLOR=1')).stdout).not.toContain('\x1b');
    const piped = await label(['--format', 'pretty'], 'The \x1b[31mdog\u202e slept.');
    expect(piped.stdout).not.toMatch(/[\x1b\u202e]/);
  });

  it('finds the part-of-speech model by its name, or takes the one given', async () => {
    const lone = workspace.path('lone.safetensors');
    copyFileSync(chunker, lone);
    const missing = await run(['label', '--text', '--model', lone], 'Hi.');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain(`${lone} reads the column pos, which the input does not have`);
    expect(missing.stderr).toContain('the model names english-pos, but there is no ');
    const given = await run(['label', '--text', '--model', lone, '--pos-model', tagger], TEXT);
    expect(given.stdout).toBe((await label([])).stdout);
    const wrong = await run(['label', '--text', '--model', lone, '--pos-model', chunker], 'Hi.');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('the one given fills the column chunk');
  });

  it('finds the part-of-speech model whatever its name ends in', async () => {
    const named = workspace.path('tags.st');
    copyFileSync(tagger, named);
    const model = workspace.path('named.st');
    const data = workspace.write('named.txt', corpusText(corpus(30)));
    const args = ['train', '--task', 'chunking', '--train', data, '--pos-model', named, '--model', model];
    expect((await run(args)).code).toBe(0);
    const found = await run(['label', '--text', '--model', model], 'The dog sees Paris.');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    rmSync(named);
    const missing = await run(['label', '--text', '--model', model], 'The dog sees Paris.');
    expect(missing.stderr).toContain(`the model names tags.st, but there is no ${named}`);
  });

  it.each(['segmented', 'tagged'])(
    'refuses %s, which has no place for tokens outside chunks',
    async (format) => {
      for (const model of [chunker, tagger]) {
        expect(await run(['label', '--text', '--model', model, '--format', format], TEXT)).toEqual({
          code: 2,
          stdout: '',
          stderr: `spanwright: --format ${format}: expected a model of characters, all of which are in words; tokens outside chunks would be lost\n`,
        });
      }
    },
  );

  it('labels parts of speech alone', async () => {
    const { stdout } = await run(['label', '--text', '--model', tagger], 'The dog slept.');
    expect(stdout).toBe('The/DT dog/NN slept/VBD ./.\n');
    const json = await run(['label', '--text', '--model', tagger, '--format', 'json'], 'The dog slept.');
    expect(JSON.parse(json.stdout)).toMatchObject({
      tokens: [{ text: 'The', tag: 'DT' }, {}, {}, {}],
      chunks: [],
    });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n\n\t\u00a0\r\n'],
  ])('writes nothing for %s', async (_name, input) => {
    expect(await label([], input)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    [
      'a binary file',
      Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0, 0),
      '<stdin>:1 (byte 4): expected text, found a NUL byte',
    ],
    [
      'a lone surrogate',
      Uint8Array.of(0x61, 10, 0x62, 0xed, 0xa0, 0x80),
      '<stdin>:2 (byte 3): expected UTF-8 text',
    ],
    [
      'UTF-16',
      Uint8Array.of(0xff, 0xfe, 0x61, 0),
      '<stdin>:1 (byte 0): expected UTF-8 text, found the invalid byte 0xff',
    ],
  ])('refuses %s in one sentence', async (_name, input, message) => {
    const { code, stderr } = await label([], input);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('writes the sentences before a bad byte', async () => {
    const { code, stdout } = await label(
      [],
      Buffer.concat([Buffer.from('It rained. We left.\n'), Buffer.of(0xff)]),
    );
    expect(code).toBe(2);
    expect(stdout).toBe('[NP It] [VP rained] .\n[NP We] [VP left] .\n');
  });

  it('labels a line of 10 MB', async () => {
    const { code, stdout } = await label(['--decoder', 'greedy'], 'The dog slept at noon, '.repeat(455_000));
    expect(code).toBe(0);
    expect(stdout.match(/dog/g)).toHaveLength(455_000);
  });

  it.each([
    [['--input-format', 'jsonl'], '--text and --input-format jsonl contradict each other'],
    [['--on-error', 'skip'], '--on-error: raw text has no sentences that could be left out'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await label(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('other formats on the command line', () => {
  it('train and evaluate read JSONL spans and CoNLL-U as they do columns', async () => {
    const columns = await label(['--format', 'columns']);
    const jsonl = await label(['--format', 'jsonl']);
    const conllu = await label(['--format', 'conllu']);
    const scores = [];
    for (const [name, { stdout }] of Object.entries({
      'a.txt': columns,
      'a.jsonl': jsonl,
      'a.conllu': conllu,
    })) {
      writeFileSync(workspace.path(name), stdout);
      const model = workspace.path(`${name}.safetensors`);
      const options = [
        '--task',
        'chunking',
        '--cut-off',
        '1',
        '--model',
        model,
        '--train',
        workspace.path(name),
      ];
      const trained = await run(['train', ...options]);
      expect(trained.code).toBe(0);
      const evaluated = await run(['evaluate', '--model', model, workspace.path(name), '--json']);
      scores.push(JSON.parse(evaluated.stdout).gold);
    }
    expect(scores).toEqual([expected(), expected(), expected()]);
    function expected() {
      return columns.stdout.match(/ B-/g)?.length;
    }
  });

  it('train names the span that does not fit the tokens, and --on-error skip leaves its document out', async () => {
    const path = workspace.path('bad.jsonl');
    const good = '{"text":"I took aspirin.","spans":[{"start":7,"end":14,"label":"DRUG"}]}\n';
    writeFileSync(path, good + good.replace('14', '12'));
    const options = ['--task', 'chunking', '--cut-off', '1', '--train', path, '--pos-model', tagger];
    const model = workspace.path('drugs.safetensors');
    const refused = await run(['train', ...options, '--model', model]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `${path}:2: expected spans that start and end where tokens do: span 7–12 "aspir" (DRUG) ends inside the token ` +
        '"aspirin" at 7–14',
    );
    const skipped = await run(['train', ...options, '--model', model, '--on-error', 'skip']);
    expect(skipped).toMatchObject({ code: 0 });
    expect(skipped.stderr).toContain('1 document left out; the first: ');
    const labelled = await run(
      ['label', '--text', '--model', model, '--pos-model', tagger],
      'I took aspirin.',
    );
    expect(labelled.stdout).toBe('I took [DRUG aspirin] .\n');
    const without = await run(['train', '--task', 'chunking', '--train', path, '--model', model]);
    expect(without.stderr).toContain(
      `${path}:1: expected the column pos, which this jsonl sentence does not have for every token; --pos-model FILE`,
    );
  });

  it('train leaves nothing out of a column file', async () => {
    const path = workspace.path('columns.txt');
    writeFileSync(path, 'a X O\n');
    const options = ['--task', 'chunking', '--train', path, '--model', workspace.path('never.safetensors')];
    const { code, stderr } = await run(['train', ...options, '--on-error', 'skip']);
    expect(code).toBe(2);
    expect(stderr).toContain('--on-error: expected stop for a column file; skip is for jsonl and conllu');
  });

  it('evaluate --pos-model reads its parts of speech instead of those given', async () => {
    const given = 'The IN B-NP\ndog VBD I-NP\nslept NN B-VP\n. XX O\n';
    const score = async (args: string[]) =>
      JSON.parse((await run(['evaluate', '--model', chunker, '--json', ...args], given)).stdout).f1;
    expect(await score(['--pos-model', tagger])).toBe(100);
    expect(await score([])).toBeLessThan(100);
  });

  it('evaluate says how many labels of tokens are right', async () => {
    const { stdout } = await run(['evaluate', '--model', tagger], 'The DT\ndog NN\nslept XX\n. .\n');
    expect(stdout).toMatch(/^processed 4 tokens in 1 sentences; correct: 3; accuracy: {2}75\.00%\n/);
    const file = await run(['evaluate', '--scheme', 'token'], 'The DT DT\ndog NN VB\n');
    expect(file.stdout).toMatch(/correct: 1; accuracy: {2}50\.00%/);
  });

  it('takes lines for sentences or paragraphs, and learns abbreviations', async () => {
    const input = 'it rained. so what\nThe dog and\nthe cat slept';
    const lines = async (args: readonly string[]) => {
      const { code, stdout, stderr } = await label([...args], input);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout
        .replace(/\[[A-Z]+ |\]/g, '')
        .trimEnd()
        .split('\n');
    };
    expect(await lines([])).toEqual(['it rained .', 'so what The dog and the cat slept']);
    expect(await lines(['--paragraphs'])).toEqual(['it rained .', 'so what', 'The dog and', 'the cat slept']);
    expect(await lines(['--lines'])).toEqual(['it rained . so what', 'The dog and', 'the cat slept']);
    const learned = workspace.write('learned.txt', 'It divn. rained. A divn. of it was dry. '.repeat(9));
    expect((await label(['--abbreviations', learned], 'The divn. Smith led.')).stdout).toMatch(
      /divn\. Smith/,
    );
    for (const args of [
      ['--lines', '--paragraphs'],
      ['--lines', '--input-format', 'conllu'],
    ]) {
      const { code, stderr } = await run(
        ['label', '--model', chunker, ...args, ...(args.length === 2 ? ['--text'] : [])],
        input,
      );
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /--lines( and --paragraphs contradict each other|: expected raw text of words \(--text, or jsonl\))/,
      );
    }
  });
});
