import { describe, expect, it } from 'vitest';
import { InputError, ModelFileError } from '../../src/base/errors.js';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { parseSpansLine } from '../../src/data/formats/spans-jsonl.js';
import { parseTemplates } from '../../src/features/template-syntax.js';
import { UnitLabeller } from '../../src/label/label-units.js';
import { Pipeline } from '../../src/label/pipeline.js';
import { loadModel, saveModel } from '../../src/model/model-file.js';
import { readSafetensors, writeSafetensors } from '../../src/model/safetensors.js';
import { configure } from '../../src/tasks/configure.js';
import { trainTiny } from '../model/tiny.js';

/** What `npm run fuzz` found, each with the smallest input that showed it. */
describe('found by fuzzing', () => {
  it.each(['jsonl', 'conllu'] as const)(
    '%s: --on-error keep keeps bytes that are no text',
    async (format) => {
      const options = { source: 'f', format, onError: 'keep', confidence: false } as const;
      const pipeline = new Pipeline([await trainTiny({})]);
      const input = Uint8Array.of(0x7b, 0xf4, 0x0d, 0x0a, 0x0a, 0x00);
      const labeller = new UnitLabeller(pipeline, format, options);
      const output = [...labeller.push(input), ...labeller.finish()];
      expect(output).toEqual([...input]);
      expect(labeller.badSentences).toBe(2);
    },
  );

  it('messages show no control or direction characters of the input', () => {
    for (const line of ['\u0015', '\u202e{']) {
      expect(() => parseSpansLine(line, { source: 'f', line: 1 }, 'utf16')).toThrow(InputError);
      expect(() => parseSpansLine(line, { source: 'f', line: 1 }, 'utf16')).toThrow(/^[^\p{Cc}\u202e]+$/u);
    }
    expect(() => parseTemplates('pos[\u202e', 'f', ['pos'])).toThrow(/^[^\u202e]+$/u);
    expect(new InputError({ source: encodeUtf8('\x1b[31m').join() }, '\x1b[31m').message).toContain(
      '\\u001b[31m',
    );
  });

  it('long names are cut in messages, and missing ones are no crash', () => {
    const long = 'a.'.repeat(1000);
    expect(() => configure({ task: 'pos', columns: ['word', long] })).toThrow(/^.{1,300}$/);
    expect(() => configure({ task: 'pos', options: { [long]: 1 } })).toThrow(/^.{1,300}$/);
    expect(() => configure(JSON.parse('{}'))).toThrow(
      '--task: expected chunking, pos, segmentation, joint-pos or entities, found none',
    );
  });

  it('a model whose configuration lacks a key is refused, whatever its checksum says', async () => {
    const { tensors, metadata } = readSafetensors(saveModel(await trainTiny({})), 'f');
    const { checksum: _checksum, ...others } = metadata;
    const configuration = JSON.parse(metadata.configuration);
    // Files from before there was a choice of precision, or of tokens, have none.
    const optional = ['precision', 'tokens'];
    for (const key of Object.keys(configuration).filter((name) => !optional.includes(name))) {
      const { [key]: _, ...rest } = configuration;
      const bytes = writeSafetensors(tensors, { ...others, configuration: JSON.stringify(rest) });
      expect(() => loadModel(bytes, 'f')).toThrow(ModelFileError);
    }
  });
});
