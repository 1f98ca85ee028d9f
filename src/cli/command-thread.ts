/** Thread that runs a command; started by `run-in-thread.ts`. */
import { workerData } from 'node:worker_threads';
import { COMMANDS } from './command-table.js';
import type { ThreadCommand } from './run-in-thread.js';
import { beQuiet } from './terminal.js';

const { name, args, columns } = workerData as ThreadCommand;
process.stderr.isTTY = columns !== undefined;
if (columns !== undefined) process.stderr.columns = columns;
if (args.options.quiet === true) beQuiet();
const command = await COMMANDS[name]();
await command.run(args);
