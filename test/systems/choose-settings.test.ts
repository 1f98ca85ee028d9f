import { describe, expect, it } from 'vitest';
import { readColumns } from '../../src/data/corpus.js';
import { trySettings } from '../../src/systems/choose-settings.js';
import { configure } from '../../src/tasks/configure.js';

const columns = ['word', 'entity'];
const settings = ['ioe2', 'iob2'].map((scheme) =>
  configure({ task: 'entities', preset: 'accurate', options: { scheme, 'cut-off': 1 } }),
);

describe('a choice of settings on held-out data', () => {
  it('prefers what is given first unless another gains a point', async () => {
    const text = Array.from(
      { length: 30 },
      (_, i) => `-DOCSTART- O\n\n${['Bonn', 'Rome', 'Oslo'][i % 3]} B-LOC\nis O\n\n`,
    ).join('');
    const tried = await trySettings(readColumns(text, { columns }), settings);
    expect(tried.map(({ configuration }) => configuration.scheme)).toEqual(['ioe2', 'iob2']);
    expect(tried.map(({ f1 }) => f1)).toEqual([100, 100]);
  });

  it('takes what is given first where there are too few documents', async () => {
    const tried = await trySettings(readColumns('a O\n\nb O\n', { columns }), settings);
    expect(tried.map(({ configuration }) => configuration)).toEqual([settings[0]]);
  });
});
