// Sentences of raw text: precision, recall and F of whole sentences, by genre of GUM and for the treebank sample, whose words are
// written as running text (sentences without a final mark as paragraphs of their own). With --lower the text has no
// capitals, with --learn abbreviations are learned from it, with --errors each wrong end is printed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { learnAbbreviations, readTrees, splitText } from '../dist/index.js';
import {
  columnSentences,
  GENRES,
  genreSentences,
  sentencesOf,
  writtenText,
} from '../scripts/english-data.js';
import { conll2000, dataFolder } from './support.js';

const learns = process.argv.includes('--learn');
const isLower = process.argv.includes('--lower');
const showsErrors = process.argv.includes('--errors');
const rows = [];

function measure(name, sentences) {
  const { text, bounds } = writtenText(sentences);
  const gold = new Set(bounds);
  const written = isLower ? text.toLowerCase() : text;
  const abbreviations = learns ? learnAbbreviations(written) : undefined;
  const found = splitText(written, { abbreviations }).map(
    ({ start, text: own }) => `${start}-${start + own.length}`,
  );
  const right = found.filter((bound) => gold.has(bound)).length;
  const ends = new Set(bounds.map((bound) => bound.split('-')[1]));
  const foundEnds = found.map((bound) => bound.split('-')[1]);
  if (showsErrors) {
    const all = new Set(foundEnds);
    for (const end of foundEnds) if (!ends.has(end)) console.log(`${name} cut: ${around(text, +end)}`);
    for (const end of ends) if (!all.has(end)) console.log(`${name} missed: ${around(text, +end)}`);
  }
  const percent = (share) => (100 * share).toFixed(1);
  rows.push({
    text: name,
    sentences: bounds.length,
    precision: percent(right / found.length),
    recall: percent(right / bounds.length),
    F: percent((2 * right) / (found.length + bounds.length)),
  });
}

const around = (text, at) => `${text.slice(at - 40, at)} || ${text.slice(at, at + 25)}`.replace(/\n/g, '⏎');

const trees = join(dataFolder, 'gum/const');
if (existsSync(trees)) for (const genre of Object.keys(GENRES)) measure(genre, genreSentences(trees, genre));
const sample = join(dataFolder, 'ptb_sample/wsj_0001-0199.mrg');
if (existsSync(sample)) {
  measure(
    'treebank sample',
    sentencesOf(readTrees(readFileSync(sample), { columns: ['word', 'pos', 'chunk'], scheme: 'iob2' })),
  );
}
measure('CoNLL-2000 test', columnSentences(conll2000().test));
console.table(rows);
