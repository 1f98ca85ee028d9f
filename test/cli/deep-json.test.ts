import { describe, expect, it } from 'vitest';
import { JsonValue } from '../../src/cli/json-file.js';
import { Workspace } from './program.js';

const workspace = new Workspace();
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

describe('JsonValue.read', () => {
  it.each([
    ['lists', nested(5000, '[', ']')],
    ['objects', nested(5000, '{"a":', '}').replace('}', '1}')],
    ['lists that do not end', '['.repeat(200_000)],
  ])('refuses %s nested too deep, and says where', async (name, text) => {
    const path = workspace.write(`${name}.json`, `{\n  "C":\n${text}\n}`);
    await expect(JsonValue.read(path)).rejects.toThrow(
      `${path}:3: expected values nested up to 100 deep, found more`,
    );
  });

  it('reads what nests as deep as it may, with brackets in text and comments', async () => {
    const path = workspace.write(
      'good.json',
      `{"a": ${nested(99, '[', ']')}, // ${'['.repeat(500)}\n"b": "${'{'.repeat(500)}"}`,
    );
    expect([...(await JsonValue.read(path)).members('values').keys()]).toEqual(['a', 'b']);
  });
});
