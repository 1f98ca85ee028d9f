import { listNames, OptionError } from '../../base/errors.js';
import type { OptionValues } from '../../base/options.js';
import type { Corpus } from '../../data/corpus.js';
import type { Span } from '../../data/span.js';
import { type ModelCalibration, measureCalibration } from '../../evaluate/measure-calibration.js';
import { measureRobustness, PERTURBATIONS, type PerturbedScore } from '../../evaluate/perturb.js';
import { Pipeline } from '../../label/pipeline.js';
import { scoreModel } from '../../label/score-model.js';
import { type NamedText, scoreSegmentedTexts } from '../../label/score-segmented.js';
import { scoreWords } from '../../label/score-words.js';
import type { Configuration } from '../../model/configuration.js';
import { fileSize, readChunks, STANDARD_INPUT } from '../../node/files.js';
import { calibrationReport } from '../../report/calibration-report.js';
import { reportToText } from '../../report/report.js';
import { robustnessReport } from '../../report/robustness-report.js';
import {
  accuracyTable,
  type ChunkScores,
  conllevalTable,
  scoresToJson,
  wellFormed,
} from '../../score/conlleval.js';
import { averageScores, detailsTable, MatchScorer } from '../../score/match-scores.js';
import { PredictedFileScorer } from '../../score/predicted-file.js';
import { type WordScores, wordTable } from '../../score/word-scores.js';
import { findCorpusWords, scoreJoinedWords, unknownWordsOf } from '../../systems/found-words.js';
import { Tagger } from '../../tag/tagger.js';
import { decodeTags, SCHEME_ALIASES, SCHEMES, type SchemeName } from '../../tags/scheme.js';
import type { Command } from '../command.js';
import { columnsIn, warnOfUnreachableChunks } from '../data-warnings.js';
import {
  COLUMN_OPTIONS,
  DECODER_OPTIONS,
  decoderOf,
  ENCODING_OPTION,
  encodingOf,
  INPUT_FORMAT_OPTION,
  inputFormatOf,
  JSON_OPTION,
  layoutOf,
  MODEL_OPTION,
  modelOf,
  OFFSETS_OPTION,
  ON_ERROR_OPTION,
  PHRASES_OPTION,
  POS_MODEL_OPTION,
  posModelOf,
  readLabelled,
  readText,
} from '../options.js';
import { counted, say, warn } from '../render.js';
import { REPORT_OPTION, reportPath, writeReport } from '../report-file.js';

/** `spanwright evaluate`. */
export const evaluateCommand: Command = {
  name: 'evaluate',
  help: 'score a model on labelled data, or predictions in a file, as conlleval does',
  positionals: ['[FILE]'],
  inThread: true,
  groups: [
    {
      heading: 'Options',
      options: [
        {
          ...MODEL_OPTION,
          help: 'model to score on FILE; without it, and without --gold, the last two columns are gold and predicted',
        },
        {
          ...POS_MODEL_OPTION,
          help: 'with --model: replace the parts of speech of FILE by this model’s',
        },
        {
          name: 'scheme',
          kind: 'choice',
          choices: Object.keys(SCHEMES),
          aliases: SCHEME_ALIASES,
          help: 'tag scheme of FILE, needed without --model only; token: labels of single tokens',
        },
        {
          name: 'gold',
          kind: 'string',
          placeholder: 'GOLD',
          file: 'read',
          help: 'gold segmentation; FILE is then another segmentation of the same text, scored by words',
        },
        {
          name: 'words',
          advanced: true,
          kind: 'string',
          placeholder: 'FILE',
          file: 'read',
          help: 'with --gold: training words, one per line, to report recall of known and unknown words',
        },
        {
          name: 'strict',
          kind: 'flag',
          help: 'count only chunks whose tags are as the scheme (--scheme, or the model’s) writes them, as seqeval’s strict mode does',
        },
        {
          name: 'details',
          kind: 'flag',
          help: 'also print macro and weighted averages, and matches of bounds, overlaps and types alone (SemEval 2013)',
        },
        {
          name: 'calibration',
          kind: 'flag',
          help: 'with --model: also score the calibration of confidences',
        },
        {
          name: 'perturb',
          kind: 'flag',
          help: `with --model: also score FILE written otherwise: ${Object.entries(PERTURBATIONS)
            .map(([name, { help }]) => `${name} (${help})`)
            .join(', ')}`,
        },
        {
          name: 'join-unknown',
          advanced: true,
          kind: 'flag',
          help: 'with a model of words: join unknown words that are found elsewhere in FILE, by the thresholds of train --join-unknown',
        },
        { ...REPORT_OPTION, help: `${REPORT_OPTION.help}: the reliability diagram of --calibration` },
        JSON_OPTION,
        INPUT_FORMAT_OPTION,
        ON_ERROR_OPTION,
        ENCODING_OPTION,
        ...COLUMN_OPTIONS,
        OFFSETS_OPTION,
        PHRASES_OPTION,
      ],
    },
    { heading: 'Decoding', options: DECODER_OPTIONS },
  ],
  async run({ options, positionals }) {
    const input = positionals[0];
    checkUsed(options);
    const rates = options.calibration === true;
    const report = reportPath(options);
    if (report !== undefined && !rates) {
      throw new OptionError('report', '--report goes with --calibration');
    }
    if (options.gold !== undefined) {
      printWords(await scoreFiles(options, input), options);
      return;
    }
    let scores: ChunkScores;
    let calibration: ModelCalibration | undefined;
    let perturbed: PerturbedScore[] | undefined;
    let scheme = options.scheme as SchemeName | undefined;
    const isStrict = options.strict === true;
    const matches = options.details === true ? new MatchScorer() : undefined;
    const spansOf = (tags: readonly string[]) =>
      decodeTags(isStrict && scheme ? wellFormed(tags, scheme) : tags, scheme);
    const match = (gold: readonly string[], predicted: readonly string[]) =>
      matches?.add(...([gold, predicted].map(spansOf) as [Span[], Span[]]));
    if (options.model === undefined) {
      const scorer = new PredictedFileScorer(input ?? STANDARD_INPUT, {
        ...layoutOf(options),
        scheme,
        isStrict,
        onSentence: ({ gold, predicted }) => match(gold, predicted),
      });
      for await (const chunk of readChunks(input, encodingOf(options))) scorer.push(chunk);
      scores = scorer.finish();
    } else {
      const model = await modelOf(options);
      const tagger = new Tagger(model, decoderOf(options));
      const first = options['pos-model'] === undefined ? undefined : await posModelOf(options, model);
      scheme = model.configuration.scheme;
      const columns = await columnsToRead(input, options, model.configuration, first?.configuration);
      const corpus = await readLabelled(
        input,
        options,
        { ...model.configuration, columns },
        {
          fill: first && new Pipeline([first]),
        },
      );
      const labeller = first ? new Pipeline([first, tagger]) : tagger;
      calibration = rates ? measureCalibration(labeller, corpus) : undefined;
      if (report !== undefined && calibration) await writeReport(report, calibrationReport(calibration));
      warnOfUnreachableChunks(labeller, corpus);
      if (model.configuration.tokens === 'characters') {
        if (options.perturb === true) {
          throw new OptionError('perturb', '--perturb: expected a model of words, found one of characters');
        }
        const scores =
          options['join-unknown'] === true ? scoreJoined(tagger, corpus) : scoreWords(tagger, corpus);
        printWords(scores, options, calibration);
        return;
      }
      if (options['join-unknown'] === true) unknownWordsOf(model);
      scores = scoreModel(labeller, corpus, { isStrict, onSentence: match });
      matches?.addMissed(corpus.missed?.length ?? 0);
      if (options.perturb === true) {
        perturbed = measureRobustness(labeller, corpus, scheme === 'token' ? scores.accuracy : scores.f1);
      }
      warnOfUnseenTypes(scores, model.tagSet.types);
    }
    const table = scheme === 'token' ? accuracyTable(scores) : conllevalTable(scores);
    const details = matches && { averages: averageScores(scores), matches: matches.scores() };
    const robustness = perturbed && robustnessReport(perturbed, scheme === 'token' ? 'accuracy' : 'F');
    print(
      table +
        (details ? detailsTable(details.averages, details.matches) : '') +
        (robustness ? `\n${reportToText(robustness)}` : ''),
      { ...scoresToJson(scores), ...details, ...(perturbed && { perturbed }) },
      options,
      calibration,
    );
  },
};

/** The model's columns, without the one that `--pos-model` replaces if a column file does not have it. */
async function columnsToRead(
  input: string | undefined,
  options: OptionValues,
  configuration: Configuration,
  first: Configuration | undefined,
): Promise<readonly string[]> {
  const { columns, task } = configuration;
  const filled = first?.columns.at(-1);
  if (input === undefined || filled === undefined || !columns.includes(filled)) return columns;
  if ((await fileSize(input)) === 0 || inputFormatOf(options, input, task) !== 'columns') return columns;
  const isThere = (await columnsIn(input, options)) >= columns.length;
  return isThere ? columns : columns.filter((name) => name !== filled);
}

/** Options that name the thing to be scored, as messages show them; without one, the last two columns of a file. */
const SCORED = { model: '--model', gold: '--gold', columns: 'neither --model nor --gold' } as const;

/** Options that do not go with everything that is scored, and what they go with. */
const USED_BY: Readonly<Record<string, readonly (keyof typeof SCORED)[]>> = {
  'pos-model': ['model'],
  scheme: ['columns'],
  words: ['gold'],
  calibration: ['model'],
  perturb: ['model'],
  strict: ['model', 'columns'],
  details: ['model', 'columns'],
  'join-unknown': ['model'],
  separator: ['model', 'columns'],
  comments: ['model', 'columns'],
  header: ['model', 'columns'],
  offsets: ['model'],
  phrases: ['model'],
  'on-error': ['model'],
  ...Object.fromEntries(DECODER_OPTIONS.map(({ name }) => [name, ['model'] as const])),
};

/** Formats of what is scored, where not all are read. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  gold: ['segmented', 'tagged'],
  columns: ['columns'],
};

/** @throws OptionError for an option that would have no influence. */
function checkUsed(options: OptionValues): void {
  const { model, gold, 'input-format': format } = options;
  if (model !== undefined && gold !== undefined) {
    throw new OptionError('gold', '--gold GOLD compares two files: expected no --model beside it');
  }
  const scored = model !== undefined ? 'model' : gold !== undefined ? 'gold' : 'columns';
  for (const [name, users] of Object.entries(USED_BY)) {
    if (options[name] === undefined || options[name] === false || users.includes(scored)) continue;
    const expected = listNames(users.map((user) => SCORED[user]));
    throw new OptionError(name, `--${name}: expected ${expected}, found ${SCORED[scored]}`);
  }
  const formats = FORMATS[scored];
  if (format !== undefined && formats && !formats.includes(String(format))) {
    throw new OptionError(
      'input-format',
      `--input-format: expected ${listNames(formats)} with ${SCORED[scored]}, found ${format}`,
    );
  }
}

function printWords(scores: WordScores, options: OptionValues, calibration?: ModelCalibration): void {
  print(wordTable(scores), scores, options, calibration);
}

/** Scores words after unknown ones are joined. */
function scoreJoined(tagger: Tagger, corpus: Corpus): WordScores {
  const {
    unknownWords,
    knowledge: { words },
  } = tagger.model;
  unknownWordsOf(tagger.model);
  const sentences = findCorpusWords(tagger, corpus, corpus.starts.subarray(0, -1).keys());
  return scoreJoinedWords(sentences, words as ReadonlySet<string>, unknownWords);
}

/** Prints scores as a table or as JSON, and after them what confidences are worth. */
function print(table: string, scores: object, { json }: OptionValues, calibration?: ModelCalibration): void {
  const own = json === true ? `${JSON.stringify({ ...scores, calibration }, null, 2)}\n` : table;
  const more = calibration && json !== true ? `\n${reportToText(calibrationReport(calibration))}` : '';
  say(own + more);
}

/** Scores one segmented file against another. */
async function scoreFiles(options: OptionValues, predicted: string | undefined): Promise<WordScores> {
  const encoding = encodingOf(options);
  const read = async (path: string | undefined): Promise<NamedText> => ({
    source: path ?? STANDARD_INPUT,
    text: await readText(path, encoding),
  });
  const words = options.words === undefined ? undefined : (await read(String(options.words))).text;
  const format = options['input-format'] === 'tagged' ? 'tagged' : 'segmented';
  return scoreSegmentedTexts(await read(String(options.gold)), await read(predicted), {
    vocabulary: words === undefined ? undefined : new Set(words.split(/\s+/u).filter((word) => word !== '')),
    format,
  });
}

function warnOfUnseenTypes(scores: ChunkScores, known: readonly string[]): void {
  const unseen = [...scores.types].filter(([type, { gold }]) => gold > 0 && !known.includes(type));
  if (unseen.length === 0) return;
  const chunks = unseen.reduce((sum, [, { gold }]) => sum + gold, 0);
  warn(
    `${counted(chunks, 'gold chunk')} of ${counted(unseen.length, 'type')} that training never saw: ` +
      unseen.map(([type]) => type).join(', '),
  );
}
