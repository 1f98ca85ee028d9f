/** Outputs of systems as `compare` and `errors` take them: files with predictions, or models that label gold data. */
import { listNames, OptionError } from '../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../base/options.js';
import { columnStrings } from '../data/corpus.js';
import type { OutputWithWords } from '../evaluate/error-analysis.js';
import { corpusTags, schemeOfGold } from '../label/corpus-labeller.js';
import { scoreFoundWords } from '../label/score-words.js';
import { isModelFile, loadModelFile } from '../node/corpora.js';
import { readChunks } from '../node/files.js';
import { PredictedFileReader } from '../score/predicted-file.js';
import { Tagger } from '../tag/tagger.js';
import { decodeTags, SCHEME_ALIASES, SCHEMES, type SchemeName } from '../tags/scheme.js';
import { layoutOf, readLabelled } from './options.js';

/** `--gold`. */
export const GOLD_OPTION: OptionDeclaration = {
  name: 'gold',
  kind: 'string',
  placeholder: 'FILE',
  file: 'read',
  help: 'labelled data for the models among the systems',
};

/** `--scheme` where no model says it. */
export const SCHEME_OPTION: OptionDeclaration = {
  name: 'scheme',
  kind: 'choice',
  choices: Object.keys(SCHEMES),
  aliases: SCHEME_ALIASES,
  help: 'tag scheme, needed for IOBES without S, and for token: labels of single tokens',
};

/** @throws OptionError where `--gold` is given and no system is a model, which would label it. */
export async function checkGold(systems: readonly string[], options: OptionValues): Promise<void> {
  if (options.gold === undefined) return;
  if ((await Promise.all(systems.map(isModelFile))).includes(true)) return;
  throw new OptionError(
    'gold',
    `--gold: expected a model among the systems, which is to label it, found ${listNames(systems)}`,
  );
}

/**
 * Reads a system's output: of a model, which labels the data of `--gold`, or of a column file whose last two columns
 * are gold and predicted tags.
 *
 * @param words whether words are wanted: a file must then have a column before the tags.
 * @throws OptionError for a model without `--gold`, InputError for what files hold.
 */
export async function readOutput(
  path: string,
  options: OptionValues,
  words = false,
): Promise<OutputWithWords> {
  return (await isModelFile(path)) ? labelled(path, options) : predicted(path, options, words);
}

async function predicted(path: string, options: OptionValues, words: boolean): Promise<OutputWithWords> {
  const scheme = options.scheme as SchemeName | undefined;
  const reader = new PredictedFileReader(path, { ...layoutOf(options), scheme, words });
  const output = {
    name: path,
    scheme,
    gold: [] as (readonly string[])[],
    predicted: [] as (readonly string[])[],
    words: [] as (readonly string[])[],
    lines: [] as number[],
  };
  const take = () => {
    for (let sentence = reader.next(); sentence; sentence = reader.next()) {
      output.gold.push(sentence.gold);
      output.predicted.push(sentence.predicted);
      output.words.push(sentence.words);
      output.lines.push(sentence.firstLine);
    }
  };
  for await (const chunk of readChunks(path)) {
    reader.push(chunk);
    take();
  }
  reader.end();
  take();
  return output;
}

async function labelled(path: string, options: OptionValues): Promise<OutputWithWords> {
  if (options.gold === undefined) {
    throw new OptionError('gold', `--gold FILE is required, which the model ${path} is to label`);
  }
  const model = await loadModelFile(path);
  const corpus = await readLabelled(String(options.gold), options, model.configuration);
  const scheme = schemeOfGold(model, corpus);
  const sentences = [...corpus.starts.subarray(0, -1).keys()];
  const predicted = corpusTags(new Tagger(model), corpus, scheme);
  return {
    name: path,
    scheme,
    gold: sentences.map((s) => columnStrings(corpus, corpus.columns.length - 1, s)),
    predicted,
    words: sentences.map((s) => columnStrings(corpus, 0, s)),
    lines: sentences.map((s) => corpus.lines[corpus.starts[s]]),
    missed: corpus.missed,
    ...(model.configuration.tokens === 'characters' && {
      wordScores: scoreFoundWords(model, corpus, (s) => decodeTags(predicted[s])),
    }),
  };
}
