import type { ApiVersion } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Environment, Scene } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { releaseChanges } from '../../releases/lifecycle.ts';
import {
  type Decided,
  type Decision,
  type ReleaseDesk,
  ReleaseRefusedError,
} from '../../releases/release-desk.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import { dayOf, firstOfDays } from '../../usage/day.ts';
import type { UsageKeeper } from '../../usage/keep-usage.ts';
import { countedRequests } from '../../usage/usage-report.ts';
import { endpointsPinnedUpTo } from '../../webhooks/pins/pinned-endpoints.ts';
import type { App } from '../app/create-app.ts';
import { audited, operatorOf } from './acting-operator.ts';
import { clientsAtRiskBody, RISK_DAYS } from './clients-at-risk.ts';

const Reason = Type.String({ maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
const DecisionBody = Type.Object(
  { reason: Type.Optional(Reason), outside_window: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
const Schedule = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    reason: Type.Optional(Reason),
    outside_window: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const Run = Type.Object(
  { ...DecisionBody.properties, version: Type.Optional(Type.String({ pattern: '^\\d{4}-(01|04|07|10)$' })) },
  { additionalProperties: false },
);

type DecisionBody = Type.Static<typeof DecisionBody>;
type RunBody = Type.Static<typeof Run>;

interface ReleaseRouteParts {
  environment: Environment;
  desk: ReleaseDesk;
  usage: UsageKeeper;
}

/** The lifecycle of API versions, for operators. */
export function releaseRoutes(app: App, { environment, desk, usage }: ReleaseRouteParts): void {
  async function decide(
    request: FastifyRequest,
    action: string,
    act: (scene: Scene, decision: Decision) => Promise<Decided>,
  ) {
    const { reason } = request.body as DecisionBody;
    const decided = await audited(environment, request, {
      act: (scene) => act(scene, decisionOf(request)),
      entry: (result) => ({ action, reason, details: decidedBody(result) }),
    }).catch(refuseAsConflict);
    return decidedBody(decided);
  }

  // The desk knows about versions only; clients and endpoints that a release affects are added here.
  app.get('/operator/release', async () => {
    await usage.flush();
    const plan = await desk.plan(environment);
    const today = dayOf(environment.clock.now());
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
      clients_at_risk: await clientsAtRiskBody(environment, plan),
      endpoints_moving: await movingBody(environment, plan.lifecycle),
    };
  });

  app.post<{ Body: RunBody }>('/operator/release/run', { schema: { body: Run } }, async (request, reply) => {
    const version = request.body.version as ApiVersion | undefined;
    const decided = await decide(request, 'release.run', (scene, decision) =>
      desk.run(scene, { ...decision, version }),
    );
    return reply.status(202).send(decided);
  });

  app.post<{ Body: Type.Static<typeof Schedule> }>(
    '/operator/release/schedule',
    { schema: { body: Schedule } },
    async (request, reply) => {
      const decided = await decide(request, 'release.scheduled', (scene, decision) =>
        desk.schedule(scene, new Date(request.body.at), decision),
      );
      return reply.status(202).send(decided);
    },
  );

  app.post<{ Body: DecisionBody }>(
    '/operator/release/undo',
    { schema: { body: DecisionBody } },
    async (request, reply) => reply.status(202).send(await decide(request, 'release.undone', desk.undo)),
  );
}

/** Endpoints pinned to a version that the release removes: they move to the one that is Deprecated after it. */
async function movingBody(environment: Environment, { deprecated, current }: Lifecycle) {
  const moving = await endpointsPinnedUpTo(environment, deprecated);
  return moving.map(({ id, organizationId, pinnedVersion }) => ({
    endpoint_id: id,
    organization_id: organizationId,
    pinned_version: pinnedVersion,
    becomes: current,
  }));
}

function decisionOf(request: FastifyRequest): Decision {
  const { reason = '', outside_window: outsideWindow = false } = request.body as DecisionBody;
  return { actor: operatorOf(request).id, reason, outsideWindow };
}

function decidedBody({ version, effectiveAt, already }: Decided) {
  return { version, effective_at: effectiveAt.toISOString(), already };
}

function refuseAsConflict(error: unknown): never {
  if (!(error instanceof ReleaseRefusedError)) throw error;
  throw new ApiError('conflict', { detail: error.message });
}
