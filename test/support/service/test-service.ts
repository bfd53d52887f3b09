import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ServiceOptions } from '../../../src/compose/service-options.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { EnvironmentName } from '../../../src/environments/environment.ts';
import { type Service, startService } from '../../../src/main.ts';
import { type Quickstart, readQuickstart } from '../../../src/quickstart/quickstart-file.ts';
import type { Database } from '../../../src/storage/database.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { createTestDatabases, type Engine } from '../database/databases.ts';
import type { TestDatabases } from '../database/test-databases.ts';
import { answered } from '../run/answered.ts';
import { homeTime } from './build-versions.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface TestService {
  readonly urls: Service['urls'];
  readonly operatorUrls: Service['operatorUrls'];
  readonly quickstart: Quickstart;
  readonly clock: TestClock;
  /** Everything that was logged, one text per line. */
  readonly logLines: string[];
  /** Calls the service over HTTP. */
  call(environment: EnvironmentName, path: string, init?: RequestInit): Promise<Response>;
  /** The same with the environment's operator key. */
  operate(environment: EnvironmentName, path: string, init?: OperateInit): Promise<Response>;
  /** The database handle of the service itself. */
  database(environment: EnvironmentName): Promise<Database>;
  stop(): Promise<void>;
}

export interface OperateInit {
  method?: string;
  body?: unknown;
}

/** A running service on free ports, real HTTP and a database of its own, for the tests of one `describe`. */
export function useTestService(
  engine: Engine,
  env: Readonly<Record<string, string>> = {},
  at: string = homeTime,
  options: Partial<ServiceOptions> = {},
): TestService {
  let running: RunningTestService;
  beforeAll(async () => {
    running = await startTestService(engine, env, at, options);
  });
  afterAll(() => running?.stop());
  return new Proxy({} as TestService, { get: (_target, name) => running[name as keyof RunningTestService] });
}

export interface RunningTestService extends TestService {
  databases: TestDatabases;
}

export async function startTestService(
  engine: Engine,
  env: Readonly<Record<string, string>> = {},
  at: string = homeTime,
  options: Partial<ServiceOptions> = {},
): Promise<RunningTestService> {
  return startTestServiceOn(await createTestDatabases(engine), env, at, options);
}

export async function startTestServiceOn(
  databases: TestDatabases,
  env: Readonly<Record<string, string>> = {},
  at: string = homeTime,
  options: Partial<ServiceOptions> = {},
): Promise<RunningTestService> {
  const hasTemporaryFolder = env.DATELINE_DATA_DIR === undefined;
  const dataDir = env.DATELINE_DATA_DIR ?? mkdtempSync(join(tmpdir(), 'dateline-data-'));
  const clock = createTestClock(at);
  const logLines: string[] = [];
  const service = await startService({
    config: loadConfig({
      DATELINE_PORT: '0',
      DATELINE_SANDBOX_PORT: '0',
      DATELINE_DATA_DIR: dataDir,
      DATELINE_SHUTDOWN_SECONDS: '2',
      // A delivering service polls the database all the time; most tests have nothing to deliver.
      DATELINE_DELIVER: 'off',
      ...env,
    }),
    log: createLog('debug', { write: (line) => void logLines.push(line) }),
    say() {},
    abort(reason) {
      throw new Error(reason);
    },
    clock,
    openDatabase: databases.open,
    ...options,
  });
  const quickstart = readQuickstart(join(dataDir, 'quickstart.json'));
  if (!quickstart) throw new Error('the service wrote no quickstart.json');
  const call = async (environment: EnvironmentName, path: string, init?: RequestInit): Promise<Response> =>
    answered(await fetch(service.urls[environment] + path, init), `${init?.method ?? 'GET'} ${path}`);
  return {
    urls: service.urls,
    operatorUrls: service.operatorUrls,
    quickstart,
    clock,
    logLines,
    databases,
    call,
    operate: (environment, path, { method = 'GET', body } = {}) =>
      call(environment, path, {
        method,
        headers: {
          authorization: `Bearer ${quickstart[environment].operator_key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    database: databases.open,
    async stop() {
      await service.stop();
      await databases.close();
      if (hasTemporaryFolder) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
