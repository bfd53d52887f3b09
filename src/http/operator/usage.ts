import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ServedVersions } from '../../releases/served-versions.ts';
import { type Day, dayOf, firstOfDays, readDay } from '../../usage/day.ts';
import type { UsageKeeper } from '../../usage/keep-usage.ts';
import { type UsageDimension, usageDimensions } from '../../usage/types.ts';
import { RETENTION_DAYS } from '../../usage/usage-chores.ts';
import { countedRequests, type ReportedUsage, reportUsage } from '../../usage/usage-report.ts';
import type { App } from '../app/create-app.ts';
import { clientsAtRiskBody, RISK_DAYS } from './clients-at-risk.ts';
import { AnyId } from './fields.ts';

const DayText = Type.String({ format: 'date' });
const DayCount = Type.String({ pattern: '^[1-9]\\d{0,2}$' });
const UsageQuery = Type.Object(
  {
    version: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
    client: Type.Optional(AnyId),
    from: Type.Optional(DayText),
    to: Type.Optional(DayText),
    days: Type.Optional(DayCount),
    group: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
const RiskQuery = Type.Object({ days: Type.Optional(DayCount) }, { additionalProperties: false });

type UsageQuery = Type.Static<typeof UsageQuery>;

const ROWS_MAX = 1_000;
const GROUP_DEFAULT = 'version,choice,client';

interface UsageRouteParts {
  environment: Environment;
  usage: UsageKeeper;
  versions: ServedVersions;
}

/** Usage by version. What other nodes counted in the last two seconds may be missing. */
export function usageRoutes(app: App, { environment, usage, versions }: UsageRouteParts): void {
  app.get<{ Querystring: UsageQuery }>(
    '/operator/usage',
    { schema: { querystring: UsageQuery } },
    async ({ query }) => {
      await usage.flush();
      const range = rangeOf(dayOf(environment.clock.now()), query);
      const { rows, truncated } = await reportUsage(environment, {
        ...range,
        version: query.version ?? null,
        clientId: query.client ?? null,
        by: dimensionsOf(query.group ?? GROUP_DEFAULT),
        rowsMax: ROWS_MAX,
      });
      return { ...range, items: rows.map(usageBody), truncated };
    },
  );

  app.get<{ Querystring: { days?: string } }>(
    '/operator/usage/at-risk',
    { schema: { querystring: RiskQuery } },
    async ({ query }) => {
      await usage.flush();
      const lifecycle = versions.lifecycle();
      const today = dayOf(environment.clock.now());
      const from = firstOfDays(dayCount(query.days), today);
      return {
        from,
        counted_requests: await countedRequests(environment, from, today),
        planned_at: lifecycle.nextReleaseAt?.toISOString() ?? null,
        removed_version: lifecycle.deprecated,
        default_version: lifecycle.current,
        next_default_version: lifecycle.next,
        items: await clientsAtRiskBody(environment, { lifecycle, from }),
      };
    },
  );
}

/** Days count back from `to`, by default today. */
function rangeOf(today: Day, sent: UsageQuery): { from: Day; to: Day } {
  const to = sent.to === undefined ? today : readDay(sent.to);
  const from = sent.from === undefined ? firstOfDays(dayCount(sent.days), to) : readDay(sent.from);
  if (sent.from !== undefined && sent.days !== undefined)
    throw new ApiError('validation_failed', { detail: 'Give either from or days, not both.' });
  if (from > to) throw new ApiError('validation_failed', { detail: `from (${from}) lies after to (${to}).` });
  return { from, to };
}

function dayCount(text = String(RISK_DAYS)): number {
  if (Number(text) <= RETENTION_DAYS) return Number(text);
  throw new ApiError('validation_failed', {
    detail: `days must be a whole number from 1 to ${RETENTION_DAYS}.`,
  });
}

function dimensionsOf(group: string): UsageDimension[] {
  return [...new Set(group.split(','))].map((name) => {
    const dimension = usageDimensions.find((known) => known === name);
    if (dimension) return dimension;
    throw new ApiError('validation_failed', {
      detail: `group must be one or more of ${usageDimensions.join(', ')}, with commas between them.`,
    });
  });
}

function usageBody({ client, namedClient, lastDay, requests, ...dimensions }: ReportedUsage) {
  return {
    ...dimensions,
    ...(client === undefined
      ? {}
      : {
          client_id: client,
          client_name: namedClient?.name ?? null,
          organization_id: namedClient?.organizationId ?? null,
        }),
    requests,
    last_day: lastDay,
  };
}
