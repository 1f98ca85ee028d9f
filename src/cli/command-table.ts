import type { Command } from './command.js';

/** All commands, by name; read when they are called, since reading them all takes longer than labelling a page of text. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  train: async () => (await import('./commands/train.js')).trainCommand,
  label: async () => (await import('./commands/label.js')).labelCommand,
  evaluate: async () => (await import('./commands/evaluate.js')).evaluateCommand,
  crossval: async () => (await import('./commands/crossval.js')).crossvalCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  tune: async () => (await import('./commands/tune.js')).tuneCommand,
  curve: async () => (await import('./commands/curve.js')).curveCommand,
  errors: async () => (await import('./commands/errors.js')).errorsCommand,
  experiment: async () => (await import('./commands/experiment.js')).experimentCommand,
  'job plan': async () => (await import('./commands/job.js')).jobPlanCommand,
  'job work': async () => (await import('./commands/job.js')).jobWorkCommand,
  'job status': async () => (await import('./commands/job.js')).jobStatusCommand,
  'job retry': async () => (await import('./commands/job.js')).jobRetryCommand,
  'job merge': async () => (await import('./commands/job.js')).jobMergeCommand,
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  clusters: async () => (await import('./commands/clusters.js')).clustersCommand,
  gazetteer: async () => (await import('./commands/gazetteer.js')).gazetteerCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  convert: async () => (await import('./commands/convert.js')).convertCommand,
  inspect: async () => (await import('./commands/inspect.js')).inspectCommand,
  init: async () => (await import('./commands/init.js')).initCommand,
  completion: async () => (await import('./commands/completion.js')).completionCommand(COMMANDS),
  info: async () => (await import('./commands/info.js')).infoCommand,
};
