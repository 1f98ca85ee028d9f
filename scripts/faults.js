// Faults of machines, `npm run faults`: kills commands at random moments and runs them again, and takes away disk space, memory,
// permissions and readers. Ends with 1 if an old file was lost, a result differs, something was left behind, or an error was not clear.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FAILURES } from './faults/failures.js';
import { makeInputs } from './faults/inputs.js';
import { JOB_FAILURES } from './faults/jobs.js';
import { KILLED, Killer } from './faults/kills.js';
import { load } from './fuzz/dist.js';

const USAGE = `usage: npm run faults -- [options]
  --kills N    commands killed at a random moment (default 60; 0 for none)
  --seed N     seed of the moments (default 1)
  --only NAME  one command or failure
  --keep       leave the files of what failed`;

const { Random } = await load('base/random.js');
const options = readOptions();
const folder = mkdtempSync(join(tmpdir(), 'spanwright-faults-'));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => {
  if (!options.keep) rmSync(folder, { recursive: true, force: true });
});

const started = performance.now();
const problems = [];
const inputs = await makeInputs(join(folder, 'inputs'));
await tryKills();
await tryFailures();
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s, ${problems.length} problems`);
if (options.keep) console.log(`files: ${folder}`);
process.exit(problems.length > 0 ? 1 : 0);

/** Kills commands in turn, so that each has its share. */
async function tryKills() {
  const chosen = KILLED.filter(({ name }) => options.only === undefined || options.only === name);
  for (const [i, command] of chosen.entries()) {
    const count = Math.floor((options.kills + i) / chosen.length);
    if (count === 0) continue;
    const killer = new Killer(command, inputs, join(folder, command.name));
    const counts = { killed: 0, again: 0, ended: 0 };
    let bad = 0;
    await killer.runWhole();
    for (let number = 0; number < count; number++) {
      // Each kill has random numbers of its own.
      const random = new Random(options.seed, number * KILLED.length + KILLED.indexOf(command));
      try {
        const { kills } = await killer.kill(random);
        counts.killed += kills > 0 ? 1 : 0;
        counts.again += kills > 1 ? 1 : 0;
        counts.ended += kills === 0 ? 1 : 0;
      } catch (error) {
        bad++;
        complain(`${command.name}, kill ${number}`, error);
      }
    }
    console.log(
      `${command.name.padEnd(28)} ${count} tried: ${counts.killed} killed, ${counts.again} of them twice, ` +
        `${counts.ended} had ended, ${bad} failed`,
    );
  }
}

/** Runs commands where the machine fails them. */
async function tryFailures() {
  for (const { name, run } of [...FAILURES, ...JOB_FAILURES]) {
    if (options.only !== undefined && options.only !== name) continue;
    try {
      const skipped = await run(inputs, join(folder, name.replaceAll(/[ ,]+/g, '-')), options);
      console.log(`${name.padEnd(28)} ${skipped === undefined ? 'as it should be' : `skipped: ${skipped}`}`);
    } catch (error) {
      complain(name, error);
    }
  }
}

function complain(what, error) {
  problems.push(what);
  console.error(`FAILED ${what} (--seed ${options.seed}): ${error.message}`);
  if (error.name !== 'Fault') console.error(error.stack);
}

function readOptions() {
  const text = { type: 'string' };
  try {
    const { values } = parseArgs({
      options: { kills: text, seed: text, only: text, keep: { type: 'boolean' }, help: { type: 'boolean' } },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const { kills = '60', seed = '1', only, keep = false } = values;
    const names = [...KILLED, ...FAILURES, ...JOB_FAILURES].map(({ name }) => name);
    if (only !== undefined && !names.includes(only)) {
      throw new Error(`--only: expected ${names.join(', ')}, found ${only}`);
    }
    for (const value of [kills, seed]) {
      if (!/^\d+$/.test(value)) throw new Error(`expected a number, found ${value}`);
    }
    return { kills: Number(kills), seed: Number(seed), only, keep };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}
