import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.js';
import type { Span } from '../../src/data/span.js';
import { ChunkScorer, type ChunkScores, conllevalTable, scoresToJson } from '../../src/score/conlleval.js';
import { CHUNK_SCHEMES } from '../../src/tags/scheme.js';

function score(...pairs: [gold: string, predicted: string][]): ChunkScores {
  const scorer = new ChunkScorer();
  for (const [gold, predicted] of pairs) scorer.add(gold.split(' '), predicted.split(' '));
  return scorer.scores();
}

describe('where chunks start and end', () => {
  // biome-ignore format: a table
  // Chunks in two tokens of one type, by the script's own rules; E B is one chunk there.
  const chunksOfOneType: Record<string, number> = {
    BB: 2, BI: 1, BE: 1, IB: 2, II: 1, IE: 1, EB: 1, EI: 2, EE: 2,
    OB: 1, OI: 1, OE: 1, BO: 1, IO: 1, EO: 1, OO: 0,
  };

  it.each(Object.entries(chunksOfOneType))('%s of one type: %i chunks', (pair, chunks) => {
    const tags = [...pair].map((leading) => (leading === 'O' ? 'O' : `${leading}-X`)).join(' ');
    const untyped = [...pair].join(' ');
    for (const { gold, predicted, correct } of [score([tags, tags]), score([untyped, untyped])]) {
      expect([gold, predicted, correct]).toEqual([chunks, chunks, chunks]);
    }
  });

  it.each([...'BIE'].flatMap((a) => [...'BIE'].map((b) => [a, b])))('%s-X %s-Y: two chunks', (a, b) => {
    const tags = `${a}-X ${b}-Y`;
    expect(score([tags, tags])).toMatchObject({ gold: 2, predicted: 2, correct: 2 });
  });

  // The gold chunk is the first token; a prediction is right iff its first chunk ends there too.
  it.each(Object.keys(chunksOfOneType).filter((pair) => pair[0] !== 'O'))('%s: ends or goes on', (pair) => {
    const ends = ['BB', 'BO', 'IB', 'IO', 'EE', 'EI', 'EO'].includes(pair);
    const predicted = [...pair].map((leading) => (leading === 'O' ? 'O' : `${leading}-X`)).join(' ');
    expect(score(['B-X O', predicted]).correct).toBe(ends ? 1 : 0);
    const other = predicted.replace(/X$/, 'Y');
    expect(score(['B-X O', other]).correct).toBe(1);
  });

  it('ends every chunk with its sentence', () => {
    expect(score(['B-X', 'B-X'], ['I-X', 'I-X'])).toMatchObject({ gold: 2, correct: 2, sentences: 2 });
  });

  it('wants start, end and type right', () => {
    expect(score(['B-X I-X I-X', 'O B-X I-X']).correct).toBe(0);
    expect(score(['B-X I-X I-X', 'B-X I-X O']).correct).toBe(0);
    expect(score(['B-X I-X', 'B-Y I-Y']).correct).toBe(0);
    expect(score(['B-X I-X B-X', 'B-X I-X I-X'])).toMatchObject({ gold: 2, predicted: 1, correct: 0 });
    expect(score(['B-X I-X I-X', 'B-X I-Y I-X'])).toMatchObject({ gold: 1, predicted: 3, correct: 0 });
    // Other tags, the same chunk.
    expect(score(['O I-X I-X', 'O B-X I-X'])).toMatchObject({ correct: 1, correctTags: 2 });
  });
});

describe('IOBES', () => {
  it('is converted where S occurs in either column', () => {
    expect(score(['S-X S-X B-X E-X B-X E-X', 'S-X S-X B-X E-X B-X E-X'])).toMatchObject({
      gold: 4,
      correct: 4,
    });
    expect(score(['B-X B-X I-X', 'S-X B-X E-X'])).toMatchObject({
      gold: 2,
      predicted: 2,
      correct: 2,
      correctTags: 1,
    });
  });

  it('is read as such without S where the scheme is given', () => {
    const tags = ['B-X', 'E-X', 'B-X', 'E-X'];
    const told = new ChunkScorer('iobes');
    told.add(tags, tags);
    expect(told.scores()).toMatchObject({ gold: 2, correct: 2 });
    const untold = new ChunkScorer();
    untold.add(tags, tags);
    expect(untold.scores()).toMatchObject({ gold: 1, correct: 1 });
  });

  it('is read as such in all sentences once an S is met in any, gold or predicted', () => {
    const gold = ['B-X', 'E-X', 'B-X', 'E-X'];
    const single = ['B-X', 'E-X', 'S-X', 'S-X'];
    for (const order of [
      [gold, single],
      [single, gold],
    ]) {
      const scorer = new ChunkScorer();
      for (const predicted of order) scorer.add(gold, predicted);
      expect(scorer.scores()).toMatchObject({ gold: 4, predicted: 5, correct: 3 });
    }
  });

  it.each(Object.values(CHUNK_SCHEMES))('$name: counts are those of the spans', (scheme) => {
    const random = new Random(5);
    const scorer = new ChunkScorer(scheme.name);
    const counts = { gold: 0, predicted: 0, correct: 0 };
    const draw = () => {
      const spans: Span[] = [];
      for (let start = 0; start < 12; ) {
        const end = Math.min(12, start + 1 + random.below(3));
        const type = ['X', 'Y', ''][random.below(3)];
        if (type !== '') spans.push({ start, end, type });
        start = end;
      }
      return spans;
    };
    for (let s = 0; s < 50; s++) {
      const gold = draw();
      const predicted = draw();
      scorer.add(scheme.encode(gold, 12), scheme.encode(predicted, 12));
      const keys = new Set(gold.map((span) => JSON.stringify(span)));
      counts.gold += gold.length;
      counts.predicted += predicted.length;
      counts.correct += predicted.filter((span) => keys.has(JSON.stringify(span))).length;
    }
    expect(counts.correct).toBeGreaterThan(10);
    expect(scorer.scores()).toMatchObject(counts);
  });
});

describe('ChunkScorer', () => {
  it('compares whole tags for accuracy', () => {
    const scores = score(['B-X I-X O B-Y', 'B-X I-Y O I-Y']);
    expect(scores).toMatchObject({ tokens: 4, correctTags: 2, accuracy: 50 });
  });

  it('gives 0 where nothing can be divided by', () => {
    expect(new ChunkScorer().scores()).toMatchObject({
      tokens: 0,
      accuracy: 0,
      precision: 0,
      recall: 0,
      f1: 0,
    });
    expect(score(['O', 'O'])).toMatchObject({ accuracy: 100, precision: 0, recall: 0, f1: 0 });
    const scores = score(['B-X O', 'O B-Y']);
    expect(scores.types.get('X')).toEqual({
      gold: 1,
      predicted: 0,
      correct: 0,
      precision: 0,
      recall: 0,
      f1: 0,
    });
    expect(scores.types.get('Y')).toEqual({
      gold: 0,
      predicted: 1,
      correct: 0,
      precision: 0,
      recall: 0,
      f1: 0,
    });
  });

  it('refuses columns of different lengths and unknown tags', () => {
    expect(() => new ChunkScorer().add(['O'], [])).toThrow(/1 gold and 0 predicted/);
    expect(() => new ChunkScorer().add(['O'], ['Z-X'])).toThrow(/found "Z-X"/);
  });

  it('leaves the scores as they were where a sentence is refused', () => {
    const scorer = new ChunkScorer();
    expect(() => scorer.add(['B-X', 'O'], ['B-X', 'Z'])).toThrow();
    expect(scorer.scores()).toMatchObject({ tokens: 0, gold: 0, sentences: 0 });
  });
});

describe('conllevalTable', () => {
  // What the Perl script (version 2004-01-26) printed for these sentences, written as `w gold predicted` lines.
  it('is the output of the script on 300 random sentences', () => {
    expect(conllevalTable(randomScores(1)).split('\n')).toEqual([
      'processed 1383 tokens with 930 phrases; found: 913 phrases; correct: 730.',
      'accuracy:  83.22%; precision:  79.96%; recall:  78.49%; FB1:  79.22',
      '              A-B: precision:  76.88%; recall:  78.34%; FB1:  77.60  320',
      '               NP: precision:  79.87%; recall:  78.85%; FB1:  79.35  308',
      '               VP: precision:  83.51%; recall:  78.29%; FB1:  80.81  285',
      '',
    ]);
  });

  it('rounds ties to even, as C does', () => {
    // 1 of 32 is 3.125 %, 3 of 32 is 9.375 %.
    const scorer = new ChunkScorer();
    const line = (right: number) => Array.from({ length: 32 }, (_, i) => (i < right ? 'B-X' : 'B-Y'));
    scorer.add(line(32), line(1));
    expect(conllevalTable(scorer.scores())).toContain(
      'accuracy:   3.12%; precision:   3.12%; recall:   3.12%',
    );
    const other = new ChunkScorer();
    other.add(line(32), line(3));
    expect(conllevalTable(other.scores())).toContain(
      'accuracy:   9.38%; precision:   9.38%; recall:   9.38%',
    );
  });

  it('has one line where nothing was scored, and no type lines where there are no chunks', () => {
    expect(conllevalTable(new ChunkScorer().scores())).toBe(
      'processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0.\n',
    );
    expect(conllevalTable(score(['O', 'O']))).toBe(
      'processed 1 tokens with 0 phrases; found: 0 phrases; correct: 0.\n' +
        'accuracy: 100.00%; precision:   0.00%; recall:   0.00%; FB1:   0.00\n',
    );
  });
});

describe('scoresToJson', () => {
  it('is plain data', () => {
    const json = scoresToJson(score(['B-NP I-NP O B-VP', 'B-NP I-NP O O']));
    expect(JSON.parse(JSON.stringify(json))).toEqual({
      tokens: 4,
      sentences: 1,
      accuracy: 75,
      gold: 2,
      predicted: 1,
      correct: 1,
      precision: 100,
      recall: 50,
      f1: 200 / 3,
      types: {
        NP: { gold: 1, predicted: 1, correct: 1, precision: 100, recall: 100, f1: 100 },
        VP: { gold: 1, predicted: 0, correct: 0, precision: 0, recall: 0, f1: 0 },
      },
    });
  });
});

/** Sentences of 1 to 8 random tags of three types; four of five predicted tags are the gold ones. */
function randomScores(seed: number): ChunkScores {
  const random = new Random(seed);
  const draw = () => {
    const leading = 'OBIE'[random.below(4)];
    return leading === 'O' ? 'O' : `${leading}-${['NP', 'VP', 'A-B'][random.below(3)]}`;
  };
  const scorer = new ChunkScorer();
  for (let s = 0; s < 300; s++) {
    const gold = Array.from({ length: 1 + random.below(8) }, draw);
    scorer.add(
      gold,
      gold.map((tag) => (random.below(5) > 0 ? tag : draw())),
    );
  }
  return scorer.scores();
}
