import { DefaultReporter } from 'vitest/node';

const LINE_EVERY_MS = 15_000;

/** Says how far the run is; of single files only what failed. A terminal has one line that is written anew. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter from there.
export default class ProgressReporter extends DefaultReporter {
  #files = { done: 0, all: 0 };
  #tests = { done: 0, failed: 0 };
  #startedAtMs = performance.now();
  #timer;

  constructor() {
    super({ summary: false });
  }

  onTestRunStart(specifications) {
    super.onTestRunStart(specifications);
    this.#files.all = specifications.length;
    this.#timer = setInterval(() => this.#say(), this.isTTY ? 1_000 : LINE_EVERY_MS);
    this.#timer.unref();
  }

  printTestModule(testModule) {
    if (!testModule.ok()) this.#aside(() => super.printTestModule(testModule));
  }

  onTestCaseResult(testCase) {
    super.onTestCaseResult(testCase);
    this.#tests.done += 1;
    if (testCase.result().state === 'failed') this.#tests.failed += 1;
  }

  onTestModuleEnd(testModule) {
    this.#files.done += 1;
    super.onTestModuleEnd(testModule);
    if (this.isTTY) this.#say();
  }

  onTestRunEnd(...result) {
    clearInterval(this.#timer);
    this.#aside(() => super.onTestRunEnd(...result));
  }

  #say() {
    const seconds = Math.round((performance.now() - this.#startedAtMs) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const line = `${time}  ${this.#files.done} of ${this.#files.all} files, ${this.#tests.done} tests, ${this.#tests.failed} failed`;
    process.stdout.write(this.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** Other output begins on a line of its own. */
  #aside(print) {
    if (this.isTTY) process.stdout.write('\r\x1b[K');
    print();
  }
}
