import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../src/base/utf8.js';
import { UNIT_FORMATS } from '../../src/data/formats/input-formats.js';
import type { InputUnit } from '../../src/data/formats/input-unit.js';
import type { PhraseKind } from '../../src/data/formats/tree-phrases.js';
import { SCHEMES } from '../../src/tags/scheme.js';

function read(text: string, phrases?: PhraseKind, cut = 1000): InputUnit[] {
  const reader = UNIT_FORMATS.trees.read({ source: 't.mrg', columns: ['word', 'pos', 'chunk'], phrases });
  const bytes = encodeUtf8(text);
  const units: InputUnit[] = [];
  const take = () => {
    for (let unit = reader.next(); unit; unit = reader.next()) units.push(unit);
  };
  for (let i = 0; i < bytes.length; i += cut) {
    reader.push(bytes.subarray(i, i + cut));
    take();
  }
  reader.end();
  take();
  return units;
}

/** Chunks of each sentence in brackets, as people write them. */
function chunks(text: string, phrases?: PhraseKind): string[] {
  return read(text, phrases).flatMap(({ problem, sentences }) => {
    if (problem) throw problem;
    return sentences.map(({ sentence: { words }, spans = [] }) => {
      let at = 0;
      const parts: string[] = [];
      for (const { start, end, type } of spans) {
        parts.push(...words.slice(at, start), `[${type} ${words.slice(start, end).join(' ')}]`);
        at = end;
      }
      return [...parts, ...words.slice(at)].join(' ');
    });
  });
}

const VINKEN = `
( (S
    (NP-SBJ-1
      (NP (NNP Pierre) (NNP Vinken) )
      (, ,)
      (ADJP
        (NP (CD 61) (NNS years) )
        (JJ old) )
      (, ,) )
    (VP (MD will)
      (VP (VB join)
        (NP (DT the) (NN board) )
        (PP-CLR (IN as)
          (NP (DT a) (JJ nonexecutive) (NN director) ))))
    (. .) ))
`;

describe('trees', () => {
  it('become the chunks of the CoNLL-2000 task, its NP alone, or phrases of words alone', () => {
    expect(chunks(VINKEN)).toEqual([
      '[NP Pierre Vinken] , [NP 61 years] [ADJP old] , [VP will join] [NP the board] [PP as] [NP a nonexecutive director] .',
    ]);
    expect(chunks(VINKEN, 'basenp')).toEqual([
      '[NP Pierre Vinken] , [NP 61 years] old , will join [NP the board] as [NP a nonexecutive director] .',
    ]);
    expect(chunks(VINKEN, 'plain')).toEqual([
      '[NP Pierre Vinken] , [NP 61 years] old , will join [NP the board] as [NP a nonexecutive director] .',
    ]);
    expect(chunks('(S (NP (PRP He)) (VP (VBZ sleeps)))', 'plain')).toEqual(['[NP He] [VP sleeps]']);
  });

  // Each as CoNLL-2000 has such a construction.
  it.each([
    [
      'a clause without subject goes on with its verb, one with a function tag does not',
      '(S (NP (PRP He)) (VP (VBZ wants) (S (NP-SBJ (-NONE- *-1)) (VP (TO to) (VP (VB be) (VP (VBN told)))))))',
      '[NP He] [VP wants to be told]',
    ],
    [
      'a purpose is a chunk of its own',
      '(S (VP (VBD came) (S-PRP (NP (-NONE- *)) (VP (TO to) (VP (VB see))))))',
      '[VP came] [VP to see]',
    ],
    [
      'adverbs between verbs are in the chunk, those behind are not',
      "(S (NP (PRP He)) (VP (VBZ has) (ADVP (RB also)) (RB n't) (VP (VBN said))) (VP (VBZ is) (RB not) (ADJP (JJ old))))",
      "[NP He] [VP has also n't said] [VP is] not [ADJP old]",
    ],
    [
      'verbs are joined by a conjunction, phrases are not',
      '(S (VP (MD will) (VP (VP (VB buy)) (CC and) (VP (VB sell)))) (VP (VBD bought) (CC and) (VBD sold) (NP (NN it))))',
      '[VP will buy] and [VP sell] [VP bought and sold] [NP it]',
    ],
    [
      'an auxiliary before its subject is in no chunk',
      '(SQ (MD Can) (NP (PRP it)) (VP (VB be)) (. ?))',
      'Can [NP it] [VP be] ?',
    ],
    [
      'a possessive marker begins a chunk',
      "(NP (NP (NP (DT the) (NN firm) (POS 's)) (NN chief) (POS 's)) (JJ big) (NN dog))",
      `${"[NP the firm] ['s] [NP chief]".replace("['s] [NP chief]", "[NP 's chief]")} [NP 's big dog]`,
    ],
    [
      'adjectives, quantities and their adverbs are in the noun phrase',
      '(NP (QP (RBR more) (IN than) (CD 30)) (ADJP (RB very) (JJ big)) (, ,) (JJ fat) (NNS dogs) (SBAR (WHNP (WDT that)) (S (VP (VBP bark)))))',
      '[NP more than 30 very big , fat dogs] [NP that] [VP bark]',
    ],
    ['an amount without a noun', '(NP (QP ($ $) (CD 1.8) (CD billion)) (-NONE- *U*))', '[NP $ 1.8 billion]'],
    [
      'a determiner before a phrase is in none',
      '(NP (PDT all) (NP (DT the) (NNS dogs)) (PP (IN of) (NP (NNP York))))',
      'all [NP the dogs] [PP of] [NP York]',
    ],
    ['two prepositions', '(PP (IN because) (IN of) (NP (PRP it)))', '[PP because of] [NP it]'],
    ['a preposition in another', '(PP (IN out) (PP (IN of) (NP (PRP it))))', '[PP out] [PP of] [NP it]'],
    [
      'an adverb before a preposition',
      '(PP (ADVP (RB well)) (IN below) (NP (PRP it)))',
      '[ADVP well] [PP below] [NP it]',
    ],
    ['a noun phrase in an adverb', '(ADVP (NP (CD two) (NNS years)) (RB ago))', '[NP two years] [ADVP ago]'],
    [
      'subordinators',
      '(SBAR (RB so) (IN that) (S (NP (PRP it)) (VP (VBZ is))))',
      '[SBAR so that] [NP it] [VP is]',
    ],
    [
      'the rest of in order to',
      '(SBAR (IN in) (NN order) (S (VP (TO to) (VP (VB go)))))',
      '[SBAR in] order [VP to go]',
    ],
    [
      'question words',
      '(SBARQ (WHPP (IN in) (WHNP (WDT which))) (WHADVP (WRB how)) (WHADJP (WRB how) (JJ big)))',
      '[PP in] [NP which] [ADVP how] [ADJP how big]',
    ],
    [
      'particles, interjections, conjunctions of several words, and numbers of lists',
      '(S (LST (-LRB- -LRB-) (LS 1) (-RRB- -RRB-)) (INTJ (UH oh) (, ,) (UH yes)) (CONJP (RB not) (RB only)) (VP (VBD gave) (PRT (RP up))))',
      '-LRB- [LST 1] -RRB- [INTJ oh , yes] [CONJP not only] [VP gave] [PRT up]',
    ],
  ])('%s', (_name, tree, expected) => {
    expect(chunks(tree)).toEqual([expected]);
  });

  it('are read with any outer bracket, several on a line, over lines, and without what is empty', () => {
    const trees =
      '*x*x*x*x*\n(ROOT (NP (NNP Ada)))(TOP (NP (NNP Bob)))\n((NP (NNP Cy)))\n( (S (NP (-NONE- *)) ) )\n(UH hi)\n( (S|X (NP=1 (-LRB- -LRB-)\n(NNS\ndogs))))';
    expect(chunks(trees)).toEqual(['[NP Ada]', '[NP Bob]', '[NP Cy]', 'hi', '-LRB- [NP dogs]']);
  });

  it.each([
    [
      '(S (NP (DT The) (NN dog))\n\n(VP (VBZ barks))',
      't.mrg:1: expected a closing bracket for the tree that begins here, found the end of the input',
    ],
    ['\n(S (NN dog cat))', 't.mrg:2: expected ) after the word "dog", found "cat"'],
    ['(S (NN dog (NN cat)))', 't.mrg:1: expected ) after the word "dog", found ('],
    ['(S\n(NP (DT the) dog))', 't.mrg:2: expected ( or ) in the phrase "NP", found "dog"'],
    ['(S (NP))', 't.mrg:1: expected a label and a word or phrases between brackets, found "(NP)"'],
    ['()', 't.mrg:1: expected a label and a word or phrases between brackets, found "an empty bracket"'],
    ['(NN a))', 't.mrg:1: expected ( where a tree begins, found ")"'],
    ['dog', 't.mrg:1: expected ( where a tree begins, found "dog"'],
    ['(S '.repeat(600), 't.mrg:1: expected at most 500 open brackets, found more'],
  ])('%s is refused with its line', (text, message) => {
    const problems = read(text).flatMap(({ problem }) => problem ?? []);
    expect(problems[0]?.message).toBe(message);
  });

  it('behind a bad one are read again from the next line that starts with a bracket', () => {
    const units = read('(S (NN a b)\n  (NN c))\n(S (NN d))');
    expect(units.map(({ problem, sentences }) => problem?.place.line ?? sentences[0].sentence.words)).toEqual(
      [1, ['d']],
    );
  });

  it('keep every word, in chunks that do not overlap, however they are cut into pieces', () => {
    const label = fc.constantFrom(
      'S',
      'NP',
      'VP',
      'PP',
      'ADVP',
      'ADJP',
      'QP',
      'NX',
      'SBAR',
      'S-TPC',
      'CONJP',
      'X',
      'WHNP',
    );
    const pos = fc.constantFrom('NN', 'VBZ', 'IN', 'RB', 'JJ', 'CC', ',', 'POS', '-NONE-', 'DT', 'TO', '``');
    const { tree } = fc.letrec<{ tree: string; word: string }>((tie) => ({
      word: pos.map((tag) => `(${tag} w)`),
      tree: fc
        .tuple(
          label,
          fc.array(fc.oneof({ maxDepth: 5 }, tie('word'), tie('tree')), { minLength: 1, maxLength: 5 }),
        )
        .map(([own, parts]) => `(${own} ${parts.join(' ')})`),
    }));
    fc.assert(
      fc.property(
        tree,
        fc.constantFrom('conll', 'basenp', 'plain'),
        fc.integer({ min: 1, max: 7 }),
        (text, kind, cut) => {
          const [whole] = read(text, kind);
          expect(read(text, kind, cut)).toEqual([whole]);
          const words = text.match(/\((?!-NONE-)\S+ w\)/g) ?? [];
          if (words.length === 0) {
            expect(whole.sentences).toEqual([]);
            return;
          }
          const [{ sentence, spans = [] }] = whole.sentences;
          expect(sentence.words.length).toBe(words.length);
          let end = 0;
          for (const span of spans) {
            expect(span.start).toBeGreaterThanOrEqual(end);
            expect(span.end).toBeGreaterThan(span.start);
            end = span.end;
          }
          expect(end).toBeLessThanOrEqual(words.length);
          expect(SCHEMES.iob2.encode(spans, words.length)).toHaveLength(words.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
