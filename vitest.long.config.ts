import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    pool: 'forks',
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 10 * 60_000,
  },
});
