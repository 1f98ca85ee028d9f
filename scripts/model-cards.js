// The model cards of the bundled models, from what was measured when they were made.
import { conllevalTable, wordTable } from '../dist/index.js';

const DATA = `The CoNLL-2000 shared task's corpus (Tjong Kim Sang & Buchholz 2000): Wall Street Journal text of 1989 from the Penn
Treebank, sections 15–18 for training (8,936 sentences, 211,727 tokens) and 20 for testing (2,012 sentences, 47,377
tokens). Chunks were derived from the treebank's parses, parts of speech were assigned by the Brill tagger. It was
distributed freely for research at the shared task's site (www.clips.uantwerpen.be/conll2000/chunking). The corpus is not part
of this package; the model holds words, affixes and weights, no sentence.`;

const LIMITS = `- Written, edited American English: news above all. Speech, chat, verse and social media are far from the training data, and
  accuracy is lower there; it was not measured.
- Text of 1989: names and words that came later are known by their shape and affixes only.
- Whoever the newspaper wrote about, and how, is in the data. Do not decide about people by these labels.`;

/** The texts of the cards by file name. */
export function cards({ posModel, chunkModel, posScores, givenScores, ownScores, folds, reliability }) {
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

The tagger learned the Brill tagger's output, not hand-made tags. Its accuracy says how well it repeats that, quirks
included: the corpus has the figure 5 as NN nearly always, and so does the model.

## Configuration

${configurationTable(posModel)}

## Scores

On the test section, tags as given: accuracy **${two(posScores.accuracy)} %** (${posScores.correctTags} of ${posScores.tokens} tokens).

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

Trained on the words and chunks of the training sections; the parts of speech are those that models like \`english-pos\`
give to sentences they have not seen (${folds}-fold jack-knifing), so that training shows the same errors as use.

## Configuration

${configurationTable(chunkModel)}

## Scores

On the test section, by the rules of conlleval: F **${two(ownScores.f1)}** with the parts of speech of \`english-pos\`, **${two(givenScores.f1)}** with
those given in the corpus. With \`english-pos\`:

\`\`\`text
${conllevalTable(ownScores)}\`\`\`

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
    'training file, SHA-256': training.sha256,
  };
  return [
    '| option | value |',
    '|---|---|',
    ...Object.entries(rows).map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}
