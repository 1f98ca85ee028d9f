import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/guard-arrays.ts'],
    // By default one of two cores would rest.
    maxWorkers: 2,
    // Against tests that hang: beside other work a test may well take five times as long as alone.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
});
