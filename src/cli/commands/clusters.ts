import { InputError } from '../../base/errors.js';
import type { OptionDeclaration } from '../../base/options.js';
import { LineReader } from '../../data/formats/line-reader.js';
import { findCluster, parseClusters } from '../../features/clusters.js';
import { readChunks, STANDARD_INPUT } from '../../node/files.js';
import { BigramCounter } from '../../train/clusters/bigrams.js';
import { learnClusters } from '../../train/clusters/learn-clusters.js';
import type { Command } from '../command.js';
import { ENCODING_OPTION, encodingOf, readText } from '../options.js';
import { OUTPUT_OPTION, openOutput } from '../output.js';
import { counted, duration, warn } from '../render.js';

const OPTIONS: readonly OptionDeclaration[] = [
  { name: 'classes', kind: 'integer', min: 2, max: 5000, default: 1000, help: 'number of clusters' },
  {
    name: 'min-count',
    kind: 'integer',
    min: 1,
    default: 5,
    help: 'words seen less often take no part; at the end each is put where it fits best',
  },
  { name: 'passes', kind: 'integer', min: 1, max: 100, default: 12, help: 'most passes over all words' },
  {
    name: 'init',
    kind: 'string',
    placeholder: 'CLUSTERS',
    file: 'read',
    help: 'clusters to start from, such as those of a smaller text',
  },
  OUTPUT_OPTION,
  ENCODING_OPTION,
];

/** `spanwright clusters`. */
export const clustersCommand: Command = {
  name: 'clusters',
  help: 'learn clusters of words from raw text: a sentence a line, tokens parted by blanks',
  positionals: ['[INPUT]'],
  inThread: true,
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes:
    'Writes lines of a bit path, a word and its count, parted by tabs, as --clusters reads them.\n\n' +
    'Example: spanwright clusters --classes 500 --output clusters.tsv text.txt',
  async run({ options, positionals }) {
    const input = positionals[0];
    const source = input ?? STANDARD_INPUT;
    const started = performance.now();
    const counter = new BigramCounter();
    const lines = new LineReader(source);
    const take = () => {
      for (let line = lines.next(); line; line = lines.next()) {
        if (line.problem) throw line.problem;
        counter.add(line.text);
      }
    };
    for await (const chunk of readChunks(input, encodingOf(options))) {
      lines.push(chunk);
      take();
    }
    lines.end();
    take();
    if (counter.tokens === 0) throw new InputError({ source }, 'expected words, found none');
    const output = await openOutput(options);
    try {
      const init = options.init === undefined ? undefined : await pathsOf(String(options.init));
      const words = learnClusters(counter, {
        classes: Number(options.classes ?? 1000),
        minCount: Number(options['min-count'] ?? 5),
        passes: Number(options.passes ?? 12),
        init,
        onPass: (pass, moved, bits) => {
          process.stderr.write(
            `pass ${pass}: ${counted(moved, 'word')} moved, ${bits.toFixed(4)} bits a token\n`,
          );
        },
      });
      for (const { path, word, count } of words) {
        await output.write(Buffer.from(`${path}\t${word}\t${count}\n`));
      }
      await output.commit();
      process.stderr.write(
        `${counted(counter.tokens, 'token')}, ${counted(words.length, 'word')} in ${duration(performance.now() - started)}\n`,
      );
    } catch (error) {
      await output.abandon();
      throw error;
    }
  },
};

/** Path of each word in a file of clusters. */
async function pathsOf(file: string): Promise<Map<string, string>> {
  const family = parseClusters({ name: file, source: file, text: await readText(file) });
  const paths = new Map(family.words.toArray().map((word) => [word, findCluster(family, word) as string]));
  if (paths.size === 0) warn(`${file}: no clusters`);
  return paths;
}
