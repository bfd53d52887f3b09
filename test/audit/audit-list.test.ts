import { expect, it } from 'vitest';
import { recordAudit } from '../../src/audit/audit-log.ts';
import { listAudit } from '../../src/audit/read-audit.ts';
import type { AuditFilter } from '../../src/audit/types.ts';
import { newId } from '../../src/kernel/ids.ts';
import { onEmbeddedFirst, onPostgresFirst } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

const actor = { type: 'system', id: null } as const;

onEmbeddedFirst('reading the audit log', (engine) => {
  const environments = useTestEnvironments(engine);
  const id = (prefix: string): string => newId(prefix, environments.clock.now());
  const reasons = async (filter: AuditFilter): Promise<(string | undefined)[]> => {
    const { items } = await listAudit(environments.sandbox, filter, { limit: 50, after: null });
    return items.map(({ reason }) => reason);
  };

  it('finds entries by what they concern, newest first', async () => {
    const { sandbox, clock } = environments;
    const [tokenId, grantId, clientId, userId, organizationId] = ['tok', 'gra', 'cli', 'usr', 'org'].map(id);
    const places = { tokenId, grantId, clientId, userId, organizationId };
    await recordAudit(sandbox, [{ actor, action: 'token.revoked', ...places, reason: 'first' }]);
    clock.advanceSeconds(60);
    await recordAudit(sandbox, [
      { actor, action: 'grant.revoked', ...places, tokenId: undefined, reason: 'second' },
    ]);
    await recordAudit(sandbox, [{ actor, action: 'grant.revoked', clientId: id('cli'), reason: 'other' }]);
    for (const filter of [{ grantId }, { clientId }, { userId }, { organizationId }])
      expect(await reasons(filter)).toEqual(['second', 'first']);
    expect(await reasons({ tokenId })).toEqual(['first']);
    expect(await reasons({ clientId, action: 'grant.revoked' })).toEqual(['second']);
  });

  it('filters by time: from an instant on, and before another', async () => {
    const { sandbox, clock } = environments;
    const clientId = id('cli');
    const times: Date[] = [];
    for (const reason of ['one', 'two', 'three']) {
      clock.advanceSeconds(1);
      times.push(clock.now());
      await recordAudit(sandbox, [{ actor, action: 'client.updated', clientId, reason }]);
    }
    const [first, second, third] = times;
    expect(await reasons({ clientId, since: second })).toEqual(['three', 'two']);
    expect(await reasons({ clientId, until: third })).toEqual(['two', 'one']);
    expect(await reasons({ clientId, since: first, until: second })).toEqual(['one']);
  });
});

onPostgresFirst('GET /operator/audit', (engine) => {
  const service = useTestService(engine);
  const get = async (query: string) => {
    const response = await service.operate('sandbox', `/operator/audit?${query}`);
    return answered({ status: response.status, body: (await response.json()) as Answer }, response.url);
  };
  interface Answer {
    items: Record<string, unknown>[];
    pagination: { next_cursor: string | null };
    detail?: string;
  }

  it('lists actor, action and subject of each entry, page by page', async () => {
    for (const name of ['a', 'b', 'c'])
      await service.operate('sandbox', '/operator/organizations', { method: 'POST', body: { name } });
    const first = (await get('action=organization.created&limit=2')).body;
    expect(first.items).toHaveLength(2);
    expect(first.items[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: service.clock.now().toISOString(),
      actor_type: 'operator',
      actor_name: 'quickstart',
      actor_id: expect.stringMatching(/^opk_/),
      action: 'organization.created',
      token_id: null,
      grant_id: null,
      client_id: null,
      client_name: null,
      user_id: null,
      user_name: null,
      organization_id: expect.stringMatching(/^org_/),
      organization_name: 'c',
      reason: null,
      details: {},
    });
    const rest = await get(`action=organization.created&limit=2&cursor=${first.pagination.next_cursor}`);
    expect(rest.body.items).toHaveLength(1);
    expect(rest.body.pagination.next_cursor).toBeNull();
  });

  it.each([
    ['token_id=dl_test_at_secret', 'token_id must be an id that begins with tok_.'],
    ['client_id=usr_0000000000000000000001', 'client_id must be an id that begins with cli_.'],
    ['action=DROP', 'action must be a thing and what was done to it: grant.revoked.'],
    ['action=a.b&action=c.d', 'action is given more than once.'],
    ['since=yesterday', 'since must be a time, such as 2027-01-06T17:00:00Z.'],
    ['until=2026-12-31T23:59:60Z', 'until must be a time, such as 2027-01-06T17:00:00Z.'],
  ])('refuses %s', async (query, detail) => {
    const { status, body } = await get(query);
    expect([status, body.detail]).toEqual([422, detail]);
  });
});
