import type { Environment } from '../../environments/environment.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import { type Day, dayOf, firstOfDays } from '../../usage/day.ts';
import { type ClientAtRisk, clientsAtRisk } from '../../usage/usage-report.ts';

/** The default period: a client without requests for longer is considered gone. */
export const RISK_DAYS = 30;

/** The clients that the next release breaks, or may break, by their requests since a day. */
export async function clientsAtRiskBody(
  environment: Environment,
  {
    lifecycle,
    from = firstOfDays(RISK_DAYS, dayOf(environment.clock.now())),
  }: { lifecycle: Lifecycle; from?: Day },
) {
  const found = await clientsAtRisk(environment, { removedVersion: lifecycle.deprecated, from });
  return found.map(clientBody);
}

function clientBody({ client, risk, requests, lastDay }: ClientAtRisk) {
  return {
    client_id: client.id,
    client_name: client.name,
    organization_id: client.organizationId,
    risk,
    requests,
    last_day: lastDay,
  };
}
