import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { UsageKeeper } from '../../usage/keep-usage.ts';
import { releaseChanges } from '../../versions/lifecycle.ts';
import { type Decided, type ReleaseDesk, ReleaseRefusedError } from '../../versions/release-desk.ts';
import type { App } from '../create-app.ts';
import { clientsAtRiskBody } from './clients-at-risk.ts';

const Reason = Type.String({ maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });
const Decision = Type.Object(
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

type DecisionBody = Type.Static<typeof Decision>;

interface ReleaseRouteParts {
  environment: Environment;
  desk: ReleaseDesk;
  usage: UsageKeeper;
}

/** The lifecycle of API versions in the operator's hands. */
export function releaseRoutes(app: App, { environment, desk, usage }: ReleaseRouteParts): void {
  // The desk knows about versions only; whom a release hits, each room adds here.
  app.get('/operator/release', async () => {
    await usage.flush();
    const plan = await desk.plan();
    return {
      current: plan.lifecycle.current,
      rehearsal: plan.lifecycle.rehearsal,
      overdue: plan.lifecycle.overdue,
      target: plan.target,
      planned_at: plan.plannedAt?.toISOString() ?? null,
      window_open: plan.windowOpen,
      obstacle: plan.obstacle,
      versions: releaseChanges(plan.lifecycle),
      clients_at_risk: await clientsAtRiskBody(environment, plan),
    };
  });

  app.post<{ Body: DecisionBody }>(
    '/operator/release/run',
    { schema: { body: Decision } },
    async (request, reply) =>
      reply.status(202).send(decidedBody(await orConflict(desk.run(decisionOf(request.body))))),
  );

  app.post<{ Body: Type.Static<typeof Schedule> }>(
    '/operator/release/schedule',
    { schema: { body: Schedule } },
    async (request, reply) => {
      const decided = await orConflict(desk.schedule(new Date(request.body.at), decisionOf(request.body)));
      return reply.status(202).send(decidedBody(decided));
    },
  );

  app.post<{ Body: DecisionBody }>(
    '/operator/release/undo',
    { schema: { body: Decision } },
    async (request, reply) =>
      reply.status(202).send(decidedBody(await orConflict(desk.undo(decisionOf(request.body))))),
  );
}

function decisionOf({ reason = '', outside_window: outsideWindow = false }: DecisionBody) {
  return { actor: 'operator', reason, outsideWindow };
}

function decidedBody({ version, effectiveAt, already }: Decided) {
  return { version, effective_at: effectiveAt.toISOString(), already };
}

async function orConflict<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ReleaseRefusedError)) throw error;
    throw new ApiError('conflict', { detail: error.message });
  }
}
