import type { ExplainedEnd, TokenExplanation } from '../../oauth/tokens/explain-token.ts';
import type { TokenRecord } from '../../oauth/tokens/store.ts';
import { subjectOf } from '../../oauth/tokens/token-state.ts';
import { auditBody } from './audit.ts';

/** What ended a token, for operators: the first cause first. */
export function explanationBody({ token, ends: [first, ...others], history }: TokenExplanation) {
  return {
    state: first?.state ?? (token ? 'active' : 'unknown'),
    says: sentence(token, first),
    since: first?.at.toISOString() ?? null,
    actor_type: first?.actor?.type ?? null,
    actor_id: first?.actor?.id ?? null,
    reason: first?.reason ?? null,
    also: others.map(({ state, at }) => ({ state, since: at.toISOString() })),
    token: token && tokenBody(token),
    history: history.map(auditBody),
  };
}

const happened: Readonly<Record<ExplainedEnd['state'], string>> = {
  expired: 'It expired',
  used: 'It was exchanged for its successor',
  revoked: 'It was revoked',
  grant_revoked: 'Its grant was revoked',
  cut_by_grant: 'It was revoked with what its grant had issued until then',
  cut_by_client: 'It was revoked with what its client had until then',
  client_disabled: 'Its client was disabled',
  client_deleted: 'Its client was deleted',
  user_blocked: 'Its user was blocked',
  organization_suspended: 'Its organization was suspended',
};

function sentence(token: TokenRecord | null, end: ExplainedEnd | undefined): string {
  if (token === null) return 'It is not stored here: it was never issued, or it is long dead.';
  if (end === undefined) return 'It is active.';
  const { actor, reason } = end;
  const who = actor === null || actor.type === 'system' ? '' : ` by ${actor.type} ${actor.id}`;
  return `${happened[end.state]} at ${end.at.toISOString()}${who}${reason === null ? '' : `: ${reason}`}.`;
}

function tokenBody(token: TokenRecord) {
  const subject = subjectOf(token);
  return {
    id: token.id,
    token_type: token.kind,
    grant_id: token.grantId,
    client_id: token.clientId,
    sub_type: subject.type,
    sub: subject.id,
    organizations: token.organizationIds,
    aud: token.audience,
    issued_at: token.issuedAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
  };
}
