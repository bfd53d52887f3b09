import { Type } from 'typebox';
import { type Actor, actorTypes } from '../../audit/types.ts';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Context } from '../../environments/environment.ts';
import { keysOf } from '../../kernel/presence.ts';
import type { ExplainedEnd, TokenExplanation } from '../../oauth/tokens/explain-token.ts';
import type { TokenRecord } from '../../oauth/tokens/token-record.ts';
import { subjectOf } from '../../oauth/tokens/token-state.ts';
import { AuditEntry, auditBody, idsIn } from './audit.ts';
import { describe, formerName, object, oneOf, orNull, Text, Time } from './fields.ts';
import { type NameOf, nameField, namesOf } from './names.ts';

/** Explains to operators why a token is no longer valid. The first cause comes first. */
export async function explanationBody(
  context: Context,
  { token, ends: [first, ...others], history }: TokenExplanation,
): Promise<Wire<typeof Explanation>> {
  const nameOf = await namesOf(context, [
    first?.actor?.id,
    ...history.flatMap(idsIn),
    ...(token ? idsOfToken(token) : []),
  ]);
  const message = sentence(token, first, nameOf);
  return {
    state: first?.state ?? (token ? 'active' : 'unknown'),
    message,
    says: message,
    since: first?.at.toISOString() ?? null,
    actor_type: first?.actor?.type ?? null,
    actor_id: first?.actor?.id ?? null,
    actor_name: nameOf(first?.actor?.id),
    reason: first?.reason ?? null,
    also: others.map(({ state, at }) => ({ state, since: at.toISOString() })),
    token: token && tokenBody(token, nameOf),
    history: history.map((entry) => auditBody(entry, nameOf)),
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

export const ends = keysOf(happened);

export const Token = object({
  id: describe(Text, 'Begins with tok_.'),
  token_type: describe(oneOf(['access_token', 'refresh_token']), 'Which kind of token it is.'),
  grant_id: describe(Text, 'The grant that it was issued under.'),
  client_id: describe(Text, 'The client that it was issued to.'),
  client_name: nameField(),
  sub_type: describe(oneOf(['user', 'organization']), 'The kind of its subject.'),
  sub: describe(Text, 'The id of the user or organization that it acts for.'),
  sub_name: nameField(),
  organizations: describe(Type.Array(Text), 'The organizations that it reaches.'),
  organization_names: describe(Type.Array(nameField()), 'Their names, in the same order.'),
  aud: describe(Text, 'Its audience.'),
  issued_at: describe(Time, 'When it was issued.'),
  expires_at: describe(Time, 'When it expires.'),
});

export const Explanation = object({
  state: describe(
    oneOf([...ends, 'active', 'unknown'] as const),
    'Whether it is active, or how it ended first.',
  ),
  message: describe(Text, 'The explanation, in a sentence.'),
  says: formerName('message'),
  since: describe(orNull(Time), 'When it ended; null if it did not.'),
  actor_type: describe(orNull(oneOf(actorTypes)), 'What kind of actor ended it; null if that is not known.'),
  actor_id: describe(orNull(Text), 'Who ended it; null for the system, and if that is not known.'),
  actor_name: describe(orNull(Text), 'The name of that actor now; null where it has none, or is gone.'),
  reason: describe(orNull(Text), 'Why it was ended; null if that is not known.'),
  also: describe(
    Type.Array(
      object({
        state: describe(oneOf(ends), 'Another reason why it is not valid.'),
        since: describe(Time, 'Since when.'),
      }),
    ),
    'Further reasons why it is not valid.',
  ),
  token: describe(orNull(Token), 'The token; null if it is not stored here.'),
  history: describe(Type.Array(AuditEntry), 'The audit entries of it and its grant, newest first.'),
});

function sentence(token: TokenRecord | null, end: ExplainedEnd | undefined, nameOf: NameOf): string {
  if (token === null)
    return 'It is unknown or long expired: it was never issued here, or it has been deleted since.';
  if (end === undefined)
    return token.hasLostScopes
      ? 'It is active, without the scopes that its client may not have any more.'
      : 'It is active.';
  const { actor, reason } = end;
  return `${happened[end.state]} at ${end.at.toISOString()}${byWhom(actor, nameOf)}${reason === null ? '' : `: ${reason}`}.`;
}

function byWhom(actor: Actor | null, nameOf: NameOf): string {
  if (actor === null || actor.type === 'system') return '';
  const name = nameOf(actor.id);
  return ` by ${actor.type} ${name === null ? actor.id : `${name} (${actor.id})`}`;
}

/** The ids of a token whose names are shown beside them. */
export function idsOfToken(token: TokenRecord) {
  return [token.clientId, subjectOf(token).id, ...token.organizationIds];
}

export function tokenBody(token: TokenRecord, nameOf: NameOf): Wire<typeof Token> {
  const subject = subjectOf(token);
  return {
    id: token.id,
    token_type: token.kind,
    grant_id: token.grantId,
    client_id: token.clientId,
    client_name: nameOf(token.clientId),
    sub_type: subject.type,
    sub: subject.id,
    sub_name: nameOf(subject.id),
    organizations: token.organizationIds,
    organization_names: token.organizationIds.map(nameOf),
    aud: token.audience,
    issued_at: token.issuedAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
  };
}
