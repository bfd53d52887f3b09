import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The engine as it is written, not as it was built last.
  resolve: {
    alias: { '@dateline/versions': fileURLToPath(new URL('versions/src/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts', 'versions/test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // The default leaves one core idle, which on two cores is half of them.
    maxWorkers: 2,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
