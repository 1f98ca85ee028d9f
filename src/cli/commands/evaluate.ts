import type { Separator } from '../../data/formats/columns.js';
import { Pipeline } from '../../label/pipeline.js';
import { scoreModel } from '../../label/score-model.js';
import { Tagger } from '../../model/tagger.js';
import { readChunks, STANDARD_INPUT } from '../../node/files.js';
import { accuracyTable, type ChunkScores, conllevalTable, scoresToJson } from '../../score/conlleval.js';
import { PredictedFileScorer } from '../../score/predicted-file.js';
import { SCHEMES, type SchemeName } from '../../tags/scheme.js';
import type { Command } from '../command.js';
import {
  DECODER_OPTIONS,
  decoderOf,
  INPUT_FORMAT_OPTION,
  JSON_OPTION,
  MODEL_OPTION,
  modelOf,
  OFFSETS_OPTION,
  POS_MODEL_OPTION,
  posModelOf,
  readLabelled,
  SEPARATOR_OPTION,
} from '../options.js';
import { counted, warn } from '../render.js';

/** `spanwright evaluate`. */
export const evaluateCommand: Command = {
  name: 'evaluate',
  help: 'score a model on labelled data, or the predictions in a file, by the rules of conlleval',
  positionals: ['[FILE]'],
  groups: [
    {
      heading: 'Options',
      options: [
        {
          ...MODEL_OPTION,
          help: 'model to score on FILE; without it the last two columns are gold and predicted',
        },
        {
          ...POS_MODEL_OPTION,
          help: 'label parts of speech with this model first, and read those instead of the ones given',
        },
        {
          name: 'scheme',
          kind: 'choice',
          choices: Object.keys(SCHEMES),
          help: 'scheme of the tags in FILE where no model says it; token: labels of single tokens',
        },
        JSON_OPTION,
        INPUT_FORMAT_OPTION,
        SEPARATOR_OPTION,
        OFFSETS_OPTION,
      ],
    },
    { heading: 'Decoding', options: DECODER_OPTIONS },
  ],
  async run({ options, positionals }) {
    const input = positionals[0];
    let scores: ChunkScores;
    let scheme = options.scheme as SchemeName | undefined;
    if (options.model === undefined) {
      const separator = options.separator as Separator | undefined;
      const scorer = new PredictedFileScorer(input ?? STANDARD_INPUT, { separator, scheme });
      for await (const chunk of readChunks(input)) scorer.push(chunk);
      scores = scorer.finish();
    } else {
      const model = await modelOf(options);
      const tagger = new Tagger(model, decoderOf(options));
      const first = options['pos-model'] === undefined ? undefined : await posModelOf(options, model);
      scheme = model.configuration.scheme;
      const corpus = await readLabelled(input, options, model.configuration, first && new Pipeline([first]));
      scores = scoreModel(first ? new Pipeline([first, tagger]) : tagger, corpus);
      warnOfUnseenTypes(scores, model.tagSet.types);
    }
    const table = scheme === 'token' ? accuracyTable(scores) : conllevalTable(scores);
    process.stdout.write(
      options.json === true ? `${JSON.stringify(scoresToJson(scores), null, 2)}\n` : table,
    );
  },
};

function warnOfUnseenTypes(scores: ChunkScores, known: readonly string[]): void {
  const unseen = [...scores.types].filter(([type, { gold }]) => gold > 0 && !known.includes(type));
  if (unseen.length === 0) return;
  const chunks = unseen.reduce((sum, [, { gold }]) => sum + gold, 0);
  warn(
    `${counted(chunks, 'gold chunk')} of ${counted(unseen.length, 'type')} that training never saw: ` +
      unseen.map(([type]) => type).join(', '),
  );
}
