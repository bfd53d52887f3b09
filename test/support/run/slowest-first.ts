import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, so that no worker ends with one of them while the other is idle. */
const SLOWEST = [
  'test/process/serve.test.ts',
  'test/package/packed.test.ts',
  'test/tape/tape.test.ts',
  'test/docs.test.ts',
  'test/versions/cases/release-nodes.test.ts',
  'test/oauth/cases/nodes.test.ts',
  'test/contracts/freeze-gate.test.ts',
  'test/browser/console.test.ts',
  'test/browser/reference.test.ts',
  'test/webhooks/workers.test.ts',
  'test/webhooks/makers.test.ts',
  'test/client/package.test.ts',
  'test/process/uncaught.test.ts',
  'test/process/secret-use.test.ts',
  'test/webhooks/deliveries.test.ts',
  'test/cli/webhook.test.ts',
  'test/oauth/cases/revocation.test.ts',
  'test/storage/readiness.test.ts',
  'test/storage/slow-database.test.ts',
  'test/storage/stuck-writes.test.ts',
  'test/storage/standby.test.ts',
  'test/storage/already-done.test.ts',
  'test/storage/pooler.test.ts',
  'test/storage/roles.test.ts',
  'test/process/late-database.test.ts',
  'test/doctor/doctor.test.ts',
  'test/deploy/proxies.test.ts',
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
