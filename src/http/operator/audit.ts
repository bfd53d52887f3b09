import { listAudit } from '../../audit/read-audit.ts';
import type { AuditEntry, AuditFilter } from '../../audit/types.ts';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isId } from '../../kernel/ids.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { readTime } from '../app/read-time.ts';

/** The audit log, newest entry first. */
export function auditRoutes(app: App, environment: Environment): void {
  app.get<{ Querystring: Query }>('/operator/audit', async (request) =>
    pageBody(await listAudit(environment, auditFilter(request.query), pageRequest(request)), auditBody),
  );
}

function auditFilter(query: Query): AuditFilter {
  return {
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

function timeIn(query: Query, name: string): Date | undefined {
  if (query[name] === undefined) return undefined;
  const time = readTime(query[name]);
  if (time) return time;
  throw new ApiError('validation_failed', {
    detail: `${name} must be a time, such as 2027-01-06T17:00:00Z.`,
  });
}

export function auditBody(entry: AuditEntry) {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor_type: entry.actor.type,
    actor_id: entry.actor.id,
    action: entry.action,
    token_id: entry.tokenId ?? null,
    grant_id: entry.grantId ?? null,
    client_id: entry.clientId ?? null,
    user_id: entry.userId ?? null,
    organization_id: entry.organizationId ?? null,
    reason: entry.reason ?? null,
    details: entry.details ?? {},
  };
}
