import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnStrings, readColumns } from '../../src/data/corpus.js';
import { measureLists } from '../../src/systems/measure-lists.js';
import { agglomerate } from '../../src/train/clusters/agglomerate.js';
import { BigramCounter } from '../../src/train/clusters/bigrams.js';
import { Exchange } from '../../src/train/clusters/exchange.js';
import { learnClusters } from '../../src/train/clusters/learn-clusters.js';

const ANIMALS = ['dog', 'cat', 'cow', 'horse'];
const CITIES = ['Bonn', 'Rome', 'Oslo', 'Cairo'];
const SENTENCES = Array.from({ length: 400 }, (_, i) =>
  i % 2 === 0
    ? `the ${ANIMALS[(i * 7 + (i >> 3)) % 4]} ${['runs', 'sleeps'][(i >> 1) % 2]} in ${CITIES[(i * 5 + (i >> 2)) % 4]}`
    : `a ${ANIMALS[(i * 3 + (i >> 4)) % 4]} of ${CITIES[(i * 11 + (i >> 3)) % 4]} ${['eats', 'sits'][(i >> 1) % 2]}`,
);

function count(sentences: readonly string[]): BigramCounter {
  const counter = new BigramCounter();
  for (const sentence of sentences) counter.add(sentence);
  return counter;
}

describe('clusters of words from raw text', () => {
  const options = { classes: 6, minCount: 2, passes: 20 };

  it('put words of the same contexts together, rare ones too', () => {
    const words = learnClusters(count([...SENTENCES, 'the emu runs in Bonn']), options);
    const pathOf = new Map(words.map(({ word, path }) => [word, path]));
    for (const group of [ANIMALS, CITIES]) {
      expect(new Set(group.map((word) => pathOf.get(word))).size).toBe(1);
    }
    expect(pathOf.get('emu')).toBe(pathOf.get('dog'));
    expect(pathOf.get('dog')).not.toBe(pathOf.get('Bonn'));
    expect(words.find(({ word }) => word === 'the')?.count).toBe(201);
  });

  it('do not depend on the order of sentences', () => {
    expect(learnClusters(count([...SENTENCES].reverse()), options)).toEqual(
      learnClusters(count(SENTENCES), options),
    );
  });

  it('go on from earlier ones', () => {
    const init = new Map(learnClusters(count(SENTENCES), options).map(({ word, path }) => [word, path]));
    const moved: number[] = [];
    learnClusters(count(SENTENCES), { ...options, init, onPass: (_, words) => moved.push(words) });
    expect(moved.every((words) => words <= 1)).toBe(true);
  });

  it('need as many words as classes', () => {
    expect(() => learnClusters(count(['a b']), options)).toThrow(
      '--classes 6: expected at least as many words that occur 2 times, found 0',
    );
  });

  it('are found by moves that never make the text less likely, each of them the best', () => {
    const text = fc.array(
      fc
        .array(fc.constantFrom(...'abcdefgh'), { minLength: 1, maxLength: 8 })
        .map((words) => words.join(' ')),
      { minLength: 3, maxLength: 30 },
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 4 }), (sentences, k) => {
        const bigrams = count(sentences).take(1);
        const bits: number[] = [];
        const exchange = new Exchange(bigrams, k);
        const before = exchange.bitsPerToken();
        exchange.run(30, (_pass, _moved, now) => bits.push(now));
        [before, ...bits].forEach((now, i, all) => {
          if (i > 0) expect(now).toBeLessThanOrEqual(all[i - 1] + 1e-9);
        });
        // No single word can be moved to gain anything.
        const last = bits[bits.length - 1];
        for (let w = 0; w < bigrams.words.length; w++) {
          for (let c = 0; c < k; c++) {
            const classes = exchange.classes.slice();
            classes[w] = c;
            expect(new Exchange(bigrams, k, classes).bitsPerToken()).toBeGreaterThanOrEqual(last - 1e-9);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('bit paths of classes', () => {
  it('join first what loses least, as an exhaustive search does', () => {
    const bigrams = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bigrams, (counts) => {
        const paths = agglomerate(Float64Array.from(counts), 4);
        expect(new Set(paths).size).toBe(4);
        const deepest = Math.max(...paths.map((path) => path.length));
        const first = paths.flatMap((path, a) => (path.length === deepest ? [a] : []));
        const losses: number[] = [];
        for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) losses.push(loss(counts, a, b));
        const least = Math.min(...losses);
        const joined = first.flatMap((a) =>
          first.flatMap((b) =>
            a < b && paths[a].slice(0, -1) === paths[b].slice(0, -1) ? [loss(counts, a, b)] : [],
          ),
        );
        expect(Math.min(...joined)).toBeCloseTo(least, 6);
      }),
      { numRuns: 100 },
    );
  });
});

/** Mutual information (in counts and nats) that joining two of four classes loses. */
function loss(counts: readonly number[], a: number, b: number): number {
  const information = (classOf: readonly number[]) => {
    const joint = new Map<string, number>();
    const left = new Map<number, number>();
    const right = new Map<number, number>();
    const add = <K>(map: Map<K, number>, key: K, n: number) => map.set(key, (map.get(key) ?? 0) + n);
    counts.forEach((n, i) => {
      const x = classOf[Math.floor(i / 4)];
      const y = classOf[i % 4];
      add(joint, `${x},${y}`, n);
      add(left, x, n);
      add(right, y, n);
    });
    const term = (n: number) => (n === 0 ? 0 : n * Math.log(n));
    const sum = (map: Map<unknown, number>) => [...map.values()].reduce((total, n) => total + term(n), 0);
    return sum(joint) - sum(left) - sum(right);
  };
  const own = [0, 1, 2, 3];
  return information(own) - information(own.map((c) => (c === b ? a : c)));
}

describe('a comparison of lists with labelled data', () => {
  it('counts matches, those that are names, names found and entries that match nowhere', () => {
    const corpus = readColumns('Bonn B-LOC\nand O\nRome B-PER\n\nNew B-LOC\nYork I-LOC\nBonn O\n', {
      columns: ['word', 'entity'],
    });
    expect(columnStrings(corpus, 0, 0)).toEqual(['Bonn', 'and', 'Rome']);
    const file = { name: 'city', source: 'c', text: 'Bonn\nRome\nNew York\nOslo\n' };
    expect(measureLists(corpus, [file])).toEqual([
      { name: 'city', entries: 4, matches: 4, names: 3, type: 'LOC', covered: 2, all: 2, unused: 1 },
    ]);
  });
});
