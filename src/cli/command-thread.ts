/** Thread that runs a command; started by `run-in-thread.ts`. */
import { workerData } from 'node:worker_threads';
import { COMMANDS } from './command-table.js';
import type { ThreadCommand } from './run-in-thread.js';
import { beQuiet } from './terminal.js';

const { name, args, terminals } = workerData as ThreadCommand;
Object.assign(process.stdin, terminals.stdin);
Object.assign(process.stdout, terminals.stdout);
Object.assign(process.stderr, terminals.stderr);
if (args.options.quiet === true) beQuiet();
const command = await COMMANDS[name]();
await command.run(args);
