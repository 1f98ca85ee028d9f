import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { checkCommand } from '../../src/cli/commands/check.js';
import { compareCommand } from '../../src/cli/commands/compare.js';
import { convertCommand } from '../../src/cli/commands/convert.js';
import { crossvalCommand } from '../../src/cli/commands/crossval.js';
import { curveCommand } from '../../src/cli/commands/curve.js';
import { errorsCommand } from '../../src/cli/commands/errors.js';
import { evaluateCommand } from '../../src/cli/commands/evaluate.js';
import { experimentCommand } from '../../src/cli/commands/experiment.js';
import { infoCommand } from '../../src/cli/commands/info.js';
import { inspectCommand } from '../../src/cli/commands/inspect.js';
import {
  jobMergeCommand,
  jobPlanCommand,
  jobRetryCommand,
  jobStatusCommand,
  jobWorkCommand,
} from '../../src/cli/commands/job.js';
import { labelCommand } from '../../src/cli/commands/label.js';
import { trainCommand } from '../../src/cli/commands/train.js';
import { tuneCommand } from '../../src/cli/commands/tune.js';
import { run, runShell } from './program.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const COMMANDS: Command[] = [
  trainCommand,
  labelCommand,
  evaluateCommand,
  crossvalCommand,
  compareCommand,
  tuneCommand,
  curveCommand,
  errorsCommand,
  experimentCommand,
  jobPlanCommand,
  jobWorkCommand,
  jobStatusCommand,
  jobRetryCommand,
  jobMergeCommand,
  checkCommand,
  convertCommand,
  inspectCommand,
  infoCommand,
];

describe('spanwright', () => {
  it('--version is the package’s', async () => {
    for (const name of ['--version', '-v'])
      expect(await run([name])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('-h is --help', async () => {
    expect(await run(['-h'])).toEqual(await run(['--help']));
    expect(await run(['label', '-h'])).toEqual(await run(['label', '--help']));
  });

  it('runs by itself', async () => {
    expect((await runShell('"$1" --version')).stdout).toBe(`${version}\n`);
  });

  it('--help lists every command; so does a call without arguments, which is wrong', async () => {
    const help = await run(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const { name } of COMMANDS) expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(await run([])).toEqual({ ...help, code: 2 });
  });

  it('refuses an unknown command and lists those there are', async () => {
    expect(await run(['tag', 'file'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'spanwright: unknown command "tag"; there are train, label, evaluate, crossval, compare, tune, curve, errors, experiment, job plan, job work, job status, job retry, job merge, serve, clusters, gazetteer, check, convert, inspect, init, completion or info\n',
    });
  });

  it.each(COMMANDS)('$name --help all lists every option with its help, and its choices', async (command) => {
    const { code, stdout, stderr } = await run([...command.name.split(' '), '--help', 'all']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`usage: spanwright ${command.name} [options]`)).toBe(true);
    const groups = command.groups.flatMap((group) => group.parts ?? [group]);
    const options = groups.flatMap((group) => group.options);
    expect(options.length).toBeGreaterThan(0);
    for (const option of [
      ...options,
      { name: 'help', help: 'show this help', kind: 'flag' as const, choices: [] },
    ]) {
      // The option's own lines, up to the next one or a blank line; parts may have options of the same name.
      const own = new RegExp(`^  (?:-\\w, )?--${option.name}[ \\n][^]*?(?=\\n {2}-|\\n\\n)`, 'gm');
      const entries = [...`${stdout}\n`.matchAll(own)].map(([entry]) => entry.replace(/\s+/g, ' '));
      const described = entries.filter((entry) => entry.includes(option.help));
      expect(described, option.name).not.toEqual([]);
      for (const choice of option.choices ?? []) expect(described[0]).toContain(choice);
    }
  });

  it('--help lists what most need, fits 80 columns, and says how much more there is', async () => {
    for (const command of COMMANDS) {
      const { stdout } = await run([...command.name.split(' '), '--help']);
      const lines = stdout.split('\n').filter((line) => !line.startsWith('Example: '));
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
    const { stdout } = await run(['train', '--help']);
    expect(stdout).not.toContain('--piece-length');
    expect(stdout).toMatch(/--help all +list \d+ more options/);
    expect((await run(['label', '--help', 'all'])).stdout).not.toContain('for greedy');
  });

  it('train --help says which learners and strategies go with which decoder', async () => {
    const stdout = (await run(['train', '--help'])).stdout.replace(/\s+/g, ' ');
    expect(stdout).toContain('semi-markov learners mira');
    expect(stdout).toContain('beam strategies ova, c-ova; learners crammer-singer, maxent');
  });

  it('train --help has the options of all learners, strategies and decoders', async () => {
    const { stdout } = await run(['train', '--help', 'all']);
    for (const name of ['C', 'loss', 'epochs', 'epsilon', 'beam', 'order'])
      expect(stdout).toContain(`  --${name} `);
  });

  it('info shows version, kernels and threads', async () => {
    const { stdout } = await run(['info']);
    expect(stdout).toContain(`spanwright ${version} on Node ${process.version}`);
    expect(stdout).toMatch(/^kernels: simd$/m);
    const json = JSON.parse((await run(['info', '--json'])).stdout);
    expect(json).toMatchObject({ version, node: process.version });
    expect(json.threads).toBeGreaterThan(0);
  });
});
