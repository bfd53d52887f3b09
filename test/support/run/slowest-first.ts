import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { sha256Hex } from '../../../src/kernel/digest.ts';

/** The slowest files, so that no worker ends with one of them while the others are idle. */
const SLOWEST = [
  'test/tape/tape.test.ts',
  'test/browser/console-pictures.test.ts',
  'test/process/dev.test.ts',
  'test/browser/console.test.ts',
  'test/process/workers.test.ts',
  'test/package/packed.test.ts',
  'test/process/serve.test.ts',
  'test/recovery/backup.test.ts',
  'test/oauth/cases/nodes.test.ts',
  'test/standbys/revocations-everywhere.test.ts',
  'test/webhooks/workers.test.ts',
  'test/storage/already-done.test.ts',
  'test/process/late-database.test.ts',
  'test/doctor/production.test.ts',
  'versions/test/schema-keywords.test.ts',
  'test/contracts/contract-check.test.ts',
  'test/storage/upgrades.test.ts',
  'test/http/operator-search.test.ts',
  'test/own-api/contract-types.test.ts',
  'test/versions/cases/release-nodes.test.ts',
  'test/contracts/freeze-gate.test.ts',
  'test/client/package.test.ts',
  'test/webhooks/makers.test.ts',
  'test/standbys/ends-of-access.test.ts',
];

/** Those that mostly wait, for a browser, a process or a time that is over: spread among the others, which use the processors meanwhile. */
const WAITING = [
  'test/webhooks/backlog.test.ts',
  'test/own-api/documented-errors.test.ts',
  'test/browser/five-questions.test.ts',
  'test/own-api/errors.test.ts',
  'test/storage/readiness.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/webhooks/lost-answers.test.ts',
  'test/browser/console-lists.test.ts',
  'test/own-api/upstream-failures.test.ts',
  'test/browser/console-home.test.ts',
  'test/browser/console-acts.test.ts',
  'test/browser/console-search.test.ts',
  'test/browser/console-leaks.test.ts',
  'test/browser/console-environment.test.ts',
  'test/browser/console-parts.test.ts',
  'test/client/calls.test.ts',
  'test/webhooks/releases.test.ts',
  'test/compose/worker.test.ts',
  'test/webhooks/sending/hostile-receivers.test.ts',
];

/** The same order in every run, on every machine: nothing is stored between runs. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slowest = listed(files, SLOWEST);
    const waiting = listed(files, WAITING);
    const others = files.filter((file) => !slowest.includes(file) && !waiting.includes(file));
    return [...slowest, ...spread(waiting, mixed(others))];
  }
}

/** In the order of the list. */
function listed(files: readonly TestSpecification[], paths: readonly string[]): TestSpecification[] {
  return paths.flatMap((path) => files.find(({ moduleId }) => moduleId.endsWith(path)) ?? []);
}

/** Those of one room are alike: all browsers would wait at once, and then all servers be busy. */
function mixed(files: readonly TestSpecification[]): TestSpecification[] {
  const keyOf = ({ moduleId }: TestSpecification): string => sha256Hex(relative(process.cwd(), moduleId));
  return [...files].sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
}

/** Puts some items among others at equal distances, beginning with one of them. */
function spread<Item>(some: readonly Item[], among: readonly Item[]): Item[] {
  const distance = Math.max(1, Math.floor(among.length / (some.length + 1)));
  const first = some.flatMap((item, index) => [
    item,
    ...among.slice(index * distance, (index + 1) * distance),
  ]);
  return [...first, ...among.slice(some.length * distance)];
}
