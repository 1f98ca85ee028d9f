import { OptionError } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { analyseErrors } from '../../evaluate/error-analysis.js';
import { readColumnsFile } from '../../node/corpora.js';
import { errorReport } from '../../report/error-report.js';
import { reportToMarkdown, reportToText } from '../../report/report.js';
import { scoresToJson } from '../../score/conlleval.js';
import type { Command } from '../command.js';
import {
  COLUMN_OPTIONS,
  INPUT_FORMAT_OPTION,
  inputFormatOf,
  JSON_OPTION,
  layoutOf,
  OFFSETS_OPTION,
  ON_ERROR_OPTION,
  PHRASES_OPTION,
  readLabelled,
} from '../options.js';
import { say } from '../render.js';
import { REPORT_OPTION, reportPath, writeReport } from '../report-file.js';
import { checkGold, GOLD_OPTION, readOutput, SCHEME_OPTION } from '../system-output.js';
import { TRAIN_OPTION } from '../training-options.js';

const OPTIONS: readonly OptionDeclaration[] = [
  { ...GOLD_OPTION, help: 'labelled data for the model' },
  { ...TRAIN_OPTION, help: 'training data, whose words (first column or field) count as seen' },
  { name: 'sentences', kind: 'integer', default: 20, min: 0, help: 'number of sentences to show' },
  { name: 'rows', kind: 'integer', default: 20, min: 0, help: 'number of words and confusions to list' },
  SCHEME_OPTION,
  REPORT_OPTION,
  { name: 'markdown', kind: 'flag', help: 'print Markdown' },
  JSON_OPTION,
  INPUT_FORMAT_OPTION,
  ...COLUMN_OPTIONS,
  OFFSETS_OPTION,
  PHRASES_OPTION,
  ON_ERROR_OPTION,
];

/** `spanwright errors`. */
export const errorsCommand: Command = {
  name: 'errors',
  help: 'analyse errors: confusions, bounds, lengths, unseen words and the worst sentences',
  positionals: ['SYSTEM'],
  inThread: true,
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes:
    'A system is a model (with --gold) or a column file: words first, gold and predicted tags last.\n' +
    'Example: spanwright errors model.safetensors --gold test.txt --train train.txt --report errors.html',
  async run({ options, positionals }) {
    if (positionals.length !== 1) {
      throw new OptionError('system', 'expected one system: a model, or a file with gold and predicted tags');
    }
    await checkGold(positionals, options);
    const [path] = positionals;
    const report = reportPath(options);
    const seen = options.train === undefined ? undefined : await wordsOf(String(options.train), options);
    const analysis = analyseErrors(await readOutput(path, options, true), seen);
    const shown = errorReport(analysis, {
      sentences: Number(options.sentences ?? 20),
      rows: Number(options.rows ?? 20),
    });
    if (report !== undefined) await writeReport(report, shown);
    if (options.json === true) {
      const { scores, fates, ...rest } = analysis;
      const json = { ...rest, scores: scoresToJson(scores), fates: Object.fromEntries(fates) };
      say(`${JSON.stringify(json, null, 2)}\n`);
    } else if (options.markdown === true) say(reportToMarkdown(shown));
    else if (report === undefined) say(reportToText(shown));
  },
};

/** The words of a file. */
async function wordsOf(path: string, options: OptionValues): Promise<ReadonlySet<string>> {
  const corpus =
    inputFormatOf(options, path) === 'columns'
      ? await readColumnsFile(path, {
          columns: ['word'],
          ...layoutOf(options),
        })
      : await readLabelled(path, options, { columns: ['word', 'label'], scheme: 'iob2' });
  return new Set(corpus.alphabets[0].toArray());
}
