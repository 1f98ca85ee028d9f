/** Thread that runs a command; started by `run-in-thread.ts`. */
import { workerData } from 'node:worker_threads';
import { COMMANDS } from './command-table.js';
import type { ThreadCommand } from './run-in-thread.js';

const { name, args, isTerminal } = workerData as ThreadCommand;
process.stderr.isTTY = isTerminal;
const command = await COMMANDS[name]();
await command.run(args);
