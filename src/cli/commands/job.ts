import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError, OptionError, SpanwrightError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import type { InputFormat } from '../../data/formats/input-formats.js';
import { type DonePart, describePart, type FailedPart, type JobPlan } from '../../jobs/job-plan.js';
import type { LabelFormat } from '../../label/formats.js';
import { JobFolder } from '../../node/job-folder.js';
import { type JobStatus, jobStatus, type KnownPart } from '../../node/job-status.js';
import { mergeJob } from '../../node/merge-job.js';
import { planParts } from '../../node/plan-job.js';
import { type WorkOptions, workOnJob } from '../../node/work-on-job.js';
import { STANDARD_STREAM } from '../arguments.js';
import type { Command } from '../command.js';
import { checkVersion, folderOfInputs, PLACE_OPTIONS, partLabeller, planRequest } from '../job-labelling.js';
import { JoinedOutput, openLabelOutput, warnOfBad } from '../label-output.js';
import { FORMAT_NOTES, LABEL_GROUPS } from '../label-setup.js';
import { JSON_OPTION } from '../options.js';
import { OUTPUT_OPTION } from '../output.js';
import { byteSize, counted, duration, say, warn, withThousands } from '../render.js';
import { showStatus, showsProgress } from '../terminal.js';

const PART_BYTES: OptionDeclaration = {
  name: 'part-bytes',
  kind: 'string',
  placeholder: 'BYTES',
  default: '64MB',
  help: 'input of a part: 10 to 60 s of work is good; kB, MB and GB are understood',
};

const AGAIN: OptionDeclaration = {
  name: 'again',
  kind: 'flag',
  help: 'plan a job of the same options again: parts whose input is the same stay done',
};

/** `spanwright job plan`. */
export const jobPlanCommand: Command = {
  name: 'job plan',
  help: 'cut inputs into parts that any number of workers label: the folder JOB then says what is to be done',
  positionals: ['JOB', 'INPUT', '[...]'],
  groups: LABEL_GROUPS.map((group, i) =>
    i > 0 ? group : { ...group, options: [...group.options, PART_BYTES, AGAIN] },
  ),
  notes: `${FORMAT_NOTES}\n\nExample: spanwright job plan JOB corpus/*.txt --model chunker.safetensors`,
  async run({ options, positionals: [path, ...inputs] }) {
    if (path === undefined || inputs.length === 0) {
      throw new OptionError(
        'job',
        'expected the folder of the job and one or more inputs: job plan JOB INPUT …',
      );
    }
    if (inputs.includes(STANDARD_STREAM)) {
      throw new OptionError(
        'job',
        'expected files, found - for standard input, which cannot be read in parts',
      );
    }
    const size = bytesOf(String(options['part-bytes'] ?? PART_BYTES.default));
    const folder = new JobFolder(path);
    const before = folder.isPlanned ? folder.plan() : undefined;
    const request = await planRequest(options, inputs, size);
    folder.checkUsable();
    if (before) checkSameSettings(folder, before, request.settings);
    const { files, parts } = await planParts(request, ({ name, whole, size: bytes }, count) => {
      if (whole && bytes > size) {
        warn(
          `${name}: ${byteSize(bytes)} in one part, since it is packed, or of an encoding or format that is not cut`,
        );
      } else if (count === 1 && bytes > 2 * size) {
        warn(`${name}: ${byteSize(bytes)} in one part, since it has no borders: text is cut at blank lines`);
      }
    });
    const plan = { settings: request.settings, folder: folderOfInputs(folder, request.folder), files, parts };
    if (!folder.writePlan(plan, options.again === true)) checkSamePlan(folder, plan);
    const { done } = jobStatus(folder, plan);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    const already = done > 0 ? `, ${withThousands(done)} of them done` : '';
    say(`${path}: ${counted(parts.length, 'part')} of ${byteSize(bytes)} in all${already}\n`);
  },
};

/** Bytes that a size such as 64MB names. @throws OptionError where it is none. */
function bytesOf(size: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?(k|M|G)?B?$/i.exec(size) ?? [];
  const scale = { '': 1, k: 1e3, m: 1e6, g: 1e9 }[unit.toLowerCase()] as number;
  const bytes = Math.round(Number(number) * scale);
  if (bytes >= 1) return bytes;
  throw new OptionError('part-bytes', `--part-bytes: expected a size such as 500kB or 64MB, found ${size}`);
}

/** @throws InputError where the folder holds a job of other options. */
function checkSameSettings({ path }: JobFolder, before: JobPlan, settings: JobPlan['settings']): void {
  if (JSON.stringify(before.settings) === JSON.stringify(settings)) return;
  const { options, model, version } = before.settings;
  throw new InputError(
    { source: path },
    `expected the options, model and version of the job in it (${model.name}, Spanwright ${version}, ${JSON.stringify(options)}), ` +
      'found others; plan another job in a folder of its own',
  );
}

/** @throws InputError where the folder holds another job. */
function checkSamePlan(folder: JobFolder, plan: JobPlan): void {
  const before = folder.plan();
  checkSameSettings(folder, before, plan.settings);
  const keys = (own: JobPlan) => own.parts.map(({ key }) => key).join();
  if (keys(before) === keys(plan)) return;
  throw new InputError(
    { source: folder.path },
    `expected a folder without a job, found one of ${counted(before.parts.length, 'part')} that are others; --again plans ` +
      'it anew and keeps what is done of the same parts',
  );
}

const WORK_OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'workers',
    kind: 'integer',
    default: 1,
    min: 1,
    max: 256,
    help: 'processes on this machine, one a core; more may run on others',
  },
  ...PLACE_OPTIONS,
  {
    name: 'queue',
    kind: 'string',
    placeholder: 'redis://HOST:PORT',
    help: 'take parts from BullMQ on a Redis server rather than by files in JOB; needs the packages bullmq and ioredis',
  },
  {
    name: 'attempts',
    advanced: true,
    kind: 'integer',
    default: 5,
    min: 1,
    help: 'most attempts at a part that machines fail, workers that died at it included',
  },
  {
    name: 'lease',
    advanced: true,
    kind: 'number',
    default: 60,
    min: 0.5,
    placeholder: 'SECONDS',
    help: 'time after which a worker on another machine that gives no sign has lost its part',
  },
];

/** `spanwright job work`. */
export const jobWorkCommand: Command = {
  name: 'job work',
  help: 'label parts of a job until all are done; any number may run, on any machine that sees the folder',
  positionals: ['JOB'],
  groups: [{ heading: 'Options', options: WORK_OPTIONS }],
  notes: 'Exit code 0: all parts are done; 2: some failed because of their input; 1: a machine failed.',
  async run({ options, positionals }) {
    const folder = folderNamed(positionals);
    const workers = Number(options.workers ?? 1);
    if (workers > 1) await runWorkers(workers);
    else await work(folder, options);
  },
};

/** Starts this command several times, and waits for all. @throws SpanwrightError where one ends badly and parts are left. */
async function runWorkers(workers: number): Promise<void> {
  const args = process.argv.slice(2).filter((argument, i, all) => {
    return !/^--workers(=|$)/.test(argument) && all[i - 1] !== '--workers';
  });
  const env = { ...process.env, SPANWRIGHT_WORKERS: '1', [CHILD]: '1' };
  const children = Array.from({ length: workers }, () => fork(process.argv[1], args, { env }));
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      for (const child of children) child.kill(signal);
      process.exit(code);
    });
  }
  const ends = await Promise.all(
    children.map(
      (child) =>
        new Promise<number | string>((end) => child.on('exit', (code, signal) => end(code ?? signal ?? 1))),
    ),
  );
  // A worker that died matters only where the others did not do its work.
  const codes = ends.filter((end): end is number => typeof end === 'number');
  if (codes.length === 0)
    throw new SpanwrightError('worker-died', `all workers ended early (${ends.join(', ')})`);
  if (!codes.includes(0)) process.exit(Math.max(...codes));
}

/** Variable that tells a worker that the process which started it is to live as long as it does. */
const CHILD = 'SPANWRIGHT_JOB_CHILD';

/** Works on a job in this process. @param isMine which parts, by index; default all. */
export async function work(
  folder: JobFolder,
  options: OptionValues,
  isMine?: (index: number) => boolean,
): Promise<void> {
  if (process.env[CHILD] !== undefined) {
    process.once('disconnect', () => process.exit(1));
    // Else it would keep this process from ending.
    process.channel?.unref();
  }
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // The lease is given back on the way out.
    process.once(signal, () => process.exit(code));
  }
  const plan = folder.plan();
  const label = await partLabeller(folder, plan, options);
  const started = performance.now();
  let parts = 0;
  let tokens = 0;
  const how: WorkOptions = {
    label,
    isMine,
    attempts: Number(options.attempts ?? 5),
    leaseSeconds: Number(options.lease ?? 60),
    onPart: (outcome) => {
      if (isFailed(outcome)) return warn(`a part failed: ${outcome.message}`);
      parts++;
      tokens += outcome.tokens;
      const rate = withThousands((1000 * tokens) / (performance.now() - started));
      showStatus(`${counted(parts, 'part')} done here, ${rate} tokens a second`);
    },
    onRetry: (part, problem, seconds) =>
      warn(`${describePart(plan, part)}: ${problem}; tried again in ${counted(seconds, 'second')}`),
  };
  if (options.queue === undefined) await workOnJob(folder, plan, how);
  else {
    const { workFromQueue } = await import('../../node/job-queue.js');
    await workFromQueue(folder, plan, how, { url: String(options.queue), onTrouble: warn });
  }
  showStatus('');
  if (showsProgress()) {
    const elapsed = performance.now() - started;
    process.stderr.write(
      `${counted(parts, 'part')} done here (${counted(tokens, 'token')}) in ${duration(elapsed)}\n`,
    );
  }
  const own = { ...plan, parts: plan.parts.filter((_, index) => isMine?.(index) ?? true) };
  refuseFailed(folder, jobStatus(folder, own));
}

function isFailed(outcome: DonePart | FailedPart): outcome is FailedPart {
  return 'message' in outcome;
}

/** @throws SpanwrightError that names the first of the parts that failed, if one did. */
function refuseFailed({ path }: JobFolder, { failed, parts }: JobStatus): void {
  if (failed.length === 0) return;
  const first = failed.find(({ isInput }) => isInput) ?? failed[0];
  throw new SpanwrightError(
    first.isInput ? 'bad-input' : 'worker-died',
    `${path}: ${counted(failed.length, 'part')} of ${withThousands(parts)} failed, the others are done; the first: ` +
      `${first.message}; job retry lets workers try again`,
  );
}

/** `spanwright job status`. */
export const jobStatusCommand: Command = {
  name: 'job status',
  help: 'say how far a job is, how fast, and what failed',
  positionals: ['JOB'],
  groups: [
    {
      heading: 'Options',
      options: [
        { name: 'watch', kind: 'flag', help: 'every second, until all parts are done or have failed' },
        { ...JSON_OPTION, help: 'status as JSON, an object a line' },
      ],
    },
  ],
  async run({ options, positionals }) {
    const folder = folderNamed(positionals);
    const plan = folder.plan();
    const known = new Map<string, KnownPart>();
    for (;;) {
      const status = jobStatus(folder, plan, known);
      const isOver = options.watch !== true || status.done + status.failed.length === status.parts;
      if (options.json === true) process.stdout.write(`${JSON.stringify(status)}\n`);
      else if (isOver) {
        showStatus('');
        say(statusText(folder, status));
      } else if (showsProgress()) showStatus(statusLine(status));
      else say(`${statusLine(status)}\n`);
      if (isOver) return;
      await sleep(1000);
    }
  },
};

/** Failed parts that are listed. */
const LISTED = 20;

function statusLine({ parts, done, failed, working, tokensPerSecond, secondsLeft }: JobStatus): string {
  const rate = tokensPerSecond === null ? '' : `, ${withThousands(tokensPerSecond)} tokens a second`;
  const left = secondsLeft === null || done === parts ? '' : `, about ${duration(1000 * secondsLeft)} left`;
  return `${withThousands(done)} of ${counted(parts, 'part')} done, ${withThousands(working)} under way, ${withThousands(failed.length)} failed${rate}${left}`;
}

function statusText({ path }: JobFolder, status: JobStatus): string {
  const { failed, tokens, sentences, bytes, bytesDone } = status;
  const lines = [
    `${path}: ${statusLine(status)}`,
    `${counted(sentences, 'sentence')} (${counted(tokens, 'token')}), ${byteSize(bytesDone)} of ${byteSize(bytes)}`,
    ...failed
      .slice(0, LISTED)
      .map(({ message, attempts }) => `failed after ${counted(attempts, 'attempt')}: ${message}`),
    ...(failed.length > LISTED ? [`and ${withThousands(failed.length - LISTED)} more that failed`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** `spanwright job retry`. */
export const jobRetryCommand: Command = {
  name: 'job retry',
  help: 'forget that parts failed, so that workers try them again',
  positionals: ['JOB'],
  groups: [
    {
      heading: 'Options',
      options: [
        {
          name: 'damaged',
          kind: 'flag',
          help: 'look at all outputs as well, and forget parts whose output is not what its record says',
        },
      ],
    },
  ],
  async run({ options, positionals }) {
    const folder = folderNamed(positionals);
    const plan = folder.plan();
    let failed = 0;
    for (const { key } of plan.parts) {
      if (!folder.has('failed', key)) continue;
      folder.remove('failed', key);
      failed++;
    }
    const damaged = options.damaged === true ? await forgetDamaged(folder, plan) : 0;
    const also = damaged > 0 ? `, and ${counted(damaged, 'part')} whose output is damaged` : '';
    say(`${folder.path}: ${counted(failed, 'part')} that failed${also} to be tried again\n`);
  },
};

/** Removes records of parts whose output is not what they say; how many. */
async function forgetDamaged(folder: JobFolder, plan: JobPlan): Promise<number> {
  let count = 0;
  const nowhere = { next: async () => undefined, write: async () => undefined };
  for (const part of plan.parts) {
    if (!folder.has('done', part.key)) continue;
    const alone = { ...plan, parts: [part] };
    try {
      await mergeJob(folder, alone, nowhere);
    } catch {
      folder.remove('done', part.key);
      count++;
    }
  }
  return count;
}

/** `spanwright job merge`. */
export const jobMergeCommand: Command = {
  name: 'job merge',
  help: 'write the output of a job, once all its parts are done: what label gives of the same inputs, to the byte',
  positionals: ['JOB'],
  groups: [{ heading: 'Options', options: [OUTPUT_OPTION] }],
  inThread: true,
  async run({ options, positionals }) {
    const folder = folderNamed(positionals);
    const plan = folder.plan();
    checkVersion(folder, plan.settings);
    const { format, 'input-format': inputFormat } = plan.settings.options;
    const isTable = format === 'parquet';
    const how = { ...plan.settings.options, output: options.output ?? STANDARD_STREAM };
    const opened = await openLabelOutput(how, { inputFormat: inputFormat as InputFormat, isTable });
    const output = new JoinedOutput(opened, isTable ? 'spans-jsonl' : (format as LabelFormat));
    try {
      const { badSentences, firstProblem } = await mergeJob(folder, plan, output);
      await output.commit();
      const setup = { options: plan.settings.options, inputFormat: inputFormat as InputFormat };
      warnOfBad(setup, badSentences, firstProblem);
    } catch (error) {
      await output.abandon();
      throw error;
    }
  },
};

/** The folder that a command is given. */
function folderNamed([path]: readonly string[]): JobFolder {
  if (path === undefined) throw new OptionError('job', 'expected the folder of a job');
  return new JobFolder(path);
}
