import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/run/slowest-first.ts';

export default defineConfig({
  // The engine as it is written, not as it was built last.
  resolve: {
    alias: { '@dateline/versions': fileURLToPath(new URL('versions/src/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts', 'versions/test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/run/look-at-answers.ts'],
    pool: 'forks',
    // Importing the service takes longer than most files take to run. Spies are undone after every file.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // One more than the cores of a small machine: tests that start processes mostly wait.
    maxWorkers: 3,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
