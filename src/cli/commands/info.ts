import { availableParallelism } from 'node:os';
import { VERSION } from '../../base/version.js';
import { bestKernels } from '../../kernels/kernels.js';
import type { Command } from '../command.js';
import { JSON_OPTION } from '../options.js';

/** `spanwright info`. */
export const infoCommand: Command = {
  name: 'info',
  help: 'show version, kernels and threads',
  positionals: [],
  groups: [{ heading: 'Options', options: [JSON_OPTION] }],
  async run({ options }) {
    const info = {
      version: VERSION,
      node: process.version,
      kernels: bestKernels(),
      threads: availableParallelism(),
    };
    process.stdout.write(
      options.json === true
        ? `${JSON.stringify(info)}\n`
        : `spanwright ${info.version} on Node ${info.node}\nkernels: ${info.kernels}\nthreads: ${info.threads} available\n`,
    );
  },
};
