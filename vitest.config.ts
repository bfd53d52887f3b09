import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
