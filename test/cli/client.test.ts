import { describe, expect, it } from 'vitest';
import { knownScopes } from '../../src/oauth/scopes/scopes.ts';
import { anyEngine } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('dateline client', () => {
  const service = useTestService(anyEngine);
  const run = (...args: string[]) => runCommandLine(['client', ...args], operatorSettings(service));
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  const organization = () => service.quickstart.sandbox.organization_id;

  it('works in sequence: create, use, rotate, revoke, disable, enable, update, delete', async () => {
    const { token } = oauthCalls(service);
    const named = ['--organization', organization(), '--name', 'Round'];
    const client = await json('create', ...named, '--scopes', 'products:read webhooks:read');
    expect(client).toMatchObject({
      kind: 'confidential',
      grant_types: ['client_credentials'],
      scopes: ['products:read', 'webhooks:read'],
    });
    const works = async (client_secret: string) =>
      (await token({ grant_type: 'client_credentials', client_id: client.id, client_secret })).status;
    expect(await works(client.client_secret)).toBe(200);
    const rotated = await json('rotate-secret', client.id);
    expect([await works(client.client_secret), await works(rotated.client_secret)]).toEqual([200, 200]);
    await json('revoke-secret', client.id, '--secret', client.secret_id);
    expect([await works(client.client_secret), await works(rotated.client_secret)]).toEqual([401, 200]);
    expect(await json('disable', client.id)).toMatchObject({ disabled_at: expect.any(String) });
    expect(await works(rotated.client_secret)).toBe(401);
    expect(await json('enable', client.id)).toMatchObject({ disabled_at: null });
    const updated = await json('update', client.id, '--name', 'Square', '--scopes', 'products:read');
    expect(updated).toMatchObject({ name: 'Square', scopes: ['products:read'] });
    const shown = await json('show', client.id);
    expect(shown).toMatchObject({ ...updated, secrets: [{ id: rotated.secret_id }] });
    expect(await json('list', '--organization', organization())).toContainEqual(
      expect.objectContaining(updated),
    );
    const asked = await run('delete', client.id);
    expect(asked.err).toContain('Nothing was deleted. Pass --yes');
    expect(await works(rotated.client_secret)).toBe(200);
    expect(await json('delete', client.id, '--yes')).toEqual({ id: client.id, deleted: true });
    expect(await works(rotated.client_secret)).toBe(401);
    expect((await run('show', client.id)).err).toContain('There is no client with this id.');
  });

  it('[outside2 24] says which scopes a client has by default, and gives it those', async () => {
    const { all } = knownScopes();
    const { out } = await run('create', '--help');
    const [, left = ''] = /by default all but (.*), and none for a resource server/.exec(out) ?? [];
    const byDefault = all.filter((scope) => !left.split(' and ').includes(scope));
    const named = ['--organization', organization(), '--name', 'Usual'];
    expect((await json('create', ...named)).scopes).toEqual(byDefault);
    const server = ['--kind', 'resource_server', '--audiences', 'https://api.example'];
    expect((await json('create', ...named, ...server)).scopes).toEqual([]);
  });

  it('creates a client without PKCE, requires it again, and refuses it of a public one', async () => {
    const named = [
      '--organization',
      organization(),
      '--name',
      'Shop',
      '--redirect-uris',
      'https://a.example/',
    ];
    const client = await json('create', ...named, '--no-pkce');
    expect(client.require_pkce).toBe(false);
    expect((await json('update', client.id, '--pkce')).require_pkce).toBe(true);
    expect((await json('update', client.id, '--no-pkce')).require_pkce).toBe(false);
    expect((await run('update', client.id, '--pkce', '--no-pkce')).err).toContain('not both');
    const signed = await json('update', client.id, '--id-token-alg', 'RS256');
    expect(signed.id_token_signed_response_alg).toBe('RS256');
    const open = await run('create', ...named, '--kind', 'public', '--no-pkce');
    expect(open.err).toContain('A public client has no secret, so PKCE is required of it.');
  });

  it('[outside 4] creates, lists and revokes registration tokens', async () => {
    const tokens = (...args: string[]) =>
      runCommandLine(['registration-token', ...args], operatorSettings(service));
    const made = await tokens(
      'create',
      '--scopes',
      'openid products:read',
      '--grants',
      'authorization_code',
      '--json',
    );
    const { registration_token, ...token } = JSON.parse(made.out);
    expect([registration_token, token]).toMatchObject([
      expect.stringMatching(/^dl_test_ir_/),
      { scopes: ['openid', 'products:read'], grant_types: ['authorization_code'] },
    ]);
    expect(JSON.parse((await tokens('list', '--json')).out)).toEqual([token]);
    expect((await tokens('revoke', token.id)).out).toContain(token.id);
    expect((await tokens('list')).out).toContain('No registration tokens.');
  });

  it('shows a secret once, and says so', async () => {
    const created = await run('create', '--organization', organization(), '--name', 'Once');
    expect(created.out).toMatch(/^client_secret +dl_test_cs_\w+$/m);
    expect(created.err).toBe('The secret is shown only now.\n');
    const [, id = ''] = /^id +(\S+)$/m.exec(created.out) ?? [];
    const [, secret = ''] = /^client_secret +(\S+)$/m.exec(created.out) ?? [];
    const rotated = await run('rotate-secret', id);
    expect(rotated.err).toContain('The secret is shown only now.');
    const shown = await run('show', id);
    expect(shown.out).toMatch(/^id +created_at +last_used_at$/m);
    for (const { out } of [shown, await run('list')]) expect(out).not.toContain(secret);
  });

  it('creates public clients and resource servers', async () => {
    const named = ['--organization', organization(), '--name', 'Other'];
    const app = await run('create', ...named, '--kind', 'public', '--redirect-uris', 'com.example.app:/cb');
    expect([app.code, app.err]).toEqual([0, '']);
    expect(app.out).not.toContain('client_secret');
    const [, id = ''] = /^id +(\S+)$/m.exec(app.out) ?? [];
    expect((await run('show', id)).out).toContain('A public client has no secrets.');
    const server = await json('create', ...named, '--kind', 'resource_server', '--audiences', 'orders');
    expect(server).toMatchObject({ grant_types: [], scopes: [], audiences: ['orders'] });
  });

  it('prints a hint when a list is empty, and when options are missing', async () => {
    expect((await run('list', '--environment', 'production')).out).toBe(
      'No clients yet. Create one: dateline client create --organization … --name …\n',
    );
    expect(await run('update', 'cli_x')).toMatchObject({
      code: 2,
      err: 'dateline: Name what to change: --name, --grants, --scopes, --redirect-uris, --audiences, --pkce, --no-pkce or --id-token-alg.\n',
    });
    const wrong = await run('create', '--organization', organization(), '--name', 'x', '--kind', 'secret');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('kind must be one of confidential')]);
  });
});
