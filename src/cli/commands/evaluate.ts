import type { Separator } from '../../data/formats/columns.js';
import { scoreModel } from '../../model/score-model.js';
import { Tagger } from '../../model/tagger.js';
import { readColumnsFile } from '../../node/corpora.js';
import { readChunks, STANDARD_INPUT } from '../../node/files.js';
import { type ChunkScores, conllevalTable, scoresToJson } from '../../score/conlleval.js';
import { PredictedFileScorer } from '../../score/predicted-file.js';
import type { Command } from '../command.js';
import {
  DECODER_OPTIONS,
  decoderOf,
  INPUT_FORMAT_OPTION,
  JSON_OPTION,
  MODEL_OPTION,
  modelOf,
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
        JSON_OPTION,
        INPUT_FORMAT_OPTION,
        SEPARATOR_OPTION,
      ],
    },
    { heading: 'Decoding', options: DECODER_OPTIONS },
  ],
  async run({ options, positionals }) {
    const input = positionals[0];
    const separator = options.separator as Separator | undefined;
    let scores: ChunkScores;
    if (options.model === undefined) {
      const scorer = new PredictedFileScorer(input ?? STANDARD_INPUT, separator);
      for await (const chunk of readChunks(input)) scorer.push(chunk);
      scores = scorer.finish();
    } else {
      const model = await modelOf(options);
      const corpus = await readColumnsFile(input, { columns: model.configuration.columns, separator });
      scores = scoreModel(new Tagger(model, decoderOf(options)), corpus);
      warnOfUnseenTypes(scores, model.tagSet.types);
    }
    process.stdout.write(
      options.json === true ? `${JSON.stringify(scoresToJson(scores), null, 2)}\n` : conllevalTable(scores),
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
