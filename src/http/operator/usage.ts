import { type Static, type TObject, Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { comingReleaseAt } from '../../releases/lifecycle.ts';
import type { ServedVersions } from '../../releases/served-versions.ts';
import { type Day, dayOf, firstOfDays, readDay } from '../../usage/day.ts';
import type { UsageKeeper } from '../../usage/keep-usage.ts';
import { type UsageDimension, usageDimensions, versionChoices } from '../../usage/types.ts';
import { RETENTION_DAYS } from '../../usage/usage-chores.ts';
import { countedRequests, type ReportedUsage, reportUsage } from '../../usage/usage-report.ts';
import type { App } from '../app/create-app.ts';
import {
  atRiskLists,
  ClientAtRiskItem,
  clientsAtRiskBody,
  OAuthOnlyItem,
  RISK_DAYS,
} from './clients-at-risk.ts';
import {
  AnyId,
  Count,
  Day as DayField,
  describe,
  object,
  oneOf,
  optional,
  orNull,
  Text,
  Time,
} from './fields.ts';
import { type NameOf, nameField, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';

const VersionText = Type.String({ pattern: '^\\d{4}-\\d{2}$' });
const days = optional(
  Type.Integer({ minimum: 1, maximum: RETENTION_DAYS }),
  `How many days back; ${RISK_DAYS} by default.`,
);
const usageQuery = {
  version: optional(VersionText, 'Only requests in this API version.'),
  choice: optional(oneOf(versionChoices), 'Only requests whose version was chosen so.'),
  client: optional(AnyId, 'Only requests of this client.'),
  from: optional(DayField, 'The first day, in UTC.'),
  to: optional(DayField, 'The last day, in UTC; today by default.'),
  days,
  group: optional(
    Text,
    `What to group by, separated by commas: one or more of ${usageDimensions.join(', ')}. By default version, choice and client.`,
  ),
};

const UsageItem = object({
  day: optional(DayField, 'The day, if grouped by day.'),
  version: optional(orNull(Text), 'The API version, if grouped by version; null if none was served.'),
  choice: optional(
    Text,
    'How the version was chosen, if grouped by choice: pinned, defaulted, or rejected and why.',
  ),
  operation: optional(orNull(Text), 'The operation, if grouped by operation; null if none matched.'),
  client_id: optional(
    orNull(Text),
    'The client, if grouped by client; null for requests without an authenticated one.',
  ),
  client_name: optional(orNull(Text), 'Its name; null if that is not known any more.'),
  client_deleted: optional(Type.Boolean(), 'True if it was deleted since; absent otherwise.'),
  organization_id: optional(
    orNull(Text),
    'The organization of the client, if grouped by client or organization; null if it was deleted.',
  ),
  organization_name: Type.Optional(nameField('The name of that organization; null if it is gone.')),
  requests: describe(Count, 'How many requests.'),
  last_day: describe(DayField, 'The last day with such a request.'),
});

const Usage = object({
  from: describe(DayField, 'The first day that was counted.'),
  to: describe(DayField, 'The last day that was counted.'),
  items: describe(Type.Array(UsageItem), 'Sums, with the fields that were asked for by group.'),
  truncated: describe(Type.Boolean(), 'The list was cut off: narrow the query.'),
});

const AtRisk = object({
  from: describe(DayField, 'The first day that was counted.'),
  counted_requests: describe(Count, 'How many requests of the API were counted since then.'),
  planned_at: describe(
    orNull(Time),
    'When the next release is planned, never a past time; null if it is not, or is overdue.',
  ),
  removed_version: describe(Text, 'The version that the release removes.'),
  default_version: describe(Text, 'The version of requests that name none, now.'),
  next_default_version: describe(Text, 'The version of requests that name none, after the release.'),
  items: describe(Type.Array(ClientAtRiskItem), atRiskLists.items),
  oauth_only: describe(Type.Array(OAuthOnlyItem), atRiskLists.oauthOnly),
});

type UsageQuery = Static<TObject<typeof usageQuery>>;

const ROWS_MAX = 1_000;
const GROUP_DEFAULT = 'version,choice,client';

interface UsageRouteParts {
  environment: Environment;
  usage: UsageKeeper;
  versions: ServedVersions;
}

/** Usage by version. What other nodes counted in the last two seconds may be missing. */
export function usageRoutes(app: App, { environment, usage, versions }: UsageRouteParts): void {
  const operation = operationsOf(app, 'Usage');

  operation(
    'GET /operator/usage',
    {
      id: 'read_usage',
      needs: 'viewer',
      summary: 'Count requests by version, client and more',
      description:
        'Give either from or days. What other nodes counted in the last two seconds may be missing.',
      query: usageQuery,
      answer: { description: 'The counts, largest first.', body: Usage },
    },
    async ({ query }) => {
      await usage.flush();
      const range = rangeOf(dayOf(environment.clock.now()), query);
      const { rows, truncated } = await reportUsage(environment, {
        ...range,
        version: query.version ?? null,
        choice: query.choice ?? null,
        clientId: query.client ?? null,
        by: dimensionsOf(query.group ?? GROUP_DEFAULT),
        rowsMax: ROWS_MAX,
      });
      const nameOf = await namesOf(environment, rows.map(organizationIn));
      return { ...range, items: rows.map((row) => usageBody(row, nameOf)), truncated };
    },
  );

  operation(
    'GET /operator/usage/at-risk',
    {
      id: 'list_clients_at_risk',
      needs: 'viewer',
      summary: 'List the clients that the next release breaks, or may break',
      query: { days },
      answer: { description: 'The clients, and what the release changes.', body: AtRisk },
    },
    async ({ query }) => {
      await usage.flush();
      const lifecycle = versions.lifecycle();
      const now = environment.clock.now();
      const today = dayOf(now);
      const from = firstOfDays(query.days ?? RISK_DAYS, today);
      const atRisk = await clientsAtRiskBody(environment, { removedVersion: lifecycle.deprecated, from });
      return {
        from,
        counted_requests: await countedRequests(environment, from, today),
        planned_at: comingReleaseAt(lifecycle, now)?.toISOString() ?? null,
        removed_version: lifecycle.deprecated,
        default_version: lifecycle.current,
        next_default_version: lifecycle.next,
        items: atRisk.items,
        oauth_only: atRisk.oauthOnly,
      };
    },
  );
}

/** Days count back from `to`, by default today. */
function rangeOf(today: Day, sent: UsageQuery): { from: Day; to: Day } {
  const to = sent.to === undefined ? today : readDay(sent.to);
  const from = sent.from === undefined ? firstOfDays(sent.days ?? RISK_DAYS, to) : readDay(sent.from);
  if (sent.from !== undefined && sent.days !== undefined)
    throw new ApiError('validation_failed', { detail: 'Give either from or days, not both.' });
  if (from > to) throw new ApiError('validation_failed', { detail: `from (${from}) lies after to (${to}).` });
  return { from, to };
}

function dimensionsOf(group: string): UsageDimension[] {
  return [...new Set(group.split(','))].map((name) => {
    const dimension = usageDimensions.find((known) => known === name);
    if (dimension) return dimension;
    throw new ApiError('validation_failed', {
      detail: `group must be one or more of ${usageDimensions.join(', ')}, separated by commas.`,
    });
  });
}

function usageBody(row: ReportedUsage, nameOf: NameOf): Wire<typeof UsageItem> {
  const { client, namedClient, organization: _grouped, lastDay, requests, ...dimensions } = row;
  const organization = organizationIn(row);
  return {
    ...dimensions,
    ...(client === undefined ? {} : { client_id: client, client_name: namedClient?.name ?? null }),
    ...(namedClient?.isDeleted ? { client_deleted: true } : {}),
    ...(organization === undefined
      ? {}
      : { organization_id: organization, organization_name: nameOf(organization) }),
    requests,
    last_day: lastDay,
  };
}

/** That of the client, if rows are of clients; undefined if they are of neither. */
function organizationIn({ client, namedClient, organization }: ReportedUsage): string | null | undefined {
  return client === undefined ? organization : (namedClient?.organizationId ?? null);
}
