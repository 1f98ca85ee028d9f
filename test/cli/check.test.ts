import { describe, expect, it } from 'vitest';
import { run, Workspace } from './program.js';

const workspace = new Workspace();

describe('check', () => {
  it('says nothing of good data', async () => {
    const path = workspace.write('good.txt', 'The DT B-NP\ndog NN I-NP\n\nIt PRP B-NP\nran VBD O\n');
    expect(await run(['check', path])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('names what is odd, with its place and what it is read as', async () => {
    const train = workspace.write(
      'train.txt',
      'a X B-NP\nb\u200b X I-NP\n\nc X B-np\n\nNew York X O\n\na X I-NP\n',
    );
    const test = workspace.write('test.txt', 'a X B-NP\r\nb\u200b X I-NP\n\nq X X-NP\n');
    const { code, stdout, stderr } = await run(['check', train, test]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'spanwright: 8 findings in 2 files\n' });
    for (const line of [
      `${train}:6: expected 3 columns as in line 1, found 4; `,
      `${train}:2: the word has the invisible character U+200B, which makes it another word`,
      `${train}:8: I-NP is not as iob2 has it, and read as B-NP`,
      `${train}: the types NP and np differ by case alone, and are read as different types`,
      `${test}: 1 lines end in CRLF and 3 in LF; both are read`,
      `${test}:2: the word has the invisible character U+200B`,
      `${test}:4: "X-NP" is no tag of chunks; --task pos learns labels of any kind`,
      `${test}:1: the sentence is in ${train} too: scores on it say little about new text`,
    ]) {
      expect(stdout).toContain(line);
    }
    const json = JSON.parse((await run(['check', '--json', train, test])).stdout);
    expect(json).toHaveLength(8);
    expect(json[0]).toEqual({
      place: { source: train, line: 6 },
      kind: 'unreadable',
      message: expect.any(String),
    });
  });

  it('finds spans that no tokens are', async () => {
    const path = workspace.write('d.jsonl', '{"text":"I took aspirin.","label":[[7,12,"X"]]}\n{"text":5}\n');
    const { stdout } = await run(['check', path]);
    expect(stdout).toContain(`${path}:1: span 7–12 "aspir" (X) ends inside the token "aspirin" at 7–14`);
    expect(stdout).toContain(`${path}:2: expected a string "text", found 5`);
  });
});
