import { expect, it } from 'vitest';
import { showP } from '../../src/report/p-value.js';

it('shows a p-value as what its test can tell', () => {
  expect(showP({ p: 0.01234 })).toBe('= 0.0123');
  expect(showP({ p: 0.00001 })).toBe('< 0.0001');
  expect(showP({ p: 1 / 1001, leastP: 1 / 1001 })).toBe('≤ 0.0010');
  expect(showP({ p: 2 / 1001, leastP: 1 / 1001 })).toBe('= 0.0020');
});
