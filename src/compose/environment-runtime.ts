import type { Logger } from 'pino';
import type { Build } from '../api/build.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import { systemClock } from '../kernel/clock.ts';
import { createVersionLife, type VersionLife } from '../releases/version-life.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { createFailureLog, type FailureLog } from '../usage/failures/keep-failures.ts';
import { createUsageCounter, type UsageCounter } from '../usage/usage-counter.ts';
import type { Closing } from './closing.ts';
import { createVersions } from './create-versions.ts';
import type { ServiceOptions } from './service-options.ts';
import { createWebhookTargets, type WebhookTargets, webhookTargetRules } from './webhook-target-rules.ts';

const PROXY_SEEN =
  'a request came through a proxy, so webhooks to this machine are refused from now on; set DATELINE_SANDBOX_PUBLIC_URL to the address that the proxy is reached by';

export interface RuntimeParts {
  options: ServiceOptions;
  build: Build;
  closing: Closing;
}

/** The in-memory state of one environment in this process; needs no database and no port. */
export interface EnvironmentRuntime extends RuntimeParts {
  name: EnvironmentName;
  life: VersionLife;
  metrics: Metrics;
  counter: UsageCounter;
  /** Requests that have failed on this node. */
  failures: FailureLog;
  log: Logger;
  targets: WebhookTargets;
}

export function createRuntime(name: EnvironmentName, parts: RuntimeParts): EnvironmentRuntime {
  const { options, build } = parts;
  const life = createVersionLife({
    clock: options.clock ?? null,
    systemClock,
    createVersions: (clock) => createVersions(clock, build.frozen),
    hashes: build.hashes,
    folderHashes: build.folder?.hashes ?? null,
  });
  const log = options.log.child({ environment: name });
  return {
    ...parts,
    name,
    life,
    metrics: createMetrics(name),
    counter: createUsageCounter(life.clock),
    failures: createFailureLog(),
    log,
    targets: createWebhookTargets(webhookTargetRules(options.config, name), () => log.warn(PROXY_SEEN)),
  };
}
