// The model cards of the bundled models, from what was measured when they were made.
import { conllevalTable, PERTURBATIONS, wordTable } from '../dist/index.js';
import { GENRES } from './english-data.js';
import { SETTINGS } from './english-models.js';

const DATA = `- The CoNLL-2000 shared task's corpus (Tjong Kim Sang & Buchholz 2000): Wall Street Journal text of 1989 from the Penn
  Treebank, sections 15–18 for training (8,936 sentences, 211,727 tokens) and 20 for testing (2,012 sentences, 47,377 tokens). Chunks were
  derived from the treebank's parses, parts of speech were assigned by the Brill tagger (mended here where the chunks contradict
  them). It was distributed freely for research at the shared task's site (www.clips.uantwerpen.be/conll2000/chunking).
- GUM, the Georgetown University Multilayer corpus (A. Zeldes and others; annotations CC BY 4.0), those genres whose texts are CC BY or public
  domain: academic and court (CC BY 4.0), news and interview (CC BY 2.5), textbook, vlog and conversation (CC BY), speech (public
  domain). Chunks were made of its constituent trees by \`spanwright convert --from trees --to columns\`, as changed material.
- 588 short everyday sentences made of patterns, written for this project (\`scripts/everyday-sentences.js\`).

GUM's sentences are in the data as they are and as the tokenizer of raw text gives them; some 17 % of all sentences are there once more, without
capitals, in capitals, as headlines, without punctuation, with typing errors or hashtags. The corpora are not part of this package; the models hold
words, affixes and weights, no sentence.`;

const LIMITS = `- English of many genres, but of little social media: GUM's was not to be had. Its spelling and hashtags are imitated only.
- Text of 1989 is two thirds of the data: names and words that came later are known mostly by their shape and affixes.
- Whoever the texts are about, and how, is in the data. Do not decide about people by these labels.`;

/** Scores of genres by models that were trained without them. */
function genreTable(genres, score, heading) {
  const rows = Object.entries(genres).filter(([genre]) => genre !== 'conll2000');
  const mean = rows.reduce((sum, [, entry]) => sum + score(entry), 0) / rows.length;
  return [
    `By genre of GUM, those in italics by this model, which was not trained on them, the others by models made as this one is but without the genre and
another (\`node scripts/genres.js\`):`,
    '',
    `| genre | ${heading} |`,
    '|---|---|',
    ...rows.map(
      ([genre, entry]) => `| ${GENRES[genre] ? genre : `*${genre}*`} | ${score(entry).toFixed(1)} |`,
    ),
    `| mean | **${mean.toFixed(1)}** |`,
  ].join('\n');
}

/** How scores fall where the test text is written otherwise. */
function robustnessTable(scores, heading) {
  return [
    'The test section written otherwise (`spanwright evaluate --perturb`):',
    '',
    `| text | ${heading} | points lost |`,
    '|---|---|---|',
    ...scores.map(
      ({ name, score, loss }) => `| ${PERTURBATIONS[name].help} | ${score.toFixed(1)} | ${loss.toFixed(1)} |`,
    ),
  ].join('\n');
}

/** The texts of the cards by file name. */
export function cards({
  posModel,
  chunkModel,
  posScores,
  givenScores,
  ownScores,
  reliability,
  robustness,
  genres,
}) {
  const two = (value) => value.toFixed(2);
  return {
    'english-pos.md': `# english-pos

Parts of speech (the Penn Treebank's tags) for tokenised English, or for raw text. Made by \`npm run models\`.

## Use

\`\`\`sh
echo "The dog slept." | npx spanwright label --text --model english-pos
\`\`\`

Meant for: giving \`english-chunk\`, or a model of your own, the parts of speech that it reads.

## Data

${DATA}

Tags are the Penn Treebank's. Of CoNLL-2000 they are a tagger's, of GUM made by hand; \`to\` is TO everywhere, brackets are ( and ), and hyphens that
stand alone inside words HYPH, as GUM parts them.

## Configuration

${configurationTable(posModel)}

## Scores

On the test section of CoNLL-2000, tags as given: accuracy **${two(posScores.accuracy)} %** (${posScores.correctTags} of ${posScores.tokens} tokens).

${genreTable(genres, ({ pos }) => pos, 'accuracy, %')}

${robustnessTable(robustness.pos, 'accuracy, %')}

${reliabilityTable(reliability.pos)}

## Limits

${LIMITS}
`,
    'english-chunk.md': `# english-chunk

Phrase chunks (NP, VP, PP, ADVP, SBAR, ADJP, PRT, CONJP, INTJ, LST, UCP) of English. Made by \`npm run models\`.

## Use

\`\`\`sh
echo "The dog slept." | npx spanwright label --text
\`\`\`

It reads words and parts of speech. In raw text \`english-pos\`, from the same folder, fills these in.

## Data

${DATA}

The parts of speech that it learned from are those that models like \`english-pos\` give to sentences they have not seen (${SETTINGS.folds}-fold
jack-knifing), so that training shows the same errors as use.

## Configuration

${configurationTable(chunkModel)}

## Scores

On the test section of CoNLL-2000, by the rules of conlleval: F **${two(ownScores.f1)}** with the parts of speech of \`english-pos\`, **${two(givenScores.f1)}** with
those given in the corpus. With \`english-pos\`:

\`\`\`text
${conllevalTable(ownScores)}\`\`\`

${genreTable(genres, ({ f1 }) => f1, 'F, parts of speech of such models')}

${robustnessTable(robustness.chunk, 'F')}

${reliabilityTable(reliability.chunk)}

## Limits

${LIMITS}
- Chunks do not nest, and prepositional phrases are the preposition alone: that is how the shared task defined them.
`,
  };
}

/** The text of the card of chinese-gsd. */
export function chineseCard({ wordModel, wordScores, reliability }) {
  return `# chinese-gsd

Words of Chinese text in traditional characters. Made by \`npm run models\`.

## Licence

CC BY-NC-SA 4.0, that of the corpus it was trained on: for non-commercial use, with attribution, shared alike. (The rest of
this package is under the MIT licence.)

## Use

\`\`\`sh
echo "他在臺灣的大學學習語言。" | npx spanwright label --text --format segmented --model chinese-gsd
\`\`\`

## Data

Universal Dependencies, Chinese GSD 1.4: 3,997 sentences and 98,608 words for training, 500 and 12,012 for testing. The
corpus is not part of this package; the model holds its words, pairs of characters and weights, no sentence.

## Configuration

${configurationTable(wordModel)}

## Scores

On the test part, by words:

\`\`\`text
${wordTable(wordScores)}\`\`\`

${reliabilityTable(reliability)}

The settings were chosen on another corpus (a held-out part of PKU training data).

## Limits

- Small training data: a tenth of what segmenters usually learn from. Names and terms that it never saw are often cut wrong.
- Traditional characters, and the corpus’ own idea of a word, which parts affixes. Simplified text is segmented badly.
- Whoever the training text wrote about, and how, is in the data. Do not decide about people by these labels.
`;
}

/** How often labels of the test data are right by confidence; ranges with fewer than 30 labels are left out. */
export function reliabilityTable({ tokens, chunks }) {
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const rows = tokens.bins
    .filter(({ count }) => count >= 30)
    .map(({ from, to, count, confidence, accuracy }) =>
      [
        `${from.toFixed(2)}–${to.toFixed(2)}`,
        count.toLocaleString('en-US'),
        percent(confidence),
        percent(accuracy),
      ].join(' | '),
    );
  const ofChunks = chunks ? `, of chunks ${percent(chunks.expectedError)}` : '';
  return [
    `Confidences are calibrated on held-out training data. On the test data, expected calibration error: of labels ${percent(tokens.expectedError)}${ofChunks}.`,
    '',
    '| confidence | labels | mean confidence | right |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

export function configurationTable({ configuration, training, features, weights }) {
  const { task, learner, strategy, decoder, scheme, direction, templates, cutOff, precision, seed, options } =
    configuration;
  const rows = {
    task,
    templates: templates.name,
    'cut-off': cutOff,
    scheme,
    direction,
    learner,
    strategy,
    decoder,
    precision,
    seed,
    ...options,
    'features with a weight': features.size.toLocaleString('en-US'),
    weights: weights.values.length.toLocaleString('en-US'),
    'training data, SHA-256': training.sha256,
  };
  return [
    '| option | value |',
    '|---|---|',
    ...Object.entries(rows).map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
