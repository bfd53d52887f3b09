import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, so that no worker ends with one of them while the other is idle. */
const SLOWEST = [
  'test/tape/tape.test.ts',
  'test/browser/console-pictures.test.ts',
  'test/browser/console.test.ts',
  'test/process/workers.test.ts',
  'test/process/dev.test.ts',
  'test/webhooks/backlog.test.ts',
  'test/webhooks/workers.test.ts',
  'test/own-api/folder.test.ts',
  'test/package/packed.test.ts',
  'test/process/serve.test.ts',
  'test/storage/readiness.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/browser/console-lists.test.ts',
  'test/process/late-database.test.ts',
  'test/own-api/errors.test.ts',
  'test/contracts/contract-check.test.ts',
  'test/recovery/backup.test.ts',
  'test/own-api/documented-errors.test.ts',
  'test/cli/console-parity.test.ts',
  'test/versions/cases/release-nodes.test.ts',
  'test/contracts/freeze-gate.test.ts',
  'test/webhooks/makers.test.ts',
  'test/http/operator-openapi.test.ts',
  'test/own-api/uploads.test.ts',
  'test/own-api/contract-types.test.ts',
  'test/deploy/proxies.test.ts',
  'test/versions/cases/release.test.ts',
  'test/oauth/cases/nodes.test.ts',
  'test/housekeeping/housekeeping.test.ts',
  'test/own-api/upstream-failures.test.ts',
  'test/http/account/authorize.test.ts',
  'test/browser/console-search.test.ts',
  'test/import/attacks.test.ts',
  'test/browser/console-widths.test.ts',
  'test/http/operator-search.test.ts',
  'test/browser/console-environment.test.ts',
  'versions/test/schema-keywords.test.ts',
  'test/webhooks/releases.test.ts',
  'test/compose/worker.test.ts',
  'test/webhooks/sending/hostile-receivers.test.ts',
  'test/storage/upgrades.test.ts',
  'test/browser/console-acts.test.ts',
  'test/browser/five-questions.test.ts',
  'test/import/import.test.ts',
];

/** The same order in every run, on every machine: nothing is stored between runs. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort(
      (one, other) => rank(one) - rank(other) || one.moduleId.localeCompare(other.moduleId),
    );
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = SLOWEST.findIndex((path) => moduleId.endsWith(path));
  return index === -1 ? SLOWEST.length : index;
}
