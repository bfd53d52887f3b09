import { expect, it } from 'vitest';
import { readLedger } from '../../src/releases/store.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { runAsAdmin } from '../support/database/run-as-admin.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('what operators do', (engine) => {
  const configuredKey = 'configured-operator-key-of-this-test-0002';
  const service = useTestService(engine, { DATELINE_SANDBOX_OPERATOR_KEY: configuredKey });
  const { ask, post, get, lastAudit } = operatorCalls(service);
  const password = 'correct horse battery';
  const byStoredKey = { actor_type: 'operator', actor_id: expect.stringMatching(/^opk_/) };

  /** Runs an action and returns the audit entries it has written. */
  async function written(method: string, path: string, body?: unknown) {
    service.clock.advanceSeconds(1);
    const answer = await ask(method, path, body);
    expect(answer.status).toBeLessThan(300);
    const entry = await lastAudit();
    expect(entry).toMatchObject({ ...byStoredKey, at: service.clock.now() });
    return { entry, answer: answer.body };
  }

  it('is audited: organizations, users, members', async () => {
    const organization = await written('POST', '/operator/organizations', { name: 'Audited' });
    const organization_id = organization.answer.id;
    expect(organization.entry).toMatchObject({ action: 'organization.created', organization_id });
    const renamed = await written('PATCH', `/operator/organizations/${organization_id}`, { name: 'Renamed' });
    expect(renamed.answer).toEqual({ ...organization.answer, name: 'Renamed' });
    expect(renamed.entry).toMatchObject({ action: 'organization.updated', organization_id });
    const body = { email: 'audited@example.com', name: 'Audited', password };
    const user = await written('POST', '/operator/users', body);
    const user_id = user.answer.id;
    expect(user.entry).toMatchObject({ action: 'user.created', user_id });
    expect(JSON.stringify(user.entry)).not.toContain(password);
    const members = `/operator/organizations/${organization_id}/members`;
    const member = { organization_id, user_id };
    expect((await written('POST', members, { user_id })).entry).toMatchObject({
      action: 'member.added',
      ...member,
    });
    expect((await written('DELETE', `${members}/${user_id}`)).entry).toMatchObject({
      action: 'member.removed',
      ...member,
    });
    for (const [verb, action] of [
      ['block', 'user.blocked'],
      ['unblock', 'user.unblocked'],
    ])
      expect((await written('POST', `/operator/users/${user_id}/${verb}`)).entry).toMatchObject({
        action,
        user_id,
      });
  });

  it('is audited: operator keys, by id and never by value', async () => {
    const created = await written('POST', '/operator/operator-keys', { name: 'audited' });
    const details = { operator_key_id: created.answer.id, name: 'audited' };
    expect(created.entry).toMatchObject({ action: 'operator_key.created', details });
    expect(JSON.stringify(created.entry)).not.toContain(created.answer.operator_key);
    const revoked = await written('POST', `/operator/operator-keys/${created.answer.id}/revoke`);
    expect(revoked.entry).toMatchObject({ action: 'operator_key.revoked', details });
  });

  it('is audited: releases, with their reason', async () => {
    const { entry, answer } = await written('POST', '/operator/release/run', { reason: 'rehearsal' });
    expect(entry).toMatchObject({ action: 'release.run', reason: 'rehearsal', details: answer });
    const ledger = await readLedger(await service.database('sandbox'));
    expect(ledger.at(-1)).toMatchObject({ reason: 'rehearsal', actor: entry?.actor_id });
    service.clock.advanceSeconds(10);
    const undone = await written('POST', '/operator/release/undo', {});
    expect(undone.entry).toMatchObject({ action: 'release.undone', reason: null });
  });

  it('is committed with its audit entry or not at all: a release', async () => {
    const database = await service.database('sandbox');
    const rule = (change: string) => runAsAdmin(database, `alter table {schema}.audit_log ${change}`);
    service.clock.advanceSeconds(10);
    const before = await readLedger(database);
    await rule("add constraint no_releases check (action <> 'release.run') not valid");
    expect((await post('/operator/release/run')).status).toBe(500);
    await rule('drop constraint no_releases');
    expect(await readLedger(database)).toEqual(before);
    expect((await post('/operator/release/run')).status).toBe(202);
    expect(await readLedger(database)).toHaveLength(before.length + 1);
  });

  it('is not audited when it was refused or only read', async () => {
    const before = await lastAudit();
    service.clock.advanceSeconds(1);
    const user = { email: 'audited@example.com', name: 'Twice', password };
    expect((await post('/operator/users', user)).status).toBe(409);
    expect((await post('/operator/users/usr_unknown/block')).status).toBe(404);
    expect((await get('/operator/users')).status).toBe(200);
    expect(await lastAudit()).toEqual(before);
  });

  it('is attributed to its key: the one from the settings has no id', async () => {
    service.clock.advanceSeconds(1);
    await service.call('sandbox', '/operator/organizations', {
      method: 'POST',
      headers: { authorization: `Bearer ${configuredKey}`, 'content-type': 'application/json' },
      body: '{"name":"Configured"}',
    });
    expect(await lastAudit()).toMatchObject({
      actor_type: 'operator',
      actor_id: 'configured',
      action: 'organization.created',
    });
  });
});
