import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Context } from '../../environments/environment.ts';
import type { NamedClient } from '../../usage/client-names.ts';
import { type ClientAtRisk, type ClientUse, clientsAtRisk } from '../../usage/clients-at-risk.ts';
import { type Day as DayText, dayOf, firstOfDays } from '../../usage/day.ts';
import { Count, Day, describe, object, oneOf, orNull, Text } from './fields.ts';

/** The default period: a client without requests for longer is considered gone. */
export const RISK_DAYS = 30;

/** The names of operations that a client is listed with: enough to know which part of it must change. */
const OPERATIONS_MAX = 20;

/** A client that exists. The names may be null in answers of other kinds, so they are declared like those. */
export const clientFields = {
  client_id: describe(Text, 'The client.'),
  client_name: describe(orNull(Text), 'Its name.'),
  organization_id: describe(orNull(Text), 'Its organization.'),
  organization_name: describe(Text, 'The name of the organization.'),
};

export const operationFields = {
  operations: describe(
    Type.Array(Text),
    `The operations that these requests called, the first ${OPERATIONS_MAX} by name.`,
  ),
  operation_count: describe(Count, 'How many operations these are.'),
};

export const ClientAtRiskItem = object({
  ...clientFields,
  risk: describe(
    oneOf(['version_removed', 'default_changes']),
    'version_removed: it names the version that the release removes; default_changes: it names none, and gets another one. A client with both has the first.',
  ),
  requests: describe(Count, 'How many of its requests are at risk.'),
  unpinned_requests: describe(Count, 'How many of these name no version.'),
  last_day: describe(Day, 'The last day with such a request.'),
  ...operationFields,
});

export const OAuthOnlyItem = object({
  ...clientFields,
  requests: describe(Count, 'How many of its requests to the OAuth endpoints name no version.'),
  last_day: describe(Day, 'The last day with such a request.'),
  ...operationFields,
});

export const atRiskLists = {
  items:
    'The clients that the release breaks, or may break: each once, those that break first, then the busiest.',
  oauthOnly:
    'Clients that name no version at the OAuth endpoints, and only there, as stock libraries do. They get the new Current there, too; OAuth is the same in every version.',
};

/** The clients that the next release breaks, or may break, by their requests since a day. */
export async function clientsAtRiskBody(
  context: Context,
  {
    removedVersion,
    from = firstOfDays(RISK_DAYS, dayOf(context.clock.now())),
  }: { removedVersion: string; from?: DayText },
) {
  const { clients, oauthOnly } = await clientsAtRisk(context, { removedVersion, from });
  return { items: clients.map(atRiskBody), oauthOnly: oauthOnly.map(useBody) };
}

function atRiskBody({ risk, unpinnedRequests, ...use }: ClientAtRisk): Wire<typeof ClientAtRiskItem> {
  return { ...useBody(use), risk, unpinned_requests: unpinnedRequests };
}

function useBody({ client, requests, lastDay, operations }: ClientUse): Wire<typeof OAuthOnlyItem> {
  return { ...clientBody(client), requests, last_day: lastDay, ...operationsBody(operations) };
}

export function clientBody({ id, name, organizationId, organizationName }: NamedClient) {
  return {
    client_id: id,
    client_name: name,
    organization_id: organizationId,
    organization_name: organizationName,
  };
}

export function operationsBody(operations: readonly string[]) {
  return { operations: operations.slice(0, OPERATIONS_MAX), operation_count: operations.length };
}
