import { type ApiVersion, previousVersion } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Context, Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { releaseChanges } from '../../releases/lifecycle.ts';
import {
  type Decided,
  type Decision,
  type ReleaseDesk,
  ReleaseRefusedError,
} from '../../releases/release-desk.ts';
import type { LedgerRow, Lifecycle } from '../../releases/release-ledger.ts';
import { readLedger } from '../../releases/store.ts';
import { brokenClients } from '../../usage/callers/broken-clients.ts';
import { dayOf, firstOfDays } from '../../usage/day.ts';
import type { UsageKeeper } from '../../usage/keep-usage.ts';
import { countedRequests } from '../../usage/usage-report.ts';
import { endpointsPinnedUpTo } from '../../webhooks/pins/pinned-endpoints.ts';
import type { App } from '../app/create-app.ts';
import { audited, operatorOf } from './acting-operator.ts';
import {
  atRiskLists,
  ClientAtRiskItem,
  clientBody,
  clientFields,
  clientsAtRiskBody,
  OAuthOnlyItem,
  operationFields,
  operationsBody,
  RISK_DAYS,
} from './clients-at-risk.ts';
import { Count, describe, object, oneOf, optional, orNull, pageOf, Text, Time } from './fields.ts';
import { type NameOf, nameField, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';

const Reason = Type.String({ maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
const decisionFields = {
  reason: optional(Reason, 'Why, for the ledger and the audit log.'),
  outside_window: optional(
    Type.Boolean(),
    'Decide also outside of the first week of a quarter; needs a reason.',
  ),
};
const DecisionBody = object(decisionFields);
const Schedule = object({ at: describe(Time, 'When the release takes effect.'), ...decisionFields });
const Run = object({
  ...decisionFields,
  version: optional(
    Type.String({ pattern: '^\\d{4}-(01|04|07|10)$' }),
    'The version that is meant; by default the one whose turn it is.',
  ),
});

type DecisionBody = Type.Static<typeof DecisionBody>;

const decidedFields = {
  version: describe(Text, 'The version that the decision is about.'),
  effective_at: describe(Time, 'When it takes effect, on all nodes at the same instant.'),
  already: describe(Type.Boolean(), 'It was already decided: nothing changed.'),
};
const DecidedBody = object(decidedFields);

const RunBody = object({
  ...decidedFields,
  breaking_clients: describe(
    Count,
    `How many clients break: they named the version that the release removes in the last ${RISK_DAYS} days.`,
  ),
  default_changing_clients: describe(
    Count,
    'How many other clients may break: they named no version, and get another one.',
  ),
});

const Plan = object({
  current: describe(Text, 'The version that is Current.'),
  rehearsal: describe(Type.Boolean(), 'Current is not released: this is a rehearsal.'),
  overdue: describe(
    Type.Boolean(),
    'The day of the next release has passed, and nothing says when it will be.',
  ),
  target: describe(Text, 'The version that the next release makes Current.'),
  planned_at: describe(
    orNull(Time),
    'When that is planned, never a past time; null if it is not, or is overdue.',
  ),
  window_open: describe(Type.Boolean(), 'Today is in the first week of a quarter.'),
  obstacle: describe(orNull(Text), 'Why the release cannot be run now; null if it can.'),
  versions: describe(
    Type.Array(
      object({
        version: describe(Text, 'A version.'),
        state: describe(
          orNull(oneOf(['deprecated', 'current', 'next'])),
          'Its state now; null if it does not exist.',
        ),
        becomes: describe(
          oneOf(['removed', 'deprecated', 'current', 'next']),
          'Its state after the release.',
        ),
      }),
    ),
    'What the release does to each version.',
  ),
  counted_requests: describe(
    Count,
    `How many requests of the API were counted in the last ${RISK_DAYS} days.`,
  ),
  clients_at_risk: describe(Type.Array(ClientAtRiskItem), atRiskLists.items),
  oauth_only: describe(Type.Array(OAuthOnlyItem), atRiskLists.oauthOnly),
  endpoints_moving: describe(
    Type.Array(
      object({
        endpoint_id: describe(Text, 'A webhook endpoint.'),
        endpoint_url: describe(Text, 'Where its events are sent.'),
        organization_id: describe(Text, 'Its organization.'),
        organization_name: nameField('The name of the organization; null if it is gone.'),
        pinned_version: describe(Text, 'The version that was chosen for it.'),
        becomes: describe(Text, 'The version that its events have after the release.'),
      }),
    ),
    'Webhook endpoints whose version the release removes.',
  ),
});

const Broken = object({
  version: describe(Text, 'The version that the last release made Current.'),
  removed_version: describe(Text, 'The version that it removed.'),
  since: describe(orNull(Time), 'When it took effect; null if that is not known.'),
  rehearsal: describe(Type.Boolean(), 'It was a rehearsal.'),
  items: describe(
    Type.Array(
      object({
        ...clientFields,
        requested_version: describe(Text, 'The version that it asks for.'),
        requests: describe(Count, 'How many of its requests were refused.'),
        last_at: describe(Time, 'When the last one was.'),
        ...operationFields,
      }),
    ),
    'The busiest first, 1,000 at most. Operations are listed where the path is one of the removed version.',
  ),
  unnamed_requests: describe(
    Count,
    'How many requests for that version were refused whose client is not known: without a token of a client, or too many at once to look up.',
  ),
});

const Entry = object({
  number: describe(Count, 'In the order of the decisions.'),
  kind: describe(oneOf(['release', 'undo']), 'The decision.'),
  version: describe(Text, 'The version that it is about.'),
  effective_at: describe(Time, 'When it takes, or took, effect.'),
  rehearsal: describe(Type.Boolean(), 'The version was not frozen.'),
  contract_sha256: describe(Text, 'The contract that was released, by its hash.'),
  own_sha256: describe(orNull(Text), 'The hash of the contract of your own API; null if there was none.'),
  actor: describe(Text, 'Who decided: the id of an operator key, or calendar.'),
  actor_name: describe(orNull(Text), 'The name of that key; null for the calendar.'),
  reason: describe(Text, 'Why; empty if nobody said.'),
  decided_at: describe(Time, 'When it was decided.'),
});

interface ReleaseRouteParts {
  environment: Environment;
  desk: ReleaseDesk;
  usage: UsageKeeper;
}

/** The lifecycle of API versions, for operators. */
export function releaseRoutes(app: App, { environment, desk, usage }: ReleaseRouteParts): void {
  const operation = operationsOf(app, 'Releases');

  async function decide<Body extends Wire<typeof DecidedBody>>(
    request: FastifyRequest,
    action: string,
    act: (context: Context, decision: Decision) => Promise<Body>,
  ): Promise<Body> {
    const { reason } = request.body as DecisionBody;
    return audited(environment, request, {
      act: (context) => act(context, decisionOf(request)),
      entry: (details) => ({ action, reason, details }),
    }).catch(refuseAsConflict);
  }

  // The desk knows about versions only; clients and endpoints that a release affects are added here.
  operation(
    'GET /operator/release',
    {
      id: 'plan_release',
      needs: 'viewer',
      summary: 'Show the next release: its effects, and what prevents it',
      answer: { description: 'The plan.', body: Plan },
    },
    async () => {
      await usage.flush();
      const plan = await desk.plan(environment);
      const today = dayOf(environment.clock.now());
      const atRisk = await clientsAtRiskBody(environment, { removedVersion: plan.lifecycle.deprecated });
      return {
        current: plan.lifecycle.current,
        rehearsal: plan.lifecycle.rehearsal,
        overdue: plan.lifecycle.overdue,
        target: plan.target,
        planned_at: plan.plannedAt?.toISOString() ?? null,
        window_open: plan.windowOpen,
        obstacle: plan.obstacle,
        versions: releaseChanges(plan.lifecycle),
        counted_requests: await countedRequests(environment, firstOfDays(RISK_DAYS, today), today),
        clients_at_risk: atRisk.items,
        oauth_only: atRisk.oauthOnly,
        endpoints_moving: await movingBody(environment, plan.lifecycle),
      };
    },
  );

  operation(
    'GET /operator/release/broken',
    {
      id: 'list_broken_clients',
      needs: 'viewer',
      summary: 'List the clients that the last release broke',
      description:
        'They asked for the version that it removed, and were refused. A client is named if the token of a request is its own, live or expired.',
      answer: { description: 'The clients, and the release.', body: Broken },
    },
    async () => {
      await usage.flush();
      const { lifecycle } = await desk.plan(environment);
      return brokenBody(environment, lifecycle);
    },
  );

  operation(
    'GET /operator/release/history',
    {
      id: 'list_releases',
      needs: 'viewer',
      summary: 'List the decisions about releases',
      answer: { description: 'The ledger, newest first, all on one page.', body: pageOf(Entry) },
    },
    async () => {
      const rows = await readLedger(environment.session);
      const nameOf = await namesOf(
        environment,
        rows.map(({ actor }) => actor),
      );
      const items = rows.toReversed().map((row) => entryBody(row, nameOf));
      return { items, pagination: { next_cursor: null } };
    },
  );

  operation(
    'POST /operator/release/run',
    {
      id: 'run_release',
      needs: 'admin',
      summary: 'Release now',
      description: 'The version takes effect a few seconds later. Given twice, the same call releases once.',
      body: Run,
      answer: { status: 202, description: 'The decision, and how many clients it breaks.', body: RunBody },
      errors: ['conflict'],
    },
    async (request) => {
      const version = request.body.version as ApiVersion | undefined;
      await usage.flush();
      return decide(request, 'release.run', async (context, decision) => {
        const decided = await desk.run(context, { ...decision, version });
        return { ...decidedBody(decided), ...(await countsBody(context, decided.version)) };
      });
    },
  );

  operation(
    'POST /operator/release/schedule',
    {
      id: 'schedule_release',
      needs: 'admin',
      summary: 'Decide when the next release takes effect',
      body: Schedule,
      answer: { status: 202, description: 'The decision.', body: DecidedBody },
      errors: ['conflict'],
    },
    async (request) =>
      decide(request, 'release.scheduled', async (context, decision) =>
        decidedBody(await desk.schedule(context, new Date(request.body.at), decision)),
      ),
  );

  operation(
    'POST /operator/release/undo',
    {
      id: 'undo_release',
      needs: 'admin',
      summary: 'Undo the last release',
      description: 'The three versions before it are restored.',
      body: DecisionBody,
      answer: { status: 202, description: 'The decision.', body: DecidedBody },
      errors: ['conflict'],
    },
    async (request) =>
      decide(request, 'release.undone', async (context, decision) =>
        decidedBody(await desk.undo(context, decision)),
      ),
  );
}

/** The clients that the last release broke, by what was refused since. */
async function brokenBody(environment: Environment, lifecycle: Lifecycle): Promise<Wire<typeof Broken>> {
  const { current, deprecated, rehearsal, currentAt } = lifecycle;
  const removedVersion = previousVersion(deprecated);
  const since = currentAt(current);
  const { clients, unnamedRequests } = since
    ? await brokenClients(environment, { version: removedVersion, since })
    : { clients: [], unnamedRequests: 0 };
  return {
    version: current,
    removed_version: removedVersion,
    since: since?.toISOString() ?? null,
    rehearsal,
    items: clients.map(({ client, requests, lastAt, operations }) => ({
      ...clientBody(client),
      requested_version: removedVersion,
      requests,
      last_at: lastAt.toISOString(),
      ...operationsBody(operations),
    })),
    unnamed_requests: unnamedRequests,
  };
}

/** How many clients the release of a version breaks, and how many it may break. */
async function countsBody(context: Context, released: ApiVersion) {
  const removedVersion = previousVersion(previousVersion(released));
  const { items } = await clientsAtRiskBody(context, { removedVersion });
  const breaking = items.filter(({ risk }) => risk === 'version_removed').length;
  return { breaking_clients: breaking, default_changing_clients: items.length - breaking };
}

function entryBody(row: LedgerRow, nameOf: NameOf): Wire<typeof Entry> {
  const { effectiveAt, contractSha256, folderSha256, decidedAt, ...rest } = row;
  return {
    ...rest,
    actor_name: nameOf(row.actor),
    effective_at: effectiveAt.toISOString(),
    contract_sha256: contractSha256,
    own_sha256: folderSha256,
    decided_at: decidedAt.toISOString(),
  };
}

/** Endpoints pinned to a version that the release removes: they move to the one that is Deprecated after it. */
async function movingBody(environment: Environment, { deprecated, current }: Lifecycle) {
  const moving = await endpointsPinnedUpTo(environment, deprecated);
  const nameOf = await namesOf(
    environment,
    moving.map(({ organizationId }) => organizationId),
  );
  return moving.map(({ id, url, organizationId, pinnedVersion }) => ({
    endpoint_id: id,
    endpoint_url: url,
    organization_id: organizationId,
    organization_name: nameOf(organizationId),
    pinned_version: pinnedVersion,
    becomes: current,
  }));
}

function decisionOf(request: FastifyRequest): Decision {
  const { reason = '', outside_window: outsideWindow = false } = request.body as DecisionBody;
  return { actor: operatorOf(request).id, reason, outsideWindow };
}

function decidedBody({ version, effectiveAt, already }: Decided): Wire<typeof DecidedBody> {
  return { version, effective_at: effectiveAt.toISOString(), already };
}

function refuseAsConflict(error: unknown): never {
  if (!(error instanceof ReleaseRefusedError)) throw error;
  throw new ApiError('conflict', { detail: error.message });
}
