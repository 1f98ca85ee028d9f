import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command.js';
import { compareCommand } from '../../src/cli/commands/compare.js';
import { convertCommand } from '../../src/cli/commands/convert.js';
import { crossvalCommand } from '../../src/cli/commands/crossval.js';
import { curveCommand } from '../../src/cli/commands/curve.js';
import { errorsCommand } from '../../src/cli/commands/errors.js';
import { evaluateCommand } from '../../src/cli/commands/evaluate.js';
import { experimentCommand } from '../../src/cli/commands/experiment.js';
import { infoCommand } from '../../src/cli/commands/info.js';
import { inspectCommand } from '../../src/cli/commands/inspect.js';
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
        'spanwright: unknown command "tag"; expected train, label, evaluate, crossval, compare, tune, curve, errors, experiment, convert, inspect or info\n',
    });
  });

  it.each(COMMANDS)('$name --help lists every option with its help, and its choices', async (command) => {
    const { code, stdout, stderr } = await run([command.name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`usage: spanwright ${command.name} [options]`)).toBe(true);
    const options = command.groups.flatMap((group) => group.options);
    expect(options.length).toBeGreaterThan(0);
    for (const option of [
      ...options,
      { name: 'help', help: 'show this help', kind: 'flag' as const, choices: [] },
    ]) {
      // The option's own lines, up to the next one or a blank line.
      const [entry] = new RegExp(`^  --${option.name}[ \\n][^]*?(?=\\n {2}--|\\n\\n)`, 'm').exec(
        `${stdout}\n`,
      ) ?? [''];
      expect(entry, option.name).toContain(option.help);
      for (const choice of option.choices ?? []) expect(entry).toContain(choice);
    }
  });

  it('train --help has the options of all learners, strategies and decoders', async () => {
    const { stdout } = await run(['train', '--help']);
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
