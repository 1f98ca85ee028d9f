// Makes models/english-entities and its card, from corpora under CC BY: Broad Twitter Corpus, wikigold, SEC filings. Scores it on
// each of them left out of training, and on Universal NER's English Web Treebank, which it never sees. Needs
// ../shared/data/entities_open, or SPANWRIGHT_DATA. The same corpora give the same bytes.
//
//     npm run models:entities
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  configure,
  conllevalTable,
  fitTemperature,
  measureCalibration,
  readColumns,
  saveModel,
  scoreModel,
  Tagger,
  train,
} from '../dist/index.js';
import { blockRunner } from '../dist/node/index.js';
import { configurationTable, reliabilityTable } from './model-cards.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const data = join(process.env.SPANWRIGHT_DATA ?? join(root, '../shared/data'), 'entities_open');
const folder = join(root, 'models');
const how = { runBlocks: blockRunner(2) };
const COLUMNS = ['word', 'entity'];

/** Sentences as columns with IOB2 tags: tokens without letters of any kind (a blank) are left out. */
function toColumns(path, word, tag, separator) {
  const out = [];
  let before = 'O';
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const cells = line.split(separator);
    if (line.trim() === '' || line.startsWith('-DOCSTART-')) {
      out.push(line.startsWith('-DOCSTART-') ? '-DOCSTART- O\n' : '');
      before = 'O';
      continue;
    }
    // A comment of Universal NER.
    if (line.startsWith('#') && cells.length === 1) continue;
    const token = cells[word].replace(/\s+/g, '');
    if (token === '') continue;
    const own = cells[tag].trim();
    const [leading, type] = own === '-' ? ['O'] : own.split('-');
    const isOpening = leading === 'I' && before !== type;
    out.push(`${token}\t${leading === 'O' ? 'O' : `${isOpening ? 'B' : leading}-${type}`}`);
    before = type ?? 'O';
  }
  return `${out.join('\n')}\n\n`;
}

/** Leaves out chunks of a type, which another corpus does not mark. */
const without = (text, type) => text.replaceAll(new RegExp(`\\t[BI]-${type}$`, 'gm'), '\tO');

const btcFiles = readdirSync(join(data, 'btc'))
  .filter((name) => name.endsWith('.conll'))
  .sort();
const corpora = {
  'Broad Twitter Corpus': btcFiles.map((name) => toColumns(join(data, 'btc', name), 0, 1, '\t')).join(''),
  wikigold: toColumns(join(data, 'wikigold/wikigold.conll.txt'), 0, 1, ' '),
  'SEC filings': ['FIN5.txt', 'FIN3.txt']
    .map((name) => toColumns(join(data, 'sec_filings', name), 0, 3, ' '))
    .join(''),
};
const web = ['dev', 'test'].map((part) =>
  toColumns(join(data, `uner_ewt/en_ewt-ud-${part}.iob2`), 1, 2, '\t'),
);
const read = (text) => readColumns(text, { columns: COLUMNS, separator: 'tab' });

const configuration = configure({
  task: 'entities',
  options: { scheme: 'ioe2', direction: 'backward', 'cut-off': 3, 'word-cut-off': 3, precision: 'int8' },
});
/** Scores persons, organisations and locations, which all corpora mark. */
function scoreOn(model, text) {
  const bias = model.tagSet.types.includes('MISC') ? { MISC: -100 } : undefined;
  return scoreModel(new Tagger(model, { bias }), read(without(text, 'MISC')));
}

const leftOut = [];
for (const name of Object.keys(corpora)) {
  const others = Object.keys(corpora).filter((other) => other !== name);
  console.log(`training without ${name} …`);
  const model = await train(read(others.map((other) => corpora[other]).join('')), configuration, how);
  leftOut.push({ name, scores: scoreOn(model, corpora[name]) });
}
console.log('training english-entities …');
const training = read(Object.values(corpora).join(''));
const model = {
  ...(await train(training, configuration, how)),
  temperature: await fitTemperature(training, configuration, how),
};
const bytes = saveModel(model);
writeFileSync(join(folder, 'english-entities.safetensors'), bytes);
const [dev, test] = web.map((text) => scoreOn(model, text));
leftOut.push({ name: 'Universal NER, English Web Treebank, dev', scores: dev });
leftOut.push({ name: 'Universal NER, English Web Treebank, test', scores: test });
const reliability = measureCalibration(new Tagger(model, { bias: { MISC: -100 } }), read(web[1]));
const rows = leftOut.map(({ name, scores }) => {
  const { precision, recall, f1, types } = scores;
  const ofType = (type) => (types.get(type)?.f1 ?? 0).toFixed(1);
  const figures = [precision, recall, f1].map((figure) => figure.toFixed(2));
  return `| ${[name, ...figures, ofType('PER'), ofType('ORG'), ofType('LOC')].join(' | ')} |`;
});
const macro = leftOut.slice(0, 3).reduce((sum, { scores }) => sum + scores.f1 / 3, 0);
const card = `# english-entities

Names of persons (PER), organisations (ORG), places (LOC) and others (MISC: works, events, peoples) in English. Made by
\`npm run models:entities\`.

## Use

\`\`\`sh
echo "John Smith works for Google in London." | npx spanwright label --text --model english-entities
\`\`\`

It reads words alone.

## Data

All under Creative Commons Attribution, which asks to name the sources:

- Broad Twitter Corpus (Derczynski, Bontcheva & Roberts 2016), CC BY 4.0: 9,339 tweets; PER, ORG, LOC.
- wikigold (Balasuriya et al. 2009), CC BY 4.0: 145 articles of Wikipedia, 39,007 tokens; PER, ORG, LOC, MISC.
- SEC filings (Alvarado, Verspoor & Baldwin 2015), CC BY 3.0: eight loan agreements, 54,256 tokens; PER, ORG, LOC, a few MISC.

The corpora are not part of this package; the model holds words, affixes and weights, no sentence. No list and no cluster of words went in.

## Configuration

${configurationTable(model)}

## Scores

Each corpus scored by a model trained without it, and the web treebank, which no model saw, by this one; by the rules of conlleval, PER, ORG and LOC
only, since MISC is not marked everywhere. Mean F over the three that were left out: **${macro.toFixed(1)}**.

| left out | precision | recall | F | PER | ORG | LOC |
|---|--:|--:|--:|--:|--:|--:|
${rows.join('\n')}

${reliabilityTable(reliability)}

## Limits

- Small training data: some 240,000 tokens. It finds three names in five on text of another kind, and organisations least. A model trained on your own
  text, with lists and clusters, finds far more (\`--task entities\`, [guide](../docs/GUIDE.md#names)).
- MISC was learned from 145 articles alone.
- Words that name people decide about people: check before you act on these labels.
`;
writeFileSync(join(folder, 'english-entities.md'), card);
console.log(`${rows.join('\n')}\nmacro F ${macro.toFixed(2)}\n${conllevalTable(test)}`);
console.log(`models/english-entities.safetensors: ${bytes.length} bytes`);
