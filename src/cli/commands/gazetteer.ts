import { OptionError } from '../../base/errors.js';
import type { OptionDeclaration } from '../../base/options.js';
import { type ListReport, measureLists } from '../../systems/measure-lists.js';
import type { Command } from '../command.js';
import { JSON_OPTION, readLabelled, required } from '../options.js';
import { say } from '../render.js';
import { RESOURCE_OPTIONS, resourcesOf } from '../resources.js';
import { INPUT_OPTIONS, TRAIN_OPTION } from '../training-options.js';

const OPTIONS: readonly OptionDeclaration[] = [
  ...RESOURCE_OPTIONS.filter(({ name }) => name === 'gazetteer'),
  { ...TRAIN_OPTION, help: 'labelled data to compare the lists with' },
  ...INPUT_OPTIONS.filter(({ name }) => name !== 'pos-model'),
  JSON_OPTION,
];

/** `spanwright gazetteer`. */
export const gazetteerCommand: Command = {
  name: 'gazetteer',
  help: 'compare lists of names with labelled data: coverage, precision, entries that never match',
  positionals: [],
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes: 'Example: spanwright gazetteer --gazetteer city=cities.txt,person=people.txt --train train.txt',
  async run({ options }) {
    const resources = await resourcesOf(options);
    if (!resources?.gazetteers) throw new OptionError('gazetteer', '--gazetteer NAME=FILE is required');
    const file = required(options, 'train', 'FILE');
    const columns =
      options.columns === undefined ? ['word', '...', 'entity'] : String(options.columns).split(',');
    const corpus = await readLabelled(file, options, { task: 'entities', columns, scheme: 'iob2' });
    const reports = measureLists(corpus, resources.gazetteers);
    say(options.json === true ? `${JSON.stringify(reports, null, 2)}\n` : table(reports));
  },
};

function table(reports: readonly ListReport[]): string {
  const row = (cells: readonly (string | number)[]) =>
    `${String(cells[0]).padEnd(16)}${cells
      .slice(1)
      .map((cell) => String(cell).padStart(12))
      .join('')}\n`;
  const share = (part: number, whole: number) =>
    whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
  let text = row(['list', 'entries', 'matches', 'are names', 'names found', 'main type', 'unused']);
  for (const { name, entries, matches, names, type, covered, all, unused } of reports) {
    text += row([name, entries, matches, share(names, matches), share(covered, all), type, unused]);
  }
  return text;
}
