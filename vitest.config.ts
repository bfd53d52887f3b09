import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/support/run/slowest-first.ts';

/**
 * The workers run the servers that they test, each of them for a moment. With V8's own settings they collect garbage for a tenth of
 * their time, for another they optimize what is called no more (from V8 12 on there is no setting for that), and they forget code that the
 * next file needs again. The cores are busy: threads that help to collect garbage only cost.
 */
function workerFlags(): string[] {
  const optimizingLater = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [];
  return ['--max-semi-space-size=32', '--single-threaded-gc', '--no-flush-bytecode', ...optimizingLater];
}

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
    execArgv: workerFlags(),
    sequence: { sequencer: SlowestFirst },
    // One more than the cores of a small machine: tests that start processes mostly wait. With two more, whose code is compiled and
    // optimized once more each, a run took an eighth more of the processors.
    maxWorkers: 3,
    // Only for what hangs: on a machine whose processors others use as well, the start of a process takes most of a minute.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    restoreMocks: true,
  },
});
