import { describe, expect, it } from 'vitest';
import { blockUser, removeMember } from '../../src/directory/users.ts';
import { addMember, listMembers } from '../../src/identity/members.ts';
import {
  createOperatorKey,
  findOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from '../../src/identity/operator-keys.ts';
import { createOrganization, listOrganizations, organizationsOf } from '../../src/identity/organizations.ts';
import { createUser, listUsers, unblockUser, userByPassword } from '../../src/identity/users.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { waitsOrIsOver } from '../support/database/waits-or-is-over.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const ada = (email: string) => ({ email, name: 'Ada', password: 'correct horse battery' });
const wholeList = { limit: 100, after: null };

onEmbeddedFirst('organizations', (engine) => {
  const environments = useTestEnvironments(engine);

  it('are listed page by page, each once, in order of creation', async () => {
    const { sandbox } = environments;
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      environments.clock.advanceSeconds(1);
      made.push((await createOrganization(sandbox, { name: `Organization ${index}` })).id);
    }
    const first = await listOrganizations(sandbox, { limit: 2, after: null });
    const second = await listOrganizations(sandbox, { limit: 2, after: first.next });
    const third = await listOrganizations(sandbox, { limit: 2, after: second.next });
    expect([first, second, third].flatMap((page) => page.items.map(({ id }) => id))).toEqual(made);
    expect(third.next).toBeNull();
  });

  it('are found by a part of their name or by their id, else all are listed', async () => {
    const { sandbox } = environments;
    const [north, south] = [
      await createOrganization(sandbox, { name: 'North 100%' }),
      await createOrganization(sandbox, { name: 'South' }),
    ];
    const found = async (search?: string) =>
      (await listOrganizations(sandbox, { ...wholeList, ...(search === undefined ? {} : { search }) })).items;
    expect(await found('NORTH')).toEqual([north]);
    expect(await found('100%')).toEqual([north]);
    expect(await found(south.id)).toEqual([south]);
    expect(await found('nobody')).toEqual([]);
    expect(await found()).toEqual(expect.arrayContaining([north, south]));
  });

  it('are none for an empty list of ids, never all', async () => {
    await createOrganization(environments.sandbox, { name: 'Somebody’s' });
    expect(await organizationsOf(environments.sandbox, [])).toEqual([]);
  });
});

onEmbeddedFirst('users', (engine) => {
  const environments = useTestEnvironments(engine);

  it('sign in with their own password only', async () => {
    const { sandbox } = environments;
    const user = await createUser(sandbox, ada('sign-in@example.com'));
    expect(await userByPassword(sandbox, 'SIGN-IN@example.com', 'correct horse battery')).toEqual(user);
    expect(await userByPassword(sandbox, 'sign-in@example.com', 'correct horse batterY')).toBeNull();
    expect(await userByPassword(sandbox, 'unknown@example.com', 'correct horse battery')).toBeNull();
  });

  it('have their password stored as an argon2id hash only', async () => {
    const { sandbox } = environments;
    await createUser(sandbox, ada('hash@example.com'));
    const read = statement('read_hash', 'select password_hash from {schema}.users where email = $1');
    const [row] = await sandbox.database.run<{ password_hash: string }>(read, ['hash@example.com']);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('have unique emails, whatever their case', async () => {
    await createUser(environments.sandbox, ada('one@example.com'));
    const second = createUser(environments.sandbox, ada('ONE@example.com'));
    await expect(second).rejects.toMatchObject({
      code: 'conflict',
      detail: 'A user with this email exists already.',
    });
  });

  it('cannot sign in while blocked', async () => {
    const { sandbox } = environments;
    const { id } = await createUser(sandbox, ada('blocked@example.com'));
    const since = environments.clock.now();
    expect((await blockUser(sandbox, id)).blockedAt).toEqual(since);
    environments.clock.advanceSeconds(60);
    expect((await blockUser(sandbox, id)).blockedAt).toEqual(since);
    expect(await userByPassword(sandbox, 'blocked@example.com', 'correct horse battery')).toBeNull();
    expect((await unblockUser(sandbox, id)).blockedAt).toBeNull();
    expect(await userByPassword(sandbox, 'blocked@example.com', 'correct horse battery')).not.toBeNull();
  });

  it('that do not exist cannot be blocked', async () => {
    await expect(blockUser(environments.sandbox, 'usr_0000000000000000000000')).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(blockUser(environments.sandbox, 'nonsense')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are returned without their password hash', async () => {
    const { items } = await listUsers(environments.sandbox, wholeList);
    expect(JSON.stringify(items)).not.toContain('argon2');
  });
});

onEmbeddedFirst('memberships', (engine) => {
  const environments = useTestEnvironments(engine);

  it('are added once, listed with the person, and removed', async () => {
    const { sandbox, clock } = environments;
    const organization = await createOrganization(sandbox, { name: 'Members' });
    const user = await createUser(sandbox, ada('member@example.com'));
    const key = { organizationId: organization.id, userId: user.id };
    const added = await addMember(sandbox, key);
    clock.advanceSeconds(60);
    expect(await addMember(sandbox, key)).toEqual(added);
    expect((await listMembers(sandbox, organization.id, wholeList)).items).toEqual([
      { ...key, createdAt: added.createdAt, email: 'member@example.com', name: 'Ada' },
    ]);
    await removeMember(sandbox, key);
    expect((await listMembers(sandbox, organization.id, wholeList)).items).toEqual([]);
    await expect(removeMember(sandbox, key)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('need an organization and a user that exist', async () => {
    const { sandbox } = environments;
    const organization = await createOrganization(sandbox, { name: 'Empty' });
    const absent = { organizationId: organization.id, userId: 'usr_0000000000000000000000' };
    await expect(addMember(sandbox, absent)).rejects.toMatchObject({ code: 'not_found' });
    await expect(listMembers(sandbox, 'org_0000000000000000000000', wholeList)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

onEmbeddedFirst('operator keys', (engine) => {
  const environments = useTestEnvironments(engine);

  it('are shown once and stored as a digest', async () => {
    const { sandbox } = environments;
    const { operatorKey, keyValue } = await createOperatorKey(sandbox, { name: 'first' });
    expect(keyValue).toMatch(/^dl_test_op_[A-Za-z0-9]{38}$/);
    expect(await findOperatorKey(sandbox, keyValue)).toEqual({
      id: operatorKey.id,
      name: 'first',
      role: 'admin',
    });
    expect(JSON.stringify(await listOperatorKeys(sandbox, wholeList))).not.toContain(keyValue);
    const read = statement(
      'read_key',
      'select digest::text || name || id as everything from {schema}.operator_keys',
    );
    expect(JSON.stringify(await sandbox.database.run(read, []))).not.toContain(keyValue);
  });

  it('coexist; a revoked one is rejected at once and stays in the list', async () => {
    const { sandbox } = environments;
    const old = await createOperatorKey(sandbox, { name: 'old' });
    const fresh = await createOperatorKey(sandbox, { name: 'fresh' });
    const revoked = await revokeOperatorKey(sandbox, old.operatorKey.id);
    expect(revoked.revokedAt).not.toBeNull();
    expect(await findOperatorKey(sandbox, old.keyValue)).toBeNull();
    expect(await findOperatorKey(sandbox, fresh.keyValue)).not.toBeNull();
    expect(await revokeOperatorKey(sandbox, old.operatorKey.id)).toEqual(revoked);
    const { items } = await listOperatorKeys(sandbox, wholeList);
    expect(items.map(({ name }) => name)).toContain('old');
  });

  it('record when they were last used, to the minute', async () => {
    const { sandbox, clock } = environments;
    const { operatorKey, keyValue } = await createOperatorKey(sandbox, { name: 'used' });
    const lastUsedAt = async (): Promise<Date | null | undefined> =>
      (await listOperatorKeys(sandbox, wholeList)).items.find(({ id }) => id === operatorKey.id)?.lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    await findOperatorKey(sandbox, keyValue);
    const first = clock.now();
    expect(await lastUsedAt()).toEqual(first);
    clock.advanceSeconds(30);
    await findOperatorKey(sandbox, keyValue);
    expect(await lastUsedAt()).toEqual(first);
    clock.advanceSeconds(31);
    await findOperatorKey(sandbox, keyValue);
    expect(await lastUsedAt()).toEqual(clock.now());
  });

  it('cannot all be revoked, not even two at the same time', async () => {
    const { production } = environments;
    const [one, other] = [
      await createOperatorKey(production, { name: 'a' }),
      await createOperatorKey(production, { name: 'b' }),
    ];
    const attempts = await Promise.allSettled([
      revokeOperatorKey(production, one.operatorKey.id),
      revokeOperatorKey(production, other.operatorKey.id),
    ]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const live = [
      await findOperatorKey(production, one.keyValue),
      await findOperatorKey(production, other.keyValue),
    ];
    expect(live.filter((key) => key !== null)).toHaveLength(1);
  });

  it('of one environment are unknown in the other', async () => {
    const { production, sandbox } = environments;
    const { keyValue } = await createOperatorKey(sandbox, { name: 'sandbox key' });
    expect(await findOperatorKey(production, keyValue)).toBeNull();
  });
});

describe('the last two operator keys with the role admin', () => {
  // In the embedded database all sessions wait for an open transaction, so that nothing is at once there.
  const environments = useTestEnvironments('PostgreSQL');

  it('[outside2 28] are not both revoked by two transactions that overlap', async () => {
    const { sandbox } = environments;
    const [one, other] = [
      (await createOperatorKey(sandbox, { name: 'a' })).operatorKey,
      (await createOperatorKey(sandbox, { name: 'b' })).operatorKey,
    ];
    let second: Promise<unknown> | undefined;
    await sandbox.transaction(async (inside) => {
      await revokeOperatorKey(inside, one.id);
      second = expect(revokeOperatorKey(sandbox, other.id)).rejects.toMatchObject({ code: 'conflict' });
      await waitsOrIsOver(sandbox, second);
    });
    await second;
  });
});
