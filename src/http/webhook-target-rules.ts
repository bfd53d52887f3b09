import type { Config } from '../config/load-config.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import { isLoopbackAddress } from '../webhooks/sending/address-rules.ts';
import type { TargetRules } from '../webhooks/sending/target-rules.ts';

/** The sandbox reaches receivers on this machine, as long as nobody else can reach the service. */
export function webhookTargetRules({ host, webhookPorts }: Config, name: EnvironmentName): TargetRules {
  const isLocal = host === 'localhost' || isLoopbackAddress(host);
  return { ports: webhookPorts, loopback: name === 'sandbox' && isLocal };
}
