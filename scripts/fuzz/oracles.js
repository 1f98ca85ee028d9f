// What must be true of any input, said without the code under test: plain readers, and what a refusal must say.
import { load } from './dist.js';

const { SpanwrightError } = await load('base/errors.js');

/** Something that must not happen. */
export class Failure extends Error {}

/** Name of the input in messages. */
export const SOURCE = 'input';

/** Fails unless a condition holds. */
export function expect(holds, problem) {
  if (!holds) throw new Failure(typeof problem === 'function' ? problem() : problem);
}

/** Bytes as characters of one byte each, in which positions are those of the bytes. */
export const latin1 = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
/** Valid UTF-8 as text. */
export const decode = (bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const MARK = '\xef\xbb\xbf';

/** Whether bytes are UTF-8 text without NUL. */
export function isText(bytes) {
  try {
    return !new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

/** The lines of an input, in latin1, with their line ends apart; a byte order mark goes with `mark`. */
export function linesOf(bytes) {
  let text = latin1(bytes);
  const mark = text.startsWith(MARK) ? MARK : '';
  text = text.slice(mark.length);
  const lines = [...text.matchAll(/([^\n]*)(\n|$)/g)].filter(([whole]) => whole !== '');
  return {
    mark,
    lines: lines.map(([, line, newline]) => {
      // Several CR stand before LF where a file with CRLF was written once more as text.
      const body = newline === '' ? line : line.replace(/\r+$/, '');
      const ending = line.slice(body.length) + newline;
      return { body, ending, isText: isText(Buffer.from(body, 'latin1')) };
    }),
  };
}

/**
 * Sentences of a column file.
 *
 * @param cells numbers of the columns that must be there; negative ones count from the end.
 */
export function columnSentences(bytes, separator, cells) {
  const tabs = separator === 'tab';
  const { lines, mark } = linesOf(bytes);
  const sentences = [];
  let sentence;
  let gapIsText = true;
  // Columns of the first line that has enough, as many as all others must have.
  let width = 0;
  lines.forEach(({ body, ending, isText: isGood }, i) => {
    // A CR at the end of the input counts as a line end too.
    const line = ending === '' ? body.replace(/\r$/, '') : body;
    const found = tabs ? line.split('\t') : line.split(/[ \t]+/).filter((cell) => cell !== '');
    const isBlank = /^[ \t]*$/.test(line);
    if (isBlank || found[0].startsWith('-DOCSTART-')) {
      if (sentence) gapIsText = true;
      sentence = undefined;
      gapIsText &&= isGood;
      return;
    }
    if (!sentence) {
      sentence = { first: i + 1, tokens: [], isGood: gapIsText, gapIsText };
      sentences.push(sentence);
    }
    const wanted = cells.map((cell) => found.at(cell));
    const needed = Math.max(...cells.map((cell) => (cell < 0 ? -cell : cell + 1)));
    if (width === 0 && found.length >= needed) width = found.length;
    sentence.isGood &&=
      isGood && found.length >= needed && found.length === width && wanted.every((cell) => cell !== '');
    sentence.tokens.push(found);
  });
  // Bytes that are no text after the last sentence are a problem of their own, without tokens.
  if (!sentence && !gapIsText) {
    const first = 1 + lines.findLastIndex(({ isText: isGood }) => !isGood);
    sentences.push({ first, tokens: [], isGood: false, gapIsText: false });
  }
  return { sentences, lines, mark };
}

/** A problem that a labeller noted: ours, and at a line or byte of the input. */
export function refusedAt(problem) {
  expect(problem instanceof SpanwrightError, () => `no error of ours: ${problem}`);
  checkMessage(problem.message, /^input(?::\d+| \(byte \d+\))/);
  return 'refused';
}

/** Runs something that may refuse its input, but only with an error of ours that says where. */
export function refusable(work, place = /^input(?::\d+| \(byte \d+\)|: )/, type = SpanwrightError) {
  const judge = (error) => {
    if (!(error instanceof type)) throw error;
    checkMessage(error.message, place);
    return 'refused';
  };
  try {
    const result = work();
    if (result instanceof Promise) return result.then(() => 'accepted', judge);
    return 'accepted';
  } catch (error) {
    return judge(error);
  }
}

/** A message names a place, is no longer than a reader bears, and cannot steer a terminal. */
export function checkMessage(message, place) {
  expect(place.test(message), () => `the message names no place: ${message.slice(0, 300)}`);
  expect(message.length <= 1000, () => `a message of ${message.length} characters: ${message.slice(0, 300)}`);
  const steering = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
  expect(!steering.test(message), () => `control characters in: ${JSON.stringify(message.slice(0, 300))}`);
}

/** Code points before each UTF-16 unit; none inside a pair. */
function pointsBefore(text) {
  const points = new Map();
  let unit = 0;
  let count = 0;
  for (const character of text) {
    points.set(unit, count++);
    unit += character.length;
  }
  return points.set(unit, count);
}

/** Makes places that count code points count UTF-16 units. */
export function pointsToUnits(text) {
  const units = new Map([...pointsBefore(text)].map(([unit, point]) => [point, unit]));
  return (place) => ({ ...place, start: units.get(place.start), end: units.get(place.end) });
}

/**
 * Places of a labelled text are where they say, in both ways of counting.
 *
 * @param places things with text, start, end, startCodePoint and endCodePoint.
 */
export function checkPlaces(text, places, what) {
  const points = pointsBefore(text);
  for (const { text: own, start, end, startCodePoint, endCodePoint } of places) {
    const where = `${what} ${start}–${end}`;
    expect(
      start < end && text.slice(start, end) === (own ?? text.slice(start, end)),
      () => `${where} is not ${JSON.stringify(own).slice(0, 80)}`,
    );
    if (startCodePoint === undefined) continue;
    expect(
      points.get(start) === startCodePoint,
      () => `${where} starts at ${points.get(start)}, not ${startCodePoint}`,
    );
    expect(
      points.get(end) === endCodePoint,
      () => `${where} ends at ${points.get(end)}, not ${endCodePoint}`,
    );
  }
}

/** Text without white space, control characters, zero-width space and byte order mark. */
export function withoutBlanks(text) {
  return text.replace(/[\s\p{Cc}\u200b]/gu, '');
}

/** Tokens are the text without its blanks, in order. */
export function checkTokens(text, tokens) {
  const joined = tokens.join('');
  const expected = withoutBlanks(text);
  if (joined === expected) return;
  let i = 0;
  while (joined[i] === expected[i]) i++;
  const show = (string) => JSON.stringify(string.slice(i, i + 20));
  throw new Failure(`the tokens are not the text: ${show(joined)} for ${show(expected)}`);
}

/** How sure a model says it is: a number from 0 to 1. */
export function checkConfidences(confidences) {
  for (const confidence of confidences) {
    expect(confidence >= 0 && confidence <= 1, () => `a confidence of ${confidence}`);
  }
}
