import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The engine as it is written, not as it was built last.
  resolve: {
    alias: { '@dateline/versions': fileURLToPath(new URL('versions/src/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/run/look-at-answers.ts'],
    pool: 'forks',
    // One after the other: each takes what the machine has.
    maxWorkers: 1,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 20 * 60_000,
    hookTimeout: 2 * 60_000,
  },
});
