import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/dateline.ts';
import { readPassword } from '../../src/cli/input/read-password.ts';
import { statement } from '../../src/storage/statement.ts';
import { newProduct } from '../support/contracts/products.ts';
import { anyEngine } from '../support/database/databases.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { current } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('operator commands', () => {
  const service = useTestService(anyEngine);
  const sandbox = () => operatorSettings(service);
  const cli = (...args: string[]) => runCommandLine(args, sandbox());
  const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).out);

  it('work in sequence: organization, user, membership, block', async () => {
    const organization = await json('org', 'create', '--name', 'Round');
    expect(await json('org', 'list')).toContainEqual(organization);
    const user = await json('user', 'create', '--email', 'round@example.com', '--name', 'Ronja');
    expect(user.password).toMatch(/^[A-Za-z0-9]{24}$/);
    const pair = ['--organization', organization.id, '--user', user.id];
    expect(await json('member', 'add', ...pair)).toMatchObject({ user_id: user.id });
    expect(await json('member', 'list', '--organization', organization.id)).toHaveLength(1);
    expect(await json('user', 'block', user.id)).toMatchObject({ blocked_at: expect.any(String) });
    expect(await json('user', 'unblock', user.id)).toMatchObject({ blocked_at: null });
    expect(await json('member', 'remove', ...pair)).toMatchObject({ removed: true });
    expect((await cli('member', 'list', '--organization', organization.id)).out).toContain(
      'No members yet. Add one',
    );
    expect((await json('user', 'list')).map(({ email }: { email: string }) => email)).toContain(
      'round@example.com',
    );
  });

  it('[outside 8] set the password of a user: made up, or by a link that is good once', async () => {
    const user = await json('user', 'create', '--email', 'lost@example.com', '--name', 'Lost');
    const { password, ...set } = await json('user', 'set-password', user.id);
    expect([set.id, password.length, password === user.password]).toEqual([user.id, 24, false]);
    const { out, err } = await cli('user', 'set-password', user.id, '--link');
    expect(out).toMatch(/^url +http:\S+\/account\/set-password\/dl_test_pl_\w+$/m);
    expect(err).toContain('Whoever has this link can set the password, once.');
    expect((await cli('user', 'set-password', 'usr_0000000000000000000000')).err).toContain(
      'There is no user',
    );
  });

  it('create, list and revoke operator keys', async () => {
    const key = await json('operator-key', 'create', '--name', 'pipeline');
    expect(key.operator_key).toMatch(/^dl_test_op_/);
    expect(await json('operator-key', 'revoke', key.id)).toMatchObject({ revoked_at: expect.any(String) });
    const list = await cli('operator-key', 'list');
    expect(list.out).toContain(key.id);
    expect(list.out).not.toContain(key.operator_key);
  });

  it('[outside 10] create keys with a role, list roles, and say what a key did', async () => {
    const key = await json('operator-key', 'create', '--name', 'dashboard', '--role', 'viewer');
    expect(key.role).toBe('viewer');
    expect((await cli('operator-key', 'list')).out).toMatch(new RegExp(`${key.id} +dashboard +viewer `));
    const asViewer = (...args: string[]) =>
      runCommandLine(args, { ...sandbox(), DATELINE_SANDBOX_OPERATOR_KEY: key.operator_key });
    expect((await asViewer('operator-key', 'whoami')).out).toMatch(/^role +viewer$/m);
    const refused = await asViewer('org', 'create', '--name', 'Not mine');
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain(
      'This needs an operator key with the role admin; this one has the role viewer. (403 insufficient_role',
    );
    const own = await json('operator-key', 'whoami');
    const entries = await json('audit', 'list', '--actor', own.id, '--action', 'operator_key.created');
    expect(entries[0]).toMatchObject({
      actor_id: own.id,
      details: { operator_key_id: key.id, role: 'viewer' },
    });
    expect(await json('audit', 'list', '--actor', key.id)).toEqual([]);
    const unknown = await cli('operator-key', 'create', '--name', 'x', '--role', 'root');
    expect(unknown.err).toContain('role must be one of admin, viewer, support, publisher.');
  });

  it('list and rotate signing keys', async () => {
    const [first, rsa] = await json('signing-key', 'list');
    expect([first, rsa]).toMatchObject([
      { algorithm: 'ES256', state: 'signing' },
      { algorithm: 'RS256', state: 'signing' },
    ]);
    const [next, nextRsa] = await json('signing-key', 'rotate');
    expect((await json('signing-key', 'list')).map(({ id }: { id: string }) => id)).toEqual([
      first.id,
      next.id,
      rsa.id,
      nextRsa.id,
    ]);
    const one = await json('signing-key', 'rotate', '--algorithm', 'RS256', '--withdraw');
    expect(one).toMatchObject([{ algorithm: 'RS256', state: 'signing' }]);
    expect(await json('signing-key', 'list')).toHaveLength(3);
    const { out, err } = await cli('signing-key', 'rotate', '--withdraw');
    expect(out.match(/ signing /g)).toHaveLength(2);
    expect(err).toContain('id_tokens that were signed before are refused from now on.');
    expect(await json('signing-key', 'list')).toHaveLength(2);
    const unknown = await cli('signing-key', 'rotate', '--algorithm', 'none');
    expect(unknown.err).toContain('algorithm must be one of ES256, RS256.');
  });

  it('show the secret key by its id, and say how to change it', async () => {
    const shown = await json('secret-key', 'show');
    expect(shown).toMatchObject({
      active_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      former_ids: [],
      node_ids: [shown.active_id],
    });
    const { code, out, err } = await cli('secret-key', 'rotate');
    expect([code, out.includes(shown.active_id)]).toEqual([0, true]);
    expect(err).toContain('To change it, set DATELINE_SECRET_KEY to the new key, a comma and the old key');
  });

  it('work on the sandbox unless --environment production is given', async () => {
    await cli('org', 'create', '--name', 'Only in production', '--environment', 'production');
    expect((await cli('org', 'list')).out).not.toContain('Only in production');
    expect((await cli('org', 'list', '--environment', 'production')).out).toContain('Only in production');
  });

  it('[outside 24] delete a user, whose address is free again; --yes is needed', async () => {
    const person = ['--email', 'gone@example.com', '--name', 'Gone'];
    const { id } = await json('user', 'create', ...person);
    const organization = await json('org', 'create', '--name', 'Left');
    await json('member', 'add', '--organization', organization.id, '--user', id);
    expect(await cli('user', 'delete', id)).toMatchObject({ code: 2, out: '' });
    expect((await json('user', 'list')).map((user: { id: string }) => user.id)).toContain(id);
    expect(await json('user', 'delete', id, '--yes')).toEqual({ id, deleted: true });
    expect((await json('user', 'list')).map((user: { id: string }) => user.id)).not.toContain(id);
    expect(await json('member', 'list', '--organization', organization.id)).toEqual([]);
    for (const verb of ['block', 'unblock', 'delete'])
      expect((await cli('user', verb, id, ...(verb === 'delete' ? ['--yes'] : []))).err).toContain(
        '404 not_found',
      );
    const back = ['--organization', organization.id, '--user', id];
    expect((await cli('member', 'add', ...back)).err).toContain('404 not_found');
    expect((await json('user', 'create', ...person)).id).not.toBe(id);
    const stored = await (await service.database('sandbox')).run<{ email: string; name: string }>(
      statement('stored', 'select email, name, password_hash from {schema}.users where id = $1'),
      [id],
    );
    expect(stored).toEqual([{ email: `${id}@deleted.invalid`, name: 'Deleted user', password_hash: '' }]);
  });

  it('[outside 24] delete a user whose tokens are in use', async () => {
    const { user, access } = await createCaller(service);
    const ask = () =>
      service.call('sandbox', '/v1/organizations/', {
        headers: { authorization: `Bearer ${access.tokenValue}` },
      });
    expect((await ask()).status).toBe(200);
    await json('user', 'delete', user.id, '--yes');
    expect((await ask()).status).toBe(401);
    const { items } = (await (
      await service.operate('sandbox', `/operator/audit?user_id=${user.id}`)
    ).json()) as { items: { action: string }[] };
    expect(items.map(({ action }) => action)).toContain('user.deleted');
  });

  it('[outside 24] delete an organization with its clients, their tokens, its endpoints, products and members', async () => {
    const { id } = await json('org', 'create', '--name', 'Closing');
    const client = await json(
      ...['client', 'create', '--organization', id, '--name', 'Of it', '--grants', 'client_credentials'],
      ...['--scopes', 'products:read products:write webhooks:write'],
    );
    const form = {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.client_secret,
    };
    const token = () =>
      service.call('sandbox', '/v1/oauth2/token', { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await (await token()).json()) as { access_token: string };
    const post = (path: string, body: object) =>
      service.call('sandbox', path, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post('/v1/products/', newProduct)).status).toBe(201);
    const hook = { url: 'https://hooks.example.com/', events: ['product.created'] };
    expect((await post('/v1/webhooks/endpoints', hook)).status).toBe(201);
    expect(await cli('org', 'delete', id)).toMatchObject({ code: 2, out: '' });
    expect((await post('/v1/products/', newProduct)).status).toBe(201);
    expect(await json('org', 'delete', id, '--yes')).toEqual({ id, deleted: true });
    expect((await post('/v1/products/', newProduct)).status).toBe(401);
    expect((await token()).status).toBe(401);
    expect((await json('org', 'list')).map((one: { id: string }) => one.id)).not.toContain(id);
    for (const line of [
      ['org', 'rename', id, '--name', 'Back'],
      ['org', 'delete', id, '--yes'],
      ['client', 'list', '--organization', id],
      ['member', 'list', '--organization', id],
    ])
      expect((await cli(...line)).err, line.join(' ')).toContain('404 not_found');
    expect(await json('webhook', 'list', '--organization', id)).toEqual([]);
    const left = await (await service.database('sandbox')).run<{ count: number }>(
      statement('left', 'select count(*)::int as count from {schema}.products where organization_id = $1'),
      [id],
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  it('rename an organization', async () => {
    const { id } = await json('org', 'create', '--name', 'Before');
    expect(await json('org', 'rename', id, '--name', 'After')).toMatchObject({ id, name: 'After' });
    expect((await cli('org', 'list')).out).toMatch(new RegExp(`^${id} +After `, 'm'));
    expect((await cli('org', 'rename', 'org_nobody', '--name', 'x')).err).toContain('404 not_found');
  });

  it('print tables, and a hint where a list is empty', async () => {
    const { out } = await cli('versions');
    expect(out.split('\n')[0]).toMatch(/^version +state +becomes_current_at +removed_at$/);
    expect(out).toMatch(new RegExp(`^${current} +current `, 'm'));
    const users = await runCommandLine(['user', 'list', '--environment', 'production'], sandbox());
    expect(users).toMatchObject({
      code: 0,
      out: 'No users yet. Create one: dateline user create --email … --name …\n',
    });
  });

  it('[outside 9] print no control character of a stranger: neither an escape sequence nor a change of direction', async () => {
    const { id } = await json('org', 'create', '--name', 'Harmless');
    const name = 'a\u001b[2Jb\u202ec\u0085\u2028\nd é 👩‍👩‍👧';
    const rename = statement('rename', 'update {schema}.organizations set name = $1 where id = $2');
    await (await service.database('sandbox')).run(rename, [name, id]);
    const { out } = await cli('org', 'list');
    const line = out.split('\n').find((row) => row.startsWith(id)) ?? '';
    expect(line).toContain('  a\\u{1b}[2Jb\\u{202e}c\\u{85}\\u{2028}\\u{a}d é 👩‍👩‍👧  ');
    expect((await json('org', 'list')).find((one: { id: string }) => one.id === id).name).toBe(name);
  });

  it('list more than one page', async () => {
    for (let index = 0; index < 103; index += 1) {
      await service.operate('production', '/operator/organizations', {
        method: 'POST',
        body: { name: `Page ${index}` },
      });
    }
    const { out } = await runCommandLine(['org', 'list', '--environment', 'production', '--json'], sandbox());
    expect(JSON.parse(out).length).toBeGreaterThanOrEqual(103);
  });

  it('print the service’s refusal in one line, with the request id', async () => {
    const { code, out, err } = await cli('user', 'block', 'usr_nobody');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^dateline: There is no user with this id\. \(404 not_found, request req_\w+\)\n$/);
  });

  it('encode ids, so that none can lead to another path', async () => {
    const { code, err } = await cli('user', 'block', '../organizations?x=');
    expect(code).toBe(1);
    expect(err).toContain('404');
  });

  it('name the setting to change when the key is wrong', async () => {
    const env = { ...sandbox(), DATELINE_SANDBOX_OPERATOR_KEY: 'x'.repeat(40) };
    const { code, err } = await runCommandLine(['org', 'list'], env);
    expect([code, err]).toEqual([
      1,
      'dateline: The operator key for sandbox is not accepted; set DATELINE_SANDBOX_OPERATOR_KEY to a live one.\n',
    ]);
  });
});

describe('the command line', () => {
  const empty = mkdtempSync(join(tmpdir(), 'dateline-empty-'));
  afterAll(() => rmSync(empty, { recursive: true }));

  it('explains how to start the service when none answers', async () => {
    const env = {
      DATELINE_SANDBOX_PORT: String(await freePort()),
      DATELINE_SANDBOX_OPERATOR_KEY: 'x'.repeat(40),
    };
    const { code, err } = await runCommandLine(['org', 'list'], env);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^dateline: No service answers at http:\/\/127\.0\.0\.1:\d+; start it with "npm start"/,
    );
  });

  it('explains where an operator key can come from when there is none', async () => {
    const { code, err } = await runCommandLine(['org', 'list'], { DATELINE_DATA_DIR: empty });
    expect([code, err]).toEqual([
      1,
      `dateline: No operator key for sandbox: set DATELINE_SANDBOX_OPERATOR_KEY, or run this where ${join(empty, 'quickstart.json')} is.\n`,
    ]);
  });

  it.each([
    [['fly'], 'There is no command "fly"; "dateline --help" lists them all.'],
    [['help', 'fly'], 'There is no command "fly"; "dateline --help" lists them all.'],
    [['org'], '"dateline org" needs one of: create, show, rename, suspend, resume, delete, list.'],
    [['org', 'create'], '--name is missing; see "dateline org create --help".'],
    [
      ['org', 'create', '--nmae', 'x'],
      'Unknown option \'--nmae\'; did you mean "--name"? See "dateline org create --help".',
    ],
    [
      ['org', 'list', '--enviroment', 'sandbox'],
      'Unknown option \'--enviroment\'; did you mean "--environment"? See "dateline org list --help".',
    ],
    [['org', 'create', '--colour', 'x'], 'Unknown option \'--colour\'; see "dateline org create --help".'],
    [
      ['clinets', 'lsit'],
      'There is no command "clinets"; did you mean "dateline client list"? "dateline --help" lists them all.',
    ],
    [
      ['docter'],
      'There is no command "docter"; did you mean "dateline doctor"? "dateline --help" lists them all.',
    ],
    [
      ['help', 'webhok'],
      'There is no command "webhok"; did you mean "dateline webhook"? "dateline --help" lists them all.',
    ],
    [
      ['member', 'remvoe', 'x'],
      '"dateline member" needs one of: add, remove, list; did you mean "dateline member remove"?',
    ],
    [['member', 'x'.repeat(100_000)], '"dateline member" needs one of: add, remove, list.'],
    [
      ['org', 'list', '--environment', 'staging'],
      '--environment must be production or sandbox; "staging" is not.',
    ],
    [['user', 'block'], '"dateline user block" takes one <user-id>; see "dateline user block --help".'],
    [['org', 'list', 'extra'], '"dateline org list" takes no arguments; see "dateline org list --help".'],
    [['serve', '--workers', 'many'], '--workers must be a whole number from 1 to 256.'],
  ])('answers %j with one line and exit code 2', async (args, sentence) => {
    expect(await runCommandLine(args)).toEqual({ code: 2, out: '', err: `dateline: ${sentence}\n` });
  });

  it('prints failures as JSON with --json', async () => {
    const { code, err } = await runCommandLine(['org', 'create', '--json']);
    expect([code, JSON.parse(err)]).toEqual([
      2,
      { error: '--name is missing; see "dateline org create --help".' },
    ]);
  });

  it('refuses several workers on the embedded database', async () => {
    const { code, err } = await runCommandLine(['serve', '--workers', '2'], { DATELINE_DATA_DIR: empty });
    expect([code, err]).toEqual([
      1,
      'dateline: --workers above 1 needs DATABASE_URL: the embedded database serves one process only.\n',
    ]);
  });

  it('has help for everything: all commands, a noun, a command', async () => {
    const overall = await runCommandLine(['--help']);
    expect(overall.code).toBe(0);
    for (const { name, description } of commands)
      expect(overall.out).toMatch(new RegExp(`^  ${name}\\b.* {2}${description}$`, 'm'));
    expect((await runCommandLine([])).out).toBe(overall.out);
    expect((await runCommandLine(['org', '--help'])).out).toContain('dateline org <verb>');
    for (const { name, examples, options = {} } of commands) {
      const { out } = await runCommandLine([...name.split(' '), '--help']);
      for (const text of [...examples, ...Object.keys(options)]) expect(out).toContain(text);
      expect((await runCommandLine(['help', ...name.split(' ')])).out).toBe(out);
    }
    expect((await runCommandLine(['help'])).out).toBe(overall.out);
    expect((await runCommandLine(['help', 'org'])).out).toBe((await runCommandLine(['org', '--help'])).out);
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runCommandLine(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  it('prints every setting with its origin, and secrets as "set"', async () => {
    const env = { DATELINE_PORT: '5000', DATABASE_URL: 'postgres://me:hunter2@db/x' };
    const { out } = await runCommandLine(['config'], env);
    expect(out).toMatch(/^DATELINE_PORT +5000 +environment$/m);
    expect(out).toMatch(/^DATELINE_HOST +127\.0\.0\.1 +default$/m);
    expect(out).toMatch(/^DATABASE_URL +set +environment$/m);
    expect(out).not.toContain('hunter2');
    const rows = JSON.parse((await runCommandLine(['config', '--json'], env)).out);
    expect(rows.find(({ name }: { name: string }) => name === 'DATABASE_URL')).toMatchObject({
      value: 'set',
    });
  });

  it('refuses settings that are wrong, also for `config`', async () => {
    const { code, err } = await runCommandLine(['config'], { DATELINE_PORT: 'x' });
    expect([code, err]).toEqual([
      1,
      'dateline: DATELINE_PORT must be a whole number from 0 to 65535; "x" is not.\n',
    ]);
  });

  it('reads a password without the trailing line end', async () => {
    const stream = async function* (text: string) {
      yield text;
    };
    expect(await readPassword(stream('correct horse\n'))).toBe('correct horse');
    expect(await readPassword(stream(' spaces stay \r\n'))).toBe(' spaces stay ');
    await expect(readPassword(stream('\n'))).rejects.toThrow('No password came from standard input.');
  });
});
