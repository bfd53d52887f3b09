import type { FastifyRequest } from 'fastify';
import { describeLifecycle, type VersionState } from '../../releases/lifecycle.ts';
import { requestContext } from '../edge/request-context.ts';

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

/** The name of a state on pages. */
export const stateNames: Readonly<Record<VersionState, string>> = {
  deprecated: 'Deprecated',
  current: 'Current',
  next: 'Next',
};

/** The advice for each state of a version. */
export const guidance: Readonly<Record<VersionState, string>> = {
  current:
    'New integrations use Current. It is stable, and the default for requests without a Service-Version header. Send the header all the same: at each release another version becomes Current.',
  deprecated:
    'Deprecated is for existing integrations while they migrate. It is stable until the next release, which removes it.',
  next: 'Next is for testing upcoming features. It is in development and may change at any time.',
};

export const upgradeProcedure: readonly string[] = [
  'Review the reference and the release notes of the new version.',
  'Change the Service-Version header, or the versioned import of the client library, in the sandbox.',
  'Run your tests.',
  'Upgrade the webhook endpoints that should use the new contract; they are versioned separately.',
  'Deploy, and confirm the Service-Version header of the responses.',
];
