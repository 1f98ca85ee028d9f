import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/base/errors.js';
import { splitText, type TextLayout } from '../../src/text/text-scanner.js';

const split = (text: string, layout?: TextLayout) =>
  splitText(text, { layout }).map((sentence) => sentence.text.replace(/\s+/g, ' '));

describe('sentences of real text', () => {
  it.each([
    [
      'small letters, where their writer begins with them',
      'hello there. how are you? i am fine! ok',
      ['hello there.', 'how are you?', 'i am fine!', 'ok'],
    ],
    [
      'small letters of one writer among others',
      'It approx. five times. a dog.',
      ['It approx. five times. a dog.'],
    ],
    [
      'words in small letters that start sentences',
      'We left early. it was fun.',
      ['We left early.', 'it was fun.'],
    ],
    ['digits', 'They won. 12 came.', ['They won.', '12 came.']],
    [
      'pages and years, which are no sentences',
      'See p. 12 of it, c. 1900. Then go.',
      ['See p. 12 of it, c. 1900.', 'Then go.'],
    ],
    [
      'quotes',
      'He left. “Why?” she asked. "No!" I said.',
      ['He left.', '“Why?” she asked.', '"No!" I said.'],
    ],
    [
      'who asked, and who did not',
      '“Why?” Ann asked. “Why?” Ann left.',
      ['“Why?” Ann asked.', '“Why?”', 'Ann left.'],
    ],
    ['emoji', 'We won! 🎉 Party now. 😀 ok', ['We won!', '🎉 Party now.', '😀 ok']],
    ['hashtags and mentions', 'So good! #win is on. @ann see.', ['So good!', '#win is on.', '@ann see.']],
    ['names in mixed letters', 'Sales rose. iPhone led.', ['Sales rose.', 'iPhone led.']],
    [
      'reference numbers, which go with the sentence before',
      'It rose. [5] It fell.[6] So.',
      ['It rose. [5]', 'It fell.[6]', 'So.'],
    ],
    ['numbered headings', '2.1. New methods are here.', ['2.1. New methods are here.']],
    ['bullets', 'We need\n• milk\n• eggs\nThen go.', ['We need', '• milk', '• eggs', 'Then go.']],
    [
      'hyphens as bullets, with lines that go on',
      'List:\n- one\n  More of one\n- two',
      ['List:', '- one More of one', '- two'],
    ],
    [
      'numbers of items that count up',
      'Do this\n1. go\n2. stay\n(3) sleep',
      ['Do this', '1. go', '2. stay', '(3) sleep'],
    ],
    [
      'numbers that start a line of running text',
      'It was in\n12. Street on May\n5) of it',
      ['It was in 12.', 'Street on May 5) of it'],
    ],
    ['line breaks in running text', 'The dog\nIn London\nslept.', ['The dog In London slept.']],
    ['blank lines', 'A heading\n\nthe text\n \ngoes on', ['A heading', 'the text', 'goes on']],
    [
      'abbreviations in small letters and capitals',
      'i saw mr. smith. ok. DR. WHO CAME.',
      ['i saw mr. smith.', 'ok.', 'DR. WHO CAME.'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(split(text)).toEqual(expected);
  });
});

describe('layouts', () => {
  const text = 'The dog slept. It\nwoke\n\nup. Now';

  it('end sentences at line ends too, or there alone', () => {
    expect(split(text)).toEqual(['The dog slept.', 'It woke', 'up.', 'Now']);
    expect(split(text, 'paragraphs')).toEqual(['The dog slept.', 'It', 'woke', 'up.', 'Now']);
    expect(split(text, 'lines')).toEqual(['The dog slept. It', 'woke', 'up. Now']);
    expect(split('a\r\nb\rc', 'lines')).toEqual(['a', 'b', 'c']);
  });

  it('have names', () => {
    expect(() => split(text, 'words' as TextLayout)).toThrow(OptionError);
    expect(() => split(text, 'words' as TextLayout)).toThrow(
      'expected text, paragraphs or lines, found "words"',
    );
  });
});
