import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiVersion, Fault } from '@dateline/versions';
import { loadConfig } from '../../src/config/load-config.ts';
import { forBoth, type PerEnvironment } from '../../src/environments/open-environments.ts';
import { type Service, type ServiceOptions, startService } from '../../src/main.ts';
import type { Database } from '../../src/storage/database.ts';
import { createLog } from '../../src/telemetry/log.ts';
import type { TestDatabases } from '../support/database/test-databases.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { createTestClock, type TestClock } from '../support/service/test-clock.ts';
import { bringOn, type Cast } from './cast.ts';
import { createFailingDatabase } from './failing-database.ts';
import { timeToPlay } from './time-to-play.ts';

/** A running service with a cast, and with failures on demand. */
export interface Stage {
  readonly clock: TestClock;
  readonly startedAt: Date;
  readonly cast: Cast;
  /** Sends a request to the service during a failure, or without one. */
  send(fault: Fault | undefined, path: string, init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Opens databases that no other test uses. */
export type OpenDatabases = () => Promise<TestDatabases>;

const CAST_AHEAD_MS = 3_600_000;
// The tokens of the cast outlive every wait in a script.
const YEAR = 31_536_000;
const LASTING = {
  accessTokenSeconds: YEAR,
  refreshTokenIdleSeconds: YEAR,
  refreshTokenAbsoluteSeconds: YEAR,
  rotationGraceSeconds: 60,
  codeSeconds: YEAR,
  signInIdleSeconds: YEAR,
  signInAbsoluteSeconds: YEAR,
  webhookRetentionDays: 3_650,
};

/** Sets up a service at a time when it serves a version. Everything is played in the sandbox. */
export async function openStage(version: ApiVersion, openDatabases: OpenDatabases): Promise<Stage> {
  const startedAt = new Date(timeToPlay(version));
  const clock = createTestClock(new Date(startedAt.getTime() - CAST_AHEAD_MS).toISOString());
  const opened = await openDatabases();
  const databases = await forBoth(opened.open);
  const failing = createFailingDatabase(databases.sandbox);
  const services = await startServices(
    { production: databases.production, sandbox: failing.database },
    clock,
  );
  const { url } = services;
  const environment = environmentOn({
    name: 'sandbox',
    issuer: url(),
    database: databases.sandbox,
    clock,
    lifetimes: LASTING,
  });
  const { token, variables } = await bringOn(environment, clock, startedAt);
  return {
    clock,
    startedAt,
    cast: {
      token,
      variables: { ...variables, base_url: url(), 'base_url in an address': encodeURIComponent(url()) },
    },
    send: (fault, path, init) =>
      failing.during(fault, () => fetch(url(fault) + path, { redirect: 'manual', ...init })),
    async close() {
      await services.stop();
      await opened.close();
    },
  };
}

interface Services {
  /** The base URL of the service. */
  url(fault?: Fault): string;
  stop(): Promise<void>;
}

const IMPATIENT_MS = 50;

/**
 * Two services on the same databases, one with a short timeout: requests that hang go to that one. All others go to
 * the other one, which does not time out, however busy the machine is.
 */
async function startServices(databases: PerEnvironment<Database>, clock: TestClock): Promise<Services> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-tape-'));
  const start = (name: string, change: Partial<ServiceOptions['config']>, alreadyPrepared: boolean) =>
    startService({
      config: { ...configOf(join(folder, name)), ...change },
      log: createLog('silent', { write() {} }),
      say() {},
      abort(reason) {
        throw new Error(reason);
      },
      clock,
      // The stage closes them, when both services have stopped.
      openDatabase: async (environment) => ({ ...databases[environment], close: async () => {} }),
      alreadyPrepared,
    });
  const patient: Service = await start('patient', {}, false);
  const impatient: Service = await start('impatient', { requestMs: IMPATIENT_MS }, true);
  return {
    url: (fault) => (fault === 'hang' ? impatient : patient).urls.sandbox,
    async stop() {
      await Promise.all([patient.stop(), impatient.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configOf(dataDir: string) {
  return loadConfig({
    DATELINE_PORT: '0',
    DATELINE_SANDBOX_PORT: '0',
    DATELINE_DATA_DIR: dataDir,
    DATELINE_SHUTDOWN_SECONDS: '2',
    // The duration of attempts varies: no two recordings would be the same.
    DATELINE_DELIVER: 'off',
    // Both services share their databases, and so their key.
    DATELINE_SECRET_KEY: Buffer.alloc(32, 'tape').toString('base64'),
  });
}
