import { describe, expect, it } from 'vitest';
import { learnAbbreviations } from '../../src/text/learn-abbreviations.js';
import { splitText } from '../../src/text/text-scanner.js';

/** A text in which `approx.` and `z.B.` never stand without their full stops, and `end` does. */
const TEXT = [
  'We measured approx. five metres, z.B. there, and the end came.',
  'In the end they had approx. 300 km, z.B. here.',
  'The end of approx. nine days was near; it rained.',
].join(' ');

describe('learnAbbreviations', () => {
  it('finds words that a full stop nearly always follows, and those with some inside', () => {
    expect(learnAbbreviations(`${TEXT} `.repeat(50))).toEqual(expect.arrayContaining(['approx', 'z.b']));
    expect(learnAbbreviations(`${TEXT} `.repeat(50))).not.toContain('end');
  });

  it('finds none in nothing, and none that is met once', () => {
    expect(learnAbbreviations('')).toEqual([]);
    expect(learnAbbreviations('It rained. We went.')).toEqual([]);
  });

  it('gives scores as the definition has them', () => {
    // 2 of "ca.", 0 without, among 4 words of which 2 have a stop: 2 · 2 · (ln 0.99 − ln 0.5) · e^−2 = 0.37.
    expect(learnAbbreviations('ca. five ca. six')).toEqual(['ca']);
    // One without: divided by 2.
    expect(learnAbbreviations('ca. five ca. six ca')).toEqual([]);
  });

  it('gives what keeps its full stop, and ends no sentence but before a word that starts some', () => {
    const sentences = (text: string, abbreviations?: string[]) =>
      splitText(text, { abbreviations }).map(({ words }) => words.join(' '));
    expect(sentences('The divn. Smith leads. Divn. The end.')).toEqual([
      'The divn .',
      'Smith leads .',
      'Divn .',
      'The end .',
    ]);
    expect(sentences('The divn. Smith leads. Divn. The end.', ['divn'])).toEqual([
      'The divn. Smith leads .',
      'Divn.',
      'The end .',
    ]);
  });
});
