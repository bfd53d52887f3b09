import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import { type Day as DayText, dayOf, firstOfDays } from '../../usage/day.ts';
import { type ClientAtRisk, clientsAtRisk } from '../../usage/usage-report.ts';
import { Count, Day, describe, object, oneOf, orNull, Text } from './fields.ts';

/** The default period: a client without requests for longer is considered gone. */
export const RISK_DAYS = 30;

export const ClientAtRiskItem = object({
  client_id: describe(Text, 'The client.'),
  client_name: describe(orNull(Text), 'Its name; null if it was deleted.'),
  organization_id: describe(orNull(Text), 'Its organization; null if it was deleted.'),
  risk: describe(
    oneOf(['version_removed', 'default_changes']),
    'version_removed: it names the version that the release removes; default_changes: it names none, and gets another one.',
  ),
  requests: describe(Count, 'How many of its requests are at risk.'),
  last_day: describe(Day, 'The last day with such a request.'),
});

/** The clients that the next release breaks, or may break, by their requests since a day. */
export async function clientsAtRiskBody(
  environment: Environment,
  {
    lifecycle,
    from = firstOfDays(RISK_DAYS, dayOf(environment.clock.now())),
  }: { lifecycle: Lifecycle; from?: DayText },
) {
  const found = await clientsAtRisk(environment, { removedVersion: lifecycle.deprecated, from });
  return found.map(clientBody);
}

function clientBody({ client, risk, requests, lastDay }: ClientAtRisk): Wire<typeof ClientAtRiskItem> {
  return {
    client_id: client.id,
    client_name: client.name,
    organization_id: client.organizationId,
    risk,
    requests,
    last_day: lastDay,
  };
}
