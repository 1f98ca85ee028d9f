import { OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import type { InputFormat } from '../../data/formats/input-formats.js';
import type { RegionWork } from '../../jobs/label-region.js';
import { fileSize, readChunks } from '../../node/files.js';
import type { LabelPool } from '../../node/label-pool.js';
import { STANDARD_STREAM } from '../arguments.js';
import type { Command } from '../command.js';
import { JoinedOutput, LabelProgress, labelHere, openLabelOutput, warnOfBad } from '../label-output.js';
import { FORMAT_NOTES, LABEL_GROUPS, LabelSetup } from '../label-setup.js';
import { encodingOf, inputFormatOf, threadsOption } from '../options.js';
import { isStandardOutput, OUTPUT_OPTION } from '../output.js';
import { showsProgress } from '../terminal.js';

const OPTIONS: readonly OptionDeclaration[] = [
  OUTPUT_OPTION,
  threadsOption(
    'threads for column files; worth it from some 20 MB on; the output is the same for any number',
  ),
  {
    name: 'rank',
    advanced: true,
    kind: 'integer',
    min: 0,
    help: 'INPUT is the folder of a job (job plan): label its parts R, R + N, …, from 0, and nothing else',
  },
  { name: 'ranks', advanced: true, kind: 'integer', min: 1, help: 'number N of ranks' },
];

/** Options that stand beside --rank; the job says all else. */
const BESIDE_RANK = ['rank', 'ranks', 'quiet', 'color', 'model'];

/** Labels one rank's share of a job's parts. */
async function labelRank(options: OptionValues, inputs: readonly string[]): Promise<void> {
  const { rank, ranks } = options;
  if (rank === undefined || ranks === undefined || Number(rank) >= Number(ranks)) {
    throw new OptionError(
      'rank',
      `--rank R --ranks N: expected both, and R from 0 to N − 1, found ${rank} and ${ranks}`,
    );
  }
  const other = Object.keys(options).find((name) => !BESIDE_RANK.includes(name));
  if (other !== undefined) {
    throw new OptionError(
      other,
      `--rank: expected no other options than those of the job’s plan, found --${other}`,
    );
  }
  if (inputs.length !== 1) throw new OptionError('rank', '--rank: expected one INPUT, the folder of a job');
  const { work } = await import('./job.js');
  const { JobFolder } = await import('../../node/job-folder.js');
  await work(new JobFolder(inputs[0]), options, (index) => index % Number(ranks) === Number(rank));
}

/** `spanwright label`. */
export const labelCommand: Command = {
  name: 'label',
  help: 'label text with a model; several inputs give one output; without any, reads standard input',
  positionals: ['[INPUT]', '[...]'],
  inThread: async ({ options, positionals }) =>
    !isStandardOutput(options.output) || (await isLarge(options, positionals)),
  groups: LABEL_GROUPS.map((group, i) =>
    i > 0 ? group : { ...group, options: [...group.options, ...OPTIONS] },
  ),
  notes: `${FORMAT_NOTES}\n\nExample: echo "The dog barks." | spanwright label --text`,
  async run({ options, positionals }) {
    if (options.rank !== undefined || options.ranks !== undefined) return labelRank(options, positionals);
    const inputs = positionals.length === 0 ? [undefined] : positionals.map(inputNamed);
    const setup = await LabelSetup.of(options, inputs);
    const { inputFormat } = setup;
    const prepare = inputFormat === 'columns' ? columnRun : unitRun(inputFormat);
    // What is wrong with the call is said before anything is written.
    let run = await prepare(setup, inputs[0]);
    if (inputs[0] === undefined && process.stdin.isTTY) {
      process.stderr.write('spanwright: reading from the keyboard; end with Ctrl-D on a line of its own\n');
    }
    const output = new JoinedOutput(await openLabelOutput(setup.options, setup), setup.format);
    const progress = new LabelProgress(
      showsProgress() && !(isStandardOutput(options.output) && process.stdout.isTTY),
    );
    try {
      for (const [i, input] of inputs.entries()) {
        if (i > 0) run = await prepare(setup, input);
        await output.next();
        await progress.next(input);
        const { badSentences, firstProblem } = await run(output, progress);
        progress.end();
        warnOfBad(setup, badSentences, firstProblem);
      }
      await output.commit();
      progress.summarise();
    } catch (error) {
      progress.end();
      await output.abandon();
      throw error;
    }
  },
};

/** Bytes of documents from which on starting a thread is little beside labelling them. */
const MANY_BYTES = 1e6;

/** Whether one of the inputs may ask for much memory at once: a large one that is not read line by line. */
async function isLarge(options: OptionValues, inputs: readonly string[]): Promise<boolean> {
  const isOfDocuments = (input: string) =>
    options.text === true || inputFormatOf(options, input) !== 'columns';
  const sizes = await Promise.all(inputs.filter(isOfDocuments).map(fileSize));
  return sizes.some((size) => size > MANY_BYTES);
}

/** Does the work once everything is checked. */
type Run = (
  output: JoinedOutput,
  progress: LabelProgress,
) => Promise<{ badSentences: number; firstProblem: string | undefined }>;

/** Path of an input; - is standard input. */
function inputNamed(positional: string): string | undefined {
  return positional === STANDARD_STREAM ? undefined : positional;
}

/** Prepares labelling of a column file. */
async function columnRun(setup: LabelSetup, input: string | undefined): Promise<Run> {
  const { options, bytes: model, source: modelSource, decoder } = setup;
  setup.checkColumns();
  const how = setup.at({ input });
  const threads = Number(options.threads ?? 1);
  if (threads > 1 && typeof how.format === 'function') {
    throw new OptionError('threads', '--threads: expected 1 with --format pretty');
  }
  const pool =
    threads > 1 ? await labelPool(threads, { model, modelSource, decoder, options: how }, input) : undefined;
  const labeller = setup.columnLabeller(how);
  const chunks = () => readChunks(input, encodingOf(options));
  if (!pool) return (output, progress) => labelHere(labeller, progress.watch(chunks(), labeller), output);
  return (output, progress) => pool.label(labeller, progress.watch(chunks()), (part) => output.write(part));
}

/** Threads for an input, started before this one reads the model if the input is known to be large. */
async function labelPool(threads: number, data: RegionWork, input: string | undefined): Promise<LabelPool> {
  const { LabelPool } = await import('../../node/label-pool.js');
  const pool = new LabelPool(threads, data);
  if (input !== undefined && LabelPool.isWorthThreads(await fileSize(input))) pool.start();
  return pool;
}

/** Prepares labelling of an input that is read unit by unit. */
function unitRun(inputFormat: Exclude<InputFormat, 'columns'>) {
  return async (setup: LabelSetup, input: string | undefined): Promise<Run> => {
    const labeller = await setup.unitLabeller(inputFormat, setup.at({ input }));
    return (output, progress) =>
      labelHere(labeller, progress.watch(readChunks(input, encodingOf(setup.options)), labeller), output);
  };
}
