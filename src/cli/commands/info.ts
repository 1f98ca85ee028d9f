import { availableParallelism } from 'node:os';
import type { OptionDeclaration } from '../../base/options.js';
import { VERSION } from '../../base/version.js';
import { bestKernels } from '../../kernels/kernels.js';
import type { Command } from '../command.js';
import { configurationSchema, experimentSchema } from '../json-schema.js';
import { JSON_OPTION } from '../options.js';

const SCHEMA_OPTION: OptionDeclaration = {
  name: 'schema',
  kind: 'choice',
  choices: ['configuration', 'experiment'],
  help: 'print the JSON schema of configuration files (--config) or of experiment files',
};

/** `spanwright info`. */
export const infoCommand: Command = {
  name: 'info',
  help: 'show version, kernels and threads, or the JSON schema of a kind of file',
  positionals: [],
  groups: [{ heading: 'Options', options: [JSON_OPTION, SCHEMA_OPTION] }],
  async run({ options }) {
    if (options.schema !== undefined) {
      const schema = options.schema === 'experiment' ? experimentSchema() : configurationSchema();
      process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
      return;
    }
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
