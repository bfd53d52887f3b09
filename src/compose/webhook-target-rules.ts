import type { Config } from '../config/load-config.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import { isThisMachine } from '../kernel/addresses.ts';
import type { TargetRules } from '../webhooks/sending/target-rules.ts';

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
