import type { FastifyRequest } from 'fastify';
import { describeLifecycle } from '../../releases/lifecycle.ts';
import { requestContext } from '../edge/request-context.ts';
import { guidance, upgradeProcedure } from './version-guidance.ts';

export type DescribedVersions = ReturnType<typeof describeVersions>;
export type DescribedVersion = DescribedVersions['versions'][number];

/**
 * The body of `/versions`, as JSON and on pages. It describes the state at the time of the request, as its
 * header does: a release may have happened since.
 */
export function describeVersions(request: FastifyRequest) {
  const { lifecycle } = requestContext(request.raw);
  return {
    current: lifecycle.current,
    rehearsal: lifecycle.rehearsal,
    release_overdue: lifecycle.overdue,
    versions: describeLifecycle(lifecycle).map(({ version, state, becomesCurrentAt, removedAt }) => ({
      version,
      state,
      becomes_current_at: becomesCurrentAt?.toISOString() ?? null,
      removed_at: removedAt?.toISOString() ?? null,
      reference: `/docs/${version}`,
      openapi: `/versions/${version}/openapi.json`,
      release_notes: `/versions/${version}/release-notes`,
    })),
    guidance,
    upgrade_procedure: upgradeProcedure,
  };
}
