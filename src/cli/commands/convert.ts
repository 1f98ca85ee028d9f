import { InputError, OptionError, quote } from '../../base/errors.js';
import type { OptionDeclaration, OptionValues } from '../../base/options.js';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.js';
import { ColumnScanner, type ColumnSentence } from '../../data/formats/columns.js';
import { UNIT_FORMATS } from '../../data/formats/input-formats.js';
import type { UnitReader } from '../../data/formats/input-unit.js';
import type { PhraseKind } from '../../data/formats/tree-phrases.js';
import type { TagSpelling } from '../../data/tag-spelling.js';
import { readChunks, STANDARD_INPUT } from '../../node/files.js';
import { CHUNK_SCHEMES, decodeTags, parseTag, SCHEME_ALIASES, SCHEMES } from '../../tags/scheme.js';
import { PLAIN_SPELLING, SPELLINGS, spellTag, TagReader } from '../../tags/spelling.js';
import type { Command } from '../command.js';
import { COLUMN_OPTIONS, layoutOf, PHRASES_OPTION, required } from '../options.js';
import { isStandardOutput, OUTPUT_OPTION, openOutput } from '../output.js';
import { counted, warn } from '../render.js';

const FILE_SCHEMES = { ...CHUNK_SCHEMES, io: SCHEMES.io };
const SCHEME_NAMES = Object.keys(FILE_SCHEMES);
const TREES = 'trees';
const COLUMNS = 'columns';
const NAME_WIDTH = 2 + Math.max(...SCHEME_NAMES.map((name) => name.length));

const OPTIONS: readonly OptionDeclaration[] = [
  {
    name: 'from',
    kind: 'choice',
    choices: [...SCHEME_NAMES, TREES],
    aliases: SCHEME_ALIASES,
    help: 'tag scheme of the input’s last column; trees: Penn Treebank brackets',
  },
  {
    name: 'to',
    kind: 'choice',
    choices: [...SCHEME_NAMES, COLUMNS],
    aliases: SCHEME_ALIASES,
    help: 'tag scheme to write; columns: words, parts of speech and chunks (iob2) of trees',
  },
  {
    name: 'spelling',
    kind: 'choice',
    choices: Object.keys(SPELLINGS),
    help: 'spelling of tags to write; default that of the input',
  },
  PHRASES_OPTION,
  OUTPUT_OPTION,
  ...COLUMN_OPTIONS,
];

/** `spanwright convert`. */
export const convertCommand: Command = {
  name: 'convert',
  help: 'rewrite the last column of a column file in another tag scheme, or make a column file of trees',
  positionals: ['[INPUT]', '[...]'],
  inThread: async ({ options }) => !isStandardOutput(options.output),
  groups: [{ heading: 'Options', options: OPTIONS }],
  notes: `Schemes:\n${Object.values(FILE_SCHEMES)
    .map(({ name, help }) => `  ${name.padEnd(NAME_WIDTH)}${help}`)
    .join('\n')}\n\nExample: spanwright convert --from trees --to columns --output train.txt wsj/02/*.mrg`,
  async run({ options, positionals }) {
    if (options.from === TREES || options.to === COLUMNS) {
      await convertTrees(options, positionals);
      return;
    }
    if (positionals.length > 1) {
      throw new OptionError(
        'input',
        `expected one INPUT, several with --from trees only, found ${positionals.length}`,
      );
    }
    if (options.phrases !== undefined) throw new OptionError('phrases', '--phrases goes with --from trees');
    const from = required(options, 'from', 'SCHEME') as keyof typeof FILE_SCHEMES;
    const to = required(options, 'to', 'SCHEME') as keyof typeof FILE_SCHEMES;
    const reader = new TagReader();
    const wanted = options.spelling === undefined ? undefined : SPELLINGS[String(options.spelling)];
    const source = positionals[0] ?? STANDARD_INPUT;
    const scanner = new ColumnScanner({ ...layoutOf(options), cells: [-1], source });
    const output = await openOutput(options);
    if (wanted?.form === 'type' && to !== 'io') {
      throw new OptionError('spelling', `--spelling ${options.spelling}: expected --to io, found ${to}`);
    }
    let irregular = 0;
    let joined = 0;
    const convertAll = async () => {
      for (let sentence = scanner.next(); sentence; sentence = scanner.next()) {
        if (sentence.problem) throw sentence.problem;
        const tags = readTags(sentence, source, reader);
        const spans = decodeTags(tags);
        const regular = FILE_SCHEMES[from].encode(spans, tags.length);
        for (let t = 0; t < tags.length; t++) if (tags[t] !== regular[t]) irregular++;
        const converted = FILE_SCHEMES[to].encode(spans, tags.length);
        joined += spans.length - decodeTags(converted).length;
        const spelling = wanted ?? spellingFor(to, reader.found);
        await output.write(
          replaceTags(
            sentence,
            converted.map((tag) => spellTag(spelling, tag)),
          ),
        );
      }
    };
    try {
      for await (const chunk of readChunks(positionals[0])) {
        scanner.push(chunk);
        await convertAll();
      }
      scanner.end();
      await convertAll();
      await output.write(scanner.rest());
      await output.commit();
    } catch (error) {
      await output.abandon();
      throw error;
    }
    if (joined > 0) {
      warn(
        `${source}: ${counted(joined, 'chunk')} joined to the one before, which ${to} does not tell apart`,
      );
    }
    if (irregular > 0)
      warn(`${source}: ${counted(irregular, 'tag')} not as ${from} has it, read as conlleval does`);
  },
};

/** Writes the words, parts of speech and chunks of trees as columns; a problem anywhere leaves no file. */
async function convertTrees(options: OptionValues, inputs: readonly string[]): Promise<void> {
  const from = required(options, 'from', 'FORMAT');
  const to = required(options, 'to', 'FORMAT');
  if (from !== TREES || to !== COLUMNS) {
    throw new OptionError(
      'to',
      `expected --from trees --to columns, or two tag schemes, found --from ${from} --to ${to}`,
    );
  }
  for (const { name } of [{ name: 'spelling' }, ...COLUMN_OPTIONS]) {
    if (options[name] !== undefined) throw new OptionError(name, `--${name} does not go with --from trees`);
  }
  const output = await openOutput(options);
  try {
    for (const path of inputs.length === 0 ? [undefined] : inputs) {
      const reader = UNIT_FORMATS.trees.read({
        source: path ?? STANDARD_INPUT,
        columns: ['word', 'pos', 'chunk'],
        phrases: options.phrases as PhraseKind | undefined,
      });
      for await (const chunk of readChunks(path)) {
        reader.push(chunk);
        await output.write(treeColumns(reader));
      }
      reader.end();
      await output.write(treeColumns(reader));
    }
    await output.commit();
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

/** The trees that are there as columns. @throws InputError for one that cannot be read. */
function treeColumns(reader: UnitReader): Uint8Array {
  let text = '';
  for (let unit = reader.next(); unit; unit = reader.next()) {
    if (unit.problem) throw unit.problem;
    for (const { sentence, columns, spans = [] } of unit.sentences) {
      const { words } = sentence;
      const tags = SCHEMES.iob2.encode(spans, words.length);
      text += `${words.map((word, t) => `${word} ${columns.pos[t]} ${tags[t]}\n`).join('')}\n`;
    }
  }
  return encodeUtf8(text);
}

/** The input's spelling, or where that has no leading tags and the scheme needs some, the plain one. */
function spellingFor(to: string, found: TagSpelling): TagSpelling {
  return found.form === 'type' && to !== 'io' ? PLAIN_SPELLING : found;
}

function readTags(sentence: ColumnSentence, source: string, reader: TagReader): string[] {
  const { bytes, cells, length, lineOf } = sentence;
  const found = Array.from({ length }, (_, t) => decodeUtf8(bytes.subarray(cells[2 * t], cells[2 * t + 1])));
  reader.meet(found);
  const tags: string[] = [];
  for (const [t, text] of found.entries()) {
    const tag = reader.read(text);
    if (tag === undefined || parseTag(tag) === undefined) {
      throw new InputError(
        { source, line: lineOf(t) },
        `expected a tag such as B-NP or O in the last column, found ${quote(text)}`,
      );
    }
    tags.push(tag);
  }
  return tags;
}

/** The sentence's bytes with the last cell of each line replaced. */
function replaceTags(sentence: ColumnSentence, tags: readonly string[]): Uint8Array {
  const { bytes, cells, gapStart, end } = sentence;
  let text = '';
  let from = gapStart;
  tags.forEach((tag, t) => {
    text += decodeUtf8(bytes.subarray(from, cells[2 * t])) + tag;
    from = cells[2 * t + 1];
  });
  return encodeUtf8(text + decodeUtf8(bytes.subarray(from, end)));
}
