import { Type } from 'typebox';
import { listAudit } from '../../audit/read-audit.ts';
import { type AuditFilter, actorTypes, type AuditEntry as StoredEntry } from '../../audit/types.ts';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isId } from '../../kernel/ids.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { describe, object, oneOf, optional, orNull, pageOf, pageQuery, Text, Time } from './fields.ts';
import { type NameOf, nameField, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';
import { periodQuery, timeIn } from './period.ts';

/** As programs read it. */
export const AuditEntry = object({
  id: describe(Text, 'Begins with aud_.'),
  at: describe(Time, 'When it was done.'),
  actor_type: describe(oneOf(actorTypes), 'What kind of actor did it.'),
  actor_id: describe(
    orNull(Text),
    'Who did it: the id of an operator key (configured for the key from the settings), a client or a user; null for the system.',
  ),
  actor_name: describe(
    orNull(Text),
    'The name of that key, client or user now; null for the system, and for one that is gone.',
  ),
  action: describe(Text, 'A thing and what was done to it, such as grant.revoked.'),
  token_id: describe(orNull(Text), 'The token that it concerns.'),
  grant_id: describe(orNull(Text), 'The grant that it concerns.'),
  client_id: describe(orNull(Text), 'The client that it concerns.'),
  client_name: nameField(),
  user_id: describe(orNull(Text), 'The user that it concerns.'),
  user_name: nameField(),
  organization_id: describe(orNull(Text), 'The organization that it concerns.'),
  organization_name: nameField(),
  reason: describe(orNull(Text), 'Why it was done.'),
  details: describe(
    Type.Record(Type.String(), Type.Unknown()),
    'Further details; they depend on the action.',
  ),
});

const filters = {
  actor: optional(
    Text,
    'Only what this actor did: the id of an operator key, a client or a user, configured, or system.',
  ),
  token_id: optional(Text, 'Only what concerns this token.'),
  grant_id: optional(Text, 'Only what concerns this grant.'),
  client_id: optional(Text, 'Only what concerns this client.'),
  user_id: optional(Text, 'Only what concerns this user.'),
  organization_id: optional(Text, 'Only what concerns this organization.'),
  action: optional(Text, 'Only this action, such as grant.revoked.'),
  ...periodQuery,
};

/** The audit log, newest entry first. */
export function auditRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Audit log');

  operation(
    'GET /operator/audit',
    {
      id: 'list_audit',
      needs: 'viewer',
      summary: 'List the audit log: who did what, when and why',
      description: 'Filters that are given together must all match.',
      query: { ...filters, ...pageQuery },
      answer: { description: 'A page of entries, newest first.', body: pageOf(AuditEntry) },
    },
    async (request) => {
      const page = await listAudit(environment, auditFilter(request.query), pageRequest(request));
      const nameOf = await namesOf(environment, page.items.flatMap(idsIn));
      return pageBody(page, (entry) => auditBody(entry, nameOf));
    },
  );
}

function auditFilter(query: Query): AuditFilter {
  return {
    actor: textIn(
      query,
      'actor',
      ACTOR,
      'an id that begins with opk_, cli_ or usr_, or configured or system',
    ),
    tokenId: idIn(query, 'token_id', 'tok'),
    grantId: idIn(query, 'grant_id', 'gra'),
    clientId: idIn(query, 'client_id', 'cli'),
    userId: idIn(query, 'user_id', 'usr'),
    organizationId: idIn(query, 'organization_id', 'org'),
    action: textIn(query, 'action', /^[a-z_]+\.[a-z_]+$/, 'a thing and what was done to it: grant.revoked'),
    since: timeIn(query, 'since'),
    until: timeIn(query, 'until'),
  };
}

const ACTOR = /^(?:(?:opk|cli|usr)_[A-Za-z0-9]{1,60}|configured|system)$/;

type Query = Readonly<Record<string, unknown>>;

function idIn(query: Query, name: string, prefix: string): string | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isId(prefix, value)) return value;
  throw new ApiError('validation_failed', { detail: `${name} must be an id that begins with ${prefix}_.` });
}

function textIn(query: Query, name: string, pattern: RegExp, wanted: string): string | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw new ApiError('validation_failed', { detail: `${name} must be ${wanted}.` });
}

/** The ids of an entry whose names are shown beside them. */
export function idsIn({ actor, clientId, userId, organizationId }: StoredEntry) {
  return [actor.id, clientId, userId, organizationId];
}

export function auditBody(entry: StoredEntry, nameOf: NameOf): Wire<typeof AuditEntry> {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    actor_name: nameOf(entry.actor.id),
    action: entry.action,
    token_id: entry.tokenId ?? null,
    grant_id: entry.grantId ?? null,
    client_id: entry.clientId ?? null,
    client_name: nameOf(entry.clientId),
    user_id: entry.userId ?? null,
    user_name: nameOf(entry.userId),
    organization_id: entry.organizationId ?? null,
    organization_name: nameOf(entry.organizationId),
    reason: entry.reason ?? null,
    details: entry.details ?? {},
  };
}
