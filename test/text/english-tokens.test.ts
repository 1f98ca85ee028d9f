import { describe, expect, test } from 'vitest';
import { splitText } from '../../src/text/text-scanner.js';
import { tokenText } from '../../src/text/text-sentence.js';

/** Tokens as they are in the text, a blank between; ‖ between sentences. */
function tokensOf(text: string): string {
  return splitText(text)
    .map((sentence) => sentence.words.map((_, token) => tokenText(sentence, token)).join(' '))
    .join(' ‖ ');
}

function wordsOf(text: string): string {
  return splitText(text)
    .map((sentence) => sentence.words.join(' '))
    .join(' ‖ ');
}

/** Each group's title, and lines of text and the tokens expected. */
const TOKENS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'words and final marks': [
    ['A plain sentence.', 'A plain sentence .'],
    ['One, two; three: four', 'One , two ; three : four'],
    ['Really?! Yes!', 'Really ? ! ‖ Yes !'],
    ['no mark at the end', 'no mark at the end'],
    ['end.Next word', 'end . Next word'],
    ['snake_case and _emphasis_', 'snake_case and _emphasis_'],
    ['buy-out of a well-known pre- and post-war firm', 'buy-out of a well-known pre- and post-war firm'],
    ['naïve café, Ångström', 'naïve café , Ångström'],
    ['Cafe\u0301s open', 'Cafe\u0301s open'],
    ['漢字 и слова', '漢字 и слова'],
    ['**bold** x*y', '** bold ** x * y'],
  ],
  contractions: [
    ["I don't, he can't, you won't", "I do n't , he ca n't , you wo n't"],
    ['I don’t, he can’t', 'I do n’t , he ca n’t'],
    ["DON'T ISN'T", "DO N'T IS N'T"],
    ["we're I'm he'll they've I'd it's", "we 're I 'm he 'll they 've I 'd it 's"],
    ['we’re I’m he’ll they’ve', 'we ’re I ’m he ’ll they ’ve'],
    ["shouldn't've y'all'd've", "should n't 've y'all 'd 've"],
    ['I cannot; gonna, wanna, Gotta gimme lemme', 'I can not ; gon na , wan na , Got ta gim me lem me'],
    ["'Tis late; 'twas early", "'T is late ; 't was early"],
    ["rock 'n' roll, rock'n'roll", "rock 'n' roll , rock'n'roll"],
    ["o'clock O'Neill's", "o'clock O'Neill 's"],
    ["get 'em in the '90s", "get 'em in the '90s"],
    ['get ’em in the ’80s', 'get ’em in the ’80s'],
  ],
  possessives: [
    ["John's dogs' tails", "John 's dogs ' tails"],
    ['John’s dogs’ tails', 'John ’s dogs ’ tails'],
    ["AT&T's and IBM's, the boss's.", "AT&T 's and IBM 's , the boss 's ."],
    ["the 1990's", "the 1990 's"],
  ],
  quotes: [
    ['"Why not?" he asked.', '" Why not ? " he asked .'],
    ['He said "yes", then "no".', 'He said " yes " , then " no " .'],
    ['“Go,” she said. “Now.” He left.', '“ Go , ” she said . ‖ “ Now . ” ‖ He left .'],
    ["He said 'hello' twice.", "He said ' hello ' twice ."],
    ['‘Hi’ is “hi”', '‘ Hi ’ is “ hi ”'],
    ["``Quoted'' text", "`` Quoted '' text"],
    ['He left ("for good"). She stayed.', 'He left ( " for good " ) . ‖ She stayed .'],
    ['"She said \'no\'." He nodded.', '" She said \' no \' . " ‖ He nodded .'],
    ['«Oui» or „Ja“', '« Oui » or „ Ja “'],
    ['6\'2" tall', '6\'2 " tall'],
  ],
  brackets: [
    ['a (b) [c] {d}', 'a ( b ) [ c ] { d }'],
    ['(It works.) So there.', '( It works . ) ‖ So there .'],
    ['f(x) and (see [1], etc.)', 'f ( x ) and ( see [ 1 ] , etc. )'],
    ['fine :) or ;-) but (not this:)', 'fine :) or ;-) but ( not this : )'],
    ['I <3 it', 'I <3 it'],
  ],
  dashes: [
    ['wait -- no---stop', 'wait -- no --- stop'],
    ['wait — no—stop', 'wait — no — stop'],
    ['London–Paris – fast', 'London – Paris – fast'],
    ['1990–95 and pp. 3-5', '1990–95 and pp. 3-5'],
    ['- item', '- item'],
    ['-5 degrees, +3, .5', '-5 degrees , +3 , .5'],
  ],
  ellipses: [
    ['Wait... what', 'Wait ... what'],
    ['Wait… what', 'Wait … what'],
    ['so . . . yes', 'so . . . yes'],
    ['...and then', '... and then'],
    ['Gone... Nobody knew.', 'Gone ... ‖ Nobody knew .'],
  ],
  numbers: [
    ['3.14, 1,000.50 and 5th', '3.14 , 1,000.50 and 5th'],
    ['It rose 5% to $5.3 billion.', 'It rose 5 % to $ 5.3 billion .'],
    ['US$5 C$6.50 £3 €4 ¥5', 'US$ 5 C$ 6.50 £ 3 € 4 ¥ 5'],
    ['a 20%-owned unit', 'a 20%-owned unit'],
    ['at 10:30, 3:30pm, 5kg', 'at 10:30 , 3:30pm , 5kg'],
    ['a 10-year-old, 1/2 and 24/7', 'a 10-year-old , 1/2 and 24/7'],
    ['on Jan. 5, 1999, or 2020-01-02', 'on Jan. 5 , 1999 , or 2020-01-02'],
    ['It was 1999. 2000 came.', 'It was 1999 . ‖ 2000 came .'],
    ['1. Preheat the oven. 2. Wait.', '1 . Preheat the oven . ‖ 2 . Wait .'],
    ['#1 of 10', '# 1 of 10'],
  ],
  abbreviations: [
    ['Mr. and Mrs. Smith met Dr. No.', 'Mr. and Mrs. Smith met Dr. No.'],
    ['J. R. R. Tolkien wrote.', 'J. R. R. Tolkien wrote .'],
    ['Acme Corp. and Foo Inc. merged.', 'Acme Corp. and Foo Inc. merged .'],
    ['He joined Acme Corp. The firm grew.', 'He joined Acme Corp. ‖ The firm grew .'],
    ['the U.S. Senate; in the U.S. But no', 'the U.S. Senate ; in the U.S. ‖ But no'],
    ['Use e.g. Python, i.e. code.', 'Use e.g. Python , i.e. code .'],
    ['at 9 a.m. Monday. At 9 p.m. Smith left.', 'at 9 a.m. Monday . ‖ At 9 p.m. ‖ Smith left .'],
    ['in Newark, N.J. Fannie Mae agreed.', 'in Newark , N.J. ‖ Fannie Mae agreed .'],
    ['No. 5 vs. No. 6', 'No. 5 vs. No. 6'],
    ['He said: No. He took car No. 5.', 'He said : No. ‖ He took car No. 5 .'],
    ['a Ph.D. student', 'a Ph.D. student'],
    ['Calif.-based and U.S.-made', 'Calif.-based and U.S.-made'],
    ['He is taller than I. She is not.', 'He is taller than I . ‖ She is not .'],
    ['by Malcolm I. Glazer', 'by Malcolm I. Glazer'],
    ['apples, pears, etc.', 'apples , pears , etc.'],
    ['S&P, AT&T, R&D', 'S&P , AT&T , R&D'],
    ['C++ and and/or', 'C++ and and/or'],
  ],
  'sentence ends': [
    ['Yahoo! said so. "Why?" he asked.', 'Yahoo ! said so . ‖ " Why ? " he asked .'],
    ['It ended. (Or so it seemed.) "Yes."', 'It ended . ‖ ( Or so it seemed . ) ‖ " Yes . "'],
    ['It ended.” She left.', 'It ended . ” ‖ She left .'],
    ['Done. -- He wrote', 'Done . ‖ -- He wrote'],
    ['Done! 🎉 Party.', 'Done ! ‖ 🎉 Party .'],
    ['A Heading\n\nThe text.', 'A Heading ‖ The text .'],
    ['A Heading\r\n \t\r\nThe text.', 'A Heading ‖ The text .'],
    ['A\u2029B', 'A ‖ B'],
    ['one\nline\r\nand\ranother\tone', 'one line and another one'],
  ],
  addresses: [
    ['See https://example.com/a?b=c&d=1#e.', 'See https://example.com/a?b=c&d=1#e .'],
    ['(see http://x.org/y_(z))', '( see http://x.org/y_(z) )'],
    ['at www.example.com, or "http://a.b".', 'at www.example.com , or " http://a.b " .'],
    ['Mail first.last+tag@mail.example.org!', 'Mail first.last+tag@mail.example.org !'],
    ['example.com is a domain.', 'example.com is a domain .'],
    ['@user likes #tag_1, #日本!', '@user likes #tag_1 , #日本 !'],
    ['in /usr/local/bin or ~/x or ../y', 'in /usr/local/bin or ~/x or ../y'],
    ['on C:\\Users\\me', 'on C:\\Users\\me'],
  ],
  emoji: [
    ['wow😀! great 👍🏽', 'wow 😀 ! ‖ great 👍🏽'],
    ['👨‍👩‍👧‍👦❤️ x', '👨‍👩‍👧‍👦 ❤️ x'],
    ['🇩🇪🇫🇷 1️⃣ #️⃣', '🇩🇪 🇫🇷 1️⃣ #️⃣'],
    ['😀😀', '😀 😀'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 wins', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 wins'],
  ],
  'white space': [
    ['\ufeffBOM\u00a0NBSP\u2009thin\u3000wide\u200bzero\u0085next', 'BOM NBSP thin wide zero next'],
    ['a\u0000b\u001fc\u007fd', 'a b c d'],
    ['', ''],
    [' \n\n ', ''],
  ],
  'surrogates without a partner': [
    ['a\ud800b', 'a \ud800 b'],
    ['\udc00\ud83d', '\udc00 \ud83d'],
    ['𝒳y', '𝒳y'],
  ],
};

for (const [title, lines] of Object.entries(TOKENS)) {
  describe(title, () => {
    test.each(lines)('%s', (text, expected) => {
      expect(tokensOf(text)).toBe(expected);
    });
  });
}

describe('words are spelt as in the Penn Treebank', () => {
  test.each([
    ['"Yes," (he) [said] {x}.', "`` Yes , '' -LRB- he -RRB- -LSB- said -RSB- -LCB- x -RCB- ."],
    ['“a” ‘b’', "`` a '' ` b '"],
    ["'b' ``c''", "` b ' `` c ''"],
    ['a — b – c -- d --- e', 'a -- b -- c -- d -- e'],
    ['Wait… so... on', 'Wait ... so ... on'],
    ['don’t John’s O’Neill ’90s', "do n't John 's O'Neill '90s"],
    ['1/2 and/or * /', '1\\/2 and\\/or \\* \\/'],
    ['***', '\\*\\*\\*'],
    ['http://x.org/a/*b', 'http://x.org/a/*b'],
    ['ends with " alone " marks', "ends with `` alone '' marks"],
    ['("nested" [\'quotes\'])', "-LRB- `` nested '' -LSB- ` quotes ' -RSB- -RRB-"],
    ['say—"yes"', "say -- `` yes ''"],
    ['a 6"x8"board', "a 6 '' x8 '' board"],
    ['\'"No" is it,\' he said', "' `` No '' is it , ' he said"],
    ['x\'"no"', "x ' '' no ''"],
  ])('%s', (text, expected) => {
    expect(wordsOf(text)).toBe(expected);
  });

  test('a new paragraph forgets an open quotation', () => {
    expect(wordsOf('an open " quote\n\n" again "')).toBe("an open `` quote ‖ `` again ''");
  });
});
