import type { Logger } from 'pino';
import type { Build } from '../api/build.ts';
import type { Config } from '../config/load-config.ts';
import type { NodeKind } from '../doctor/store.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import { isThisMachine } from '../kernel/addresses.ts';
import { randomBase62 } from '../kernel/base62.ts';
import { systemClock } from '../kernel/clock.ts';
import { createVersionLife, type VersionLife } from '../releases/version-life.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { type CallerParts, createCallerParts } from '../usage/callers/keep-callers.ts';
import { createFailureLog, type FailureLog } from '../usage/failures/keep-failures.ts';
import { createUsageCounter, type UsageCounter } from '../usage/usage-counter.ts';
import type { TargetRules } from '../webhooks/sending/target-rules.ts';
import type { Closing } from './closing.ts';
import { createVersions } from './create-versions.ts';
import type { ServiceOptions } from './service-options.ts';

const PROXY_SEEN =
  'a request came through a proxy, so webhooks to this machine are refused from now on; set DATELINE_SANDBOX_PUBLIC_URL to the address that the proxy is reached by';

export interface RuntimeParts {
  options: ServiceOptions;
  build: Build;
  closing: Closing;
  kind: NodeKind;
  /** The id of this process; a start has a new one. */
  nodeId: string;
  /** Null where nothing is traced. */
  tracer: Tracer | null;
}

/** The in-memory state of one environment in this process; needs no database and no port. */
export interface EnvironmentRuntime extends RuntimeParts {
  name: EnvironmentName;
  life: VersionLife;
  metrics: Metrics;
  counter: UsageCounter;
  /** Requests that have failed on this node. */
  failures: FailureLog;
  /** Failed requests whose callers are looked up after their answers. */
  callers: CallerParts;
  log: Logger;
  targets: WebhookTargets;
}

/** The id of a process among the nodes. */
export function newNodeId(): string {
  return `node_${randomBase62(22)}`;
}

export function createRuntime(name: EnvironmentName, parts: RuntimeParts): EnvironmentRuntime {
  const { options, build } = parts;
  const life = createLife(options, build);
  const log = options.log.child({ environment: name });
  const [counter, failures] = [createUsageCounter(life.clock), createFailureLog()];
  return {
    ...parts,
    name,
    life,
    metrics: createMetrics(name),
    counter,
    failures,
    callers: createCallerParts({ counter, failures }, life.clock.nowMs),
    log,
    targets: createWebhookTargets(webhookTargetRules(options.config, name), () => log.warn(PROXY_SEEN)),
  };
}

/** The versions of one environment that a build has. */
export function createLife({ clock }: Pick<ServiceOptions, 'clock'>, build: Build): VersionLife {
  return createVersionLife({
    clock: clock ?? null,
    systemClock,
    createVersions: (clock) => createVersions(clock, build.frozen),
    hashes: build.hashes,
    folderHashes: build.folder?.hashes ?? null,
  });
}

/**
 * The sandbox may send to this machine, as long as the service is reachable from this machine only: neither by its port
 * nor through a proxy beside it.
 */
export function webhookTargetRules(config: Config, name: EnvironmentName): TargetRules {
  const { host, trustedProxies, webhookPorts } = config;
  const { publicUrl } = config[name];
  const isLocal = isThisMachine(host) && (publicUrl === null || isThisMachine(new URL(publicUrl).hostname));
  return { ports: webhookPorts, loopback: name === 'sandbox' && isLocal && trustedProxies.length === 0 };
}

/** The rules of a running process, which may learn that a proxy stands before it. */
export interface WebhookTargets {
  readonly rules: TargetRules;
  /** A request came through a proxy: the service is not reachable from this machine only. */
  proxySeen(): void;
}

export function createWebhookTargets(rules: TargetRules, onProxy: () => void): WebhookTargets {
  let { loopback } = rules;
  return {
    rules: {
      ports: rules.ports,
      get loopback() {
        return loopback;
      },
    },
    proxySeen() {
      if (loopback) onProxy();
      loopback = false;
    },
  };
}
