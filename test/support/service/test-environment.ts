import { afterAll, beforeAll } from 'vitest';
import type { Environment, EnvironmentName } from '../../../src/environments/environment.ts';
import { createTestDatabases, type Engine } from '../database/databases.ts';
import type { TestDatabases } from '../database/test-databases.ts';
import { environmentOn } from './environment-on.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface TestEnvironments {
  readonly production: Environment;
  readonly sandbox: Environment;
  readonly clock: TestClock;
}

/** Both environments on a database of their own, for the tests of one `describe`. */
export function useTestEnvironments(engine: Engine): TestEnvironments {
  const clock = createTestClock();
  const made: Partial<Record<EnvironmentName, Environment>> = {};
  let databases: TestDatabases;
  beforeAll(async () => {
    databases = await createTestDatabases(engine);
    for (const name of ['production', 'sandbox'] as const) {
      const database = await databases.open(name);
      made[name] = environmentOn({
        name,
        issuer: `https://${name}.test`,
        database,
        clock,
      });
    }
  });
  afterAll(() => databases?.close());
  const get = (name: EnvironmentName): Environment => {
    const environment = made[name];
    if (!environment) throw new Error('the environments are there inside tests only');
    return environment;
  };
  return {
    clock,
    get production() {
      return get('production');
    },
    get sandbox() {
      return get('sandbox');
    },
  };
}
