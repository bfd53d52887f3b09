import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // One after the other: each takes what the machine has.
    maxWorkers: 1,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 20 * 60_000,
    hookTimeout: 2 * 60_000,
  },
});
