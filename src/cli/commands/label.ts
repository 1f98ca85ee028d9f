import type { OptionDeclaration } from '../../base/options.js';
import type { Separator } from '../../data/formats/columns.js';
import {
  ColumnLabeller,
  ERROR_POLICIES,
  type ErrorPolicy,
  LABEL_FORMATS,
  type LabelColumnsOptions,
  type LabelFormat,
} from '../../model/label-columns.js';
import { loadModel } from '../../model/model-file.js';
import { Tagger } from '../../model/tagger.js';
import { readBytes, readChunks, STANDARD_INPUT } from '../../node/files.js';
import { labelOnThreads } from '../../node/label-pool.js';
import type { Command } from '../command.js';
import {
  DECODER_OPTIONS,
  decoderOf,
  INPUT_FORMAT_OPTION,
  MODEL_OPTION,
  required,
  SEPARATOR_OPTION,
} from '../options.js';
import { type Output, openOutput } from '../output.js';
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
    help: 'threads to label on; no influence on the output',
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
    const source = required(options, 'model', 'FILE');
    const bytes = await readBytes(source);
    const decoder = decoderOf(options);
    // Made here even where threads do the work, so that a bad model or decoder is refused before anything starts.
    const tagger = new Tagger(loadModel(bytes, source), decoder);
    const input = positionals[0];
    const how: LabelColumnsOptions = {
      source: input ?? STANDARD_INPUT,
      format: (options.format ?? 'columns') as LabelFormat,
      confidence: options.confidence === true,
      onError: (options['on-error'] ?? 'stop') as ErrorPolicy,
      separator: options.separator as Separator | undefined,
    };
    const threads = Number(options.threads ?? 1);
    const output = await openOutput(options.output === undefined ? undefined : String(options.output));
    try {
      const { badSentences, firstProblem } =
        threads > 1
          ? await labelOnThreads(
              threads,
              { model: bytes, modelSource: source, decoder, options: how },
              readChunks(input),
              (part) => output.write(part),
            )
          : await labelHere(new ColumnLabeller(tagger, how), input, output);
      await output.commit();
      if (badSentences > 0) {
        const verb = how.onError === 'skip' ? 'skipped' : 'kept unlabelled';
        warn(`${counted(badSentences, 'sentence')} ${verb}; the first: ${firstProblem}`);
      }
    } catch (error) {
      await output.abandon();
      throw error;
    }
  },
};

async function labelHere(labeller: ColumnLabeller, input: string | undefined, output: Output) {
  for await (const chunk of readChunks(input)) {
    await output.write(labeller.push(chunk));
    if (labeller.stopped) throw labeller.stopped;
  }
  await output.write(labeller.finish());
  if (labeller.stopped) throw labeller.stopped;
  return { badSentences: labeller.badSentences, firstProblem: labeller.firstProblem?.message };
}
