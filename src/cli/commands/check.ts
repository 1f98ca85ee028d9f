import { InputError, OptionError, SpanwrightError } from '../../base/errors.js';
import type { OptionValues } from '../../base/options.js';
import { type Corpus, SentenceCollector } from '../../data/corpus.js';
import { ColumnScanner } from '../../data/formats/columns.js';
import { UNIT_FORMATS, type UnitFormat } from '../../data/formats/input-formats.js';
import { examine, type Finding, findingText, limited, sharedWith } from '../../evaluate/data-doctor.js';
import { readBytes, readChunks } from '../../node/files.js';
import { SCHEMES } from '../../tags/scheme.js';
import { TASKS } from '../../tasks/tasks.js';
import type { Command } from '../command.js';
import {
  COLUMN_OPTIONS,
  ENCODING_OPTION,
  encodingOf,
  INPUT_FORMAT_OPTION,
  inputFormatOf,
  JSON_OPTION,
  layoutOf,
  TASK_OPTION,
} from '../options.js';
import { counted, say } from '../render.js';

const NEWLINE = 10;
const RETURN = 13;

/** `spanwright check`. */
export const checkCommand: Command = {
  name: 'check',
  help: 'look for what is odd in labelled data, each with its place and what it would be read as',
  positionals: ['FILE', '[...]'],
  groups: [
    {
      heading: 'Options',
      options: [
        { ...TASK_OPTION, default: 'chunking' },
        {
          name: 'columns',
          kind: 'string',
          placeholder: 'word,pos,chunk',
          help: 'column names; the last one holds the labels; default all columns of a file',
        },
        JSON_OPTION,
        INPUT_FORMAT_OPTION,
        ENCODING_OPTION,
        ...COLUMN_OPTIONS,
      ],
    },
  ],
  notes: 'Exit code 2 where something was found.\nExample: spanwright check train.txt dev.txt test.txt',
  async run({ options, positionals }) {
    if (positionals.length === 0) throw new OptionError('file', 'expected files to check, found none');
    const scheme =
      TASKS[String(options.task ?? 'chunking')].presets.default?.options.scheme === 'token'
        ? 'token'
        : 'iob2';
    const findings: Finding[] = [];
    const corpora: Corpus[] = [];
    for (const path of positionals) {
      const { corpus, problems } = await readAll(path, options);
      findings.push(...limited(problems), ...(await lineEnds(path)));
      if (corpus === undefined) continue;
      findings.push(...examine(corpus, scheme in SCHEMES ? scheme : 'iob2'));
      for (const earlier of corpora) findings.push(...sharedWith(corpus, earlier));
      corpora.push(corpus);
    }
    say(
      options.json === true ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(findingText).join(''),
    );
    if (findings.length === 0) return;
    throw new SpanwrightError(
      'odd-data',
      `${counted(findings.length, 'finding')} in ${counted(positionals.length, 'file')}`,
    );
  },
};

interface ReadData {
  readonly corpus: Corpus | undefined;
  readonly problems: readonly Finding[];
}

async function readAll(path: string, options: OptionValues): Promise<ReadData> {
  const format = inputFormatOf(options, path, String(options.task ?? 'chunking'));
  return format === 'columns' ? readColumnFile(path, options) : readUnits(path, format, options);
}

async function readColumnFile(path: string, options: OptionValues): Promise<ReadData> {
  const problems: Finding[] = [];
  const given = options.columns === undefined ? undefined : String(options.columns).split(',');
  const columns = given ?? ['word', 'label'];
  const cells = given ? given.map((_, c) => c) : [0, -1];
  const scanner = new ColumnScanner({ ...layoutOf(options), cells, source: path });
  const sentences = new SentenceCollector(columns, path);
  const take = () => {
    for (let sentence = scanner.next(); sentence; sentence = scanner.next()) {
      if (sentence.problem) problems.push(findingOf(sentence.problem, path));
      else sentences.addScanned(sentence);
    }
  };
  for await (const chunk of readChunks(path, encodingOf(options))) {
    scanner.push(chunk);
    take();
  }
  scanner.end();
  take();
  return finished(sentences, problems, path);
}

async function readUnits(path: string, format: UnitFormat, options: OptionValues): Promise<ReadData> {
  const problems: Finding[] = [];
  const columns = options.columns === undefined ? ['word', 'chunk'] : String(options.columns).split(',');
  const reader = UNIT_FORMATS[format].read({ source: path, columns, marks: 'score' });
  const sentences = new SentenceCollector(['word', 'label'], path);
  const take = () => {
    for (let unit = reader.next(); unit; unit = reader.next()) {
      if (unit.problem) problems.push(findingOf(unit.problem, path));
      for (const { sentence, columns: own, spans, missed = [], lines } of unit.sentences) {
        const place = { source: path, line: lines[0] };
        for (const { reason } of missed) problems.push({ place, kind: 'missed-chunk', message: reason });
        const tags = spans
          ? SCHEMES.iob2.encode(spans, sentence.words.length)
          : own[columns[columns.length - 1]];
        if (tags?.every((tag) => tag !== undefined)) sentences.add([sentence.words, tags as string[]], lines);
      }
    }
  };
  for await (const chunk of readChunks(path, encodingOf(options))) {
    reader.push(chunk);
    take();
  }
  reader.end();
  take();
  return finished(sentences, problems, path);
}

function finished(sentences: SentenceCollector, problems: Finding[], path: string): ReadData {
  try {
    return { corpus: sentences.finish(''), problems };
  } catch (error) {
    return { corpus: undefined, problems: [...problems, findingOf(error as InputError, path)] };
  }
}

function findingOf(error: InputError, source: string): Finding {
  const { place = { source } } = error;
  return {
    place,
    kind: 'unreadable',
    message: error.message.slice(new InputError(place, '').message.length),
  };
}

/** A finding where lines end in different ways. */
async function lineEnds(path: string): Promise<Finding[]> {
  const bytes = await readBytes(path);
  let crlf = 0;
  let lf = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (at > 0 && bytes[at - 1] === RETURN) crlf++;
    else lf++;
  }
  const message = `${crlf} lines end in CRLF and ${lf} in LF; both are read`;
  return crlf > 0 && lf > 0 ? [{ place: { source: path }, kind: 'line-ends', message }] : [];
}
