import { expect, it } from 'vitest';

interface StudioScript {
  packedSize(...sources: readonly string[]): number;
}

it('is a page of at most 60 kB before the tagger, and of 160 kB with trainer and kernels', async () => {
  const { packedSize } = (await import(
    new URL('../../scripts/studio.js', import.meta.url).href
  )) as StudioScript;
  expect(packedSize('main.tsx')).toBeLessThan(60_000);
  expect(packedSize('main.tsx', 'views/annotate.tsx')).toBeLessThan(60_000);
  expect(packedSize('main.tsx', 'engine/trainer.ts', 'engine/training.ts')).toBeLessThan(160_000);
});
