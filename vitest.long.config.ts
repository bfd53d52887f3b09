import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 10 * 60_000,
  },
});
