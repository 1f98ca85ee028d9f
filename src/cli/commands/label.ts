import type { OptionDeclaration } from '../../base/options.js';
import type { Separator } from '../../data/formats/columns.js';
import {
  ColumnLabeller,
  ERROR_POLICIES,
  type ErrorPolicy,
  LABEL_FORMATS,
  type LabelFormat,
} from '../../model/label-columns.js';
import { Tagger } from '../../model/tagger.js';
import { readChunks, STANDARD_INPUT } from '../../node/files.js';
import type { Command } from '../command.js';
import {
  DECODER_OPTIONS,
  decoderOf,
  INPUT_FORMAT_OPTION,
  MODEL_OPTION,
  modelOf,
  SEPARATOR_OPTION,
} from '../options.js';
import { openOutput } from '../output.js';
import { counted, warn } from '../render.js';

const OPTIONS: readonly OptionDeclaration[] = [
  MODEL_OPTION,
  { name: 'output', kind: 'string', placeholder: 'FILE', help: 'file to write; default standard output' },
  {
    name: 'format',
    kind: 'choice',
    choices: Object.keys(LABEL_FORMATS),
    default: 'columns',
    help: 'output format',
  },
  { name: 'confidence', kind: 'flag', help: 'write how sure the model is, 0 to 1' },
  {
    name: 'on-error',
    kind: 'choice',
    choices: ERROR_POLICIES,
    default: 'stop',
    help: 'at a sentence that cannot be read: stop, skip it, or keep it unlabelled',
  },
  INPUT_FORMAT_OPTION,
  SEPARATOR_OPTION,
  {
    name: 'threads',
    kind: 'integer',
    default: 1,
    min: 1,
    max: 64,
    help: 'threads to label on; one is used so far',
  },
];

/** `spanwright label`. */
export const labelCommand: Command = {
  name: 'label',
  help: 'label text with a model; reads standard input where no file is given',
  positionals: ['[INPUT]'],
  groups: [
    { heading: 'Options', options: OPTIONS },
    { heading: 'Decoding', options: DECODER_OPTIONS },
  ],
  notes: `Formats:\n${Object.entries(LABEL_FORMATS)
    .map(([name, help]) => `  ${name.padEnd(10)}${help}`)
    .join('\n')}`,
  async run({ options, positionals }) {
    const tagger = new Tagger(await modelOf(options), decoderOf(options));
    const input = positionals[0];
    const labeller = new ColumnLabeller(tagger, {
      source: input ?? STANDARD_INPUT,
      format: (options.format ?? 'columns') as LabelFormat,
      confidence: options.confidence === true,
      onError: (options['on-error'] ?? 'stop') as ErrorPolicy,
      separator: options.separator as Separator | undefined,
    });
    const output = await openOutput(options.output === undefined ? undefined : String(options.output));
    try {
      for await (const chunk of readChunks(input)) await output.write(labeller.push(chunk));
      await output.write(labeller.finish());
      await output.commit();
    } catch (error) {
      // On standard output the sentences before the bad one have their place; a file is not left half-written.
      if (options.output === undefined) await output.write(labeller.output());
      await output.abandon();
      throw error;
    }
    if (labeller.badSentences > 0) {
      const verb = options['on-error'] === 'skip' ? 'skipped' : 'kept unlabelled';
      warn(
        `${counted(labeller.badSentences, 'sentence')} ${verb}; the first: ${labeller.firstProblem?.message}`,
      );
    }
  },
};
