import type { Logger } from 'pino';
import type { EnvironmentName } from '../environments/environment.ts';
import { systemClock } from '../kernel/clock.ts';
import { createVersionLife, type VersionLife } from '../releases/version-life.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { createUsageCounter, type UsageCounter } from '../usage/usage-counter.ts';
import type { Closing } from './closing.ts';
import { createVersions } from './create-versions.ts';
import type { Build } from './read-build.ts';
import type { ServiceOptions } from './service-options.ts';

export interface RuntimeParts {
  options: ServiceOptions;
  build: Build;
  closing: Closing;
}

/** What this process keeps in memory for one environment; it needs no database and no port. */
export interface EnvironmentRuntime extends RuntimeParts {
  name: EnvironmentName;
  life: VersionLife;
  metrics: Metrics;
  counter: UsageCounter;
  log: Logger;
}

export function createRuntime(name: EnvironmentName, parts: RuntimeParts): EnvironmentRuntime {
  const { options, build } = parts;
  const life = createVersionLife({
    clock: options.clock ?? null,
    systemClock,
    createVersions,
    hashes: build.hashes,
  });
  return {
    ...parts,
    name,
    life,
    metrics: createMetrics(name),
    counter: createUsageCounter(life.clock),
    log: options.log.child({ environment: name }),
  };
}
