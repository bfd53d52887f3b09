import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, so that no worker ends with one of them while the other is idle. */
const SLOWEST = [
  'test/browser/console-pictures.test.ts',
  'test/tape/tape.test.ts',
  'test/recovery/backup.test.ts',
  'test/browser/console.test.ts',
  'test/process/serve.test.ts',
  'test/process/dev.test.ts',
  'test/webhooks/backlog.test.ts',
  'test/package/packed.test.ts',
  'test/browser/console-lists.test.ts',
  'test/process/workers.test.ts',
  'test/contracts/contract-check.test.ts',
  'test/webhooks/workers.test.ts',
  'test/contracts/freeze-gate.test.ts',
  'test/versions/cases/release-nodes.test.ts',
  'test/own-api/errors.test.ts',
  'test/storage/readiness.test.ts',
  'test/process/late-database.test.ts',
  'test/webhooks/makers.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/browser/console-widths.test.ts',
  'test/browser/five-questions.test.ts',
  'test/versions/cases/release.test.ts',
  'test/http/operator-openapi.test.ts',
  'test/oauth/cases/nodes.test.ts',
  'test/tracing/traces.test.ts',
  'test/browser/console-search.test.ts',
  'test/own-api/folder.test.ts',
  'test/cli/console-parity.test.ts',
  'test/own-api/uploads.test.ts',
  'test/browser/console-home.test.ts',
  'test/storage/embedded-database.test.ts',
  'test/storage/upgrades.test.ts',
  'test/http/account/authorize.test.ts',
  'test/doctor/production.test.ts',
  'test/contracts/changes.test.ts',
  'test/own-api/documented-errors.test.ts',
  'test/cli/cli.test.ts',
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
