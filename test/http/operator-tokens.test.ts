import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { answered } from '../support/run/answered.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('/operator/tokens', () => {
  const service = useTestService(anyEngine);
  async function post(path: string, body: unknown) {
    const response = await service.operate('sandbox', path, { method: 'POST', body });
    const read = (await response.json()) as Record<string, unknown>;
    return answered({ status: response.status, body: read }, response.url);
  }
  const explain = (body: unknown) => post('/operator/tokens/explain', body);
  const revoke = (body: unknown) => post('/operator/tokens/revoke', body);

  it('shows who revoked a token, when and why: by its value, then by its id', async () => {
    const { access_token: token, client_id } = service.quickstart.sandbox;
    const live = (await explain({ token })).body;
    expect(live).toMatchObject({ state: 'active', message: 'It is active.', since: null, also: [] });
    const { id } = live.token as { id: string };
    const revoked = await revoke({ client_id, reason: 'phone lost' });
    expect(revoked).toEqual({
      status: 200,
      body: { dry_run: false, grants: 1, tokens: 2, next_cursor: null },
    });
    const { status, body } = await explain({ token_id: id });
    expect([status, body.state, body.reason]).toEqual([200, 'grant_revoked', 'phone lost']);
    expect(body.message).toMatch(/^Its grant was revoked at \S+ by operator \S.* \(opk_\w+\): phone lost\.$/);
    expect(body.says, 'its former name').toBe(body.message);
    expect(body).toMatchObject({
      since: service.clock.now().toISOString(),
      actor_type: 'operator',
      token: { id, token_type: 'access_token', client_id, sub_type: 'user' },
      history: [{ action: 'grant.revoked', reason: 'phone lost' }],
    });
    expect(JSON.stringify(body)).not.toContain(token);
    expect(service.logLines.join('')).not.toContain(token);
  });

  it('[outside 20] leaves alive what is issued after a cut, though the clock was set back since', async () => {
    const { token, demo, isActive, post: form } = oauthCalls(service);
    const { client_id } = demo();
    const before = (await token({ grant_type: 'client_credentials' })).body.access_token;
    service.clock.advanceSeconds(1);
    expect((await revoke({ client_id, issued_before: service.clock.now().toISOString() })).status).toBe(200);
    service.clock.advanceSeconds(-3600);
    const after = (await token({ grant_type: 'client_credentials' })).body.access_token;
    const { code, codeVerifier } = await signInDemoUser(service);
    const exchanged = await form('/v1/oauth2/token', {
      ...demo(),
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: REDIRECT_URI,
    });
    const refreshed = await token({
      grant_type: 'refresh_token',
      refresh_token: exchanged.body.refresh_token,
    });
    expect([
      await isActive(before),
      await isActive(after),
      await isActive(exchanged.body.access_token),
      await isActive(refreshed.body.access_token),
      await isActive(refreshed.body.refresh_token),
    ]).toEqual([false, true, true, true, true]);
    service.clock.advanceSeconds(3600);
  });

  it('answers that a token was never issued', async () => {
    expect((await explain({ token: 'dl_test_at_never' })).body).toMatchObject({
      state: 'unknown',
      token: null,
      history: [],
    });
  });

  it.each([
    ['explain', {}, 'Give either token or token_id.'],
    ['explain', { token: 'x', token_id: 'tok_0000000000000000000001' }, 'Give either token or token_id.'],
    ['explain', { token_id: 'dl_test_at_x' }, 'token_id must be an id that begins with tok_.'],
    ['revoke', {}, 'Name at least one of subject, client_id, organization_id and issued_before.'],
    [
      'revoke',
      { dry_run: true },
      'Name at least one of subject, client_id, organization_id and issued_before.',
    ],
    ['revoke', { subject: 'cli_1' }, 'subject must be an id that begins with usr_ or org_.'],
    ['revoke', { client_id: 'usr_1' }, 'client_id must be an id that begins with cli_.'],
    ['revoke', { organization_id: 'x' }, 'organization_id must be an id that begins with org_.'],
    ['revoke', { issued_before: 'then' }, 'issued_before must be a time, such as 2027-01-06T17:00:00Z.'],
    [
      'revoke',
      { issued_before: '2026-11-01T00:00:00Z', cursor: 'x' },
      'cursor must be the next_cursor of an earlier answer.',
    ],
    ['revoke', { isued_before: '2026-11-01T00:00:00Z' }, 'isued_before is not a field of this request.'],
  ])('rejects %s with %j', async (verb, body, detail) => {
    const answer = await post(`/operator/tokens/${verb}`, body);
    expect([answer.status, answer.body.detail]).toEqual([422, detail]);
  });

  const read = async (path: string) => (await (await service.operate('sandbox', path)).json()) as Lineage;

  it('[console] lists the tokens of a grant, newest first, each with its state', async () => {
    const { token } = oauthCalls(service);
    const { code, codeVerifier } = await signInDemoUser(service);
    const first = await token({
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: REDIRECT_URI,
    });
    service.clock.advanceSeconds(1);
    const { body: second } = await token({
      grant_type: 'refresh_token',
      refresh_token: first.body.refresh_token,
    });
    const { body } = await explain({ token: second.access_token });
    const { grant_id: grant, id } = body.token as { grant_id: string; id: string };
    const { items } = await read(`/operator/grants/${grant}/tokens`);
    expect(items.map(({ state }) => state).sort()).toEqual(['active', 'active', 'active', 'used']);
    expect(items.map((one) => one.id)).toEqual(
      items
        .map((one) => one.id)
        .sort()
        .reverse(),
    );
    expect(items.map((one) => one.id)).toContain(id);
    const { items: page, pagination } = await read(`/operator/grants/${grant}/tokens?limit=3`);
    const rest = await read(`/operator/grants/${grant}/tokens?limit=3&cursor=${pagination.next_cursor}`);
    expect([...page, ...rest.items]).toEqual(items);
    const unknown = await service.operate('sandbox', '/operator/grants/gra_0/tokens');
    expect(unknown.status).toBe(404);
  });

  it('[console] revokes one access token alone, and a refresh token with its grant', async () => {
    const { token, isActive } = oauthCalls(service);
    const { code, codeVerifier } = await signInDemoUser(service);
    const { body: issued } = await token({
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: REDIRECT_URI,
    });
    const idOf = async (value: string) => ((await explain({ token: value })).body.token as { id: string }).id;
    const end = async (id: string) =>
      (
        await service.operate('sandbox', `/operator/tokens/${id}/revoke`, {
          method: 'POST',
          body: { reason: 'seen in a chat' },
        })
      ).status;
    const access = await idOf(issued.access_token);
    expect(await end(access)).toBe(204);
    expect([await isActive(issued.access_token), await isActive(issued.refresh_token)]).toEqual([
      false,
      true,
    ]);
    expect((await explain({ token_id: access })).body).toMatchObject({
      state: 'revoked',
      reason: 'seen in a chat',
      actor_type: 'operator',
    });
    expect(await end(await idOf(issued.refresh_token))).toBe(204);
    expect(await isActive(issued.refresh_token)).toBe(false);
    expect([await end(access), await end('tok_0')]).toEqual([404, 404]);
  });
});

interface Lineage {
  items: { id: string; state: string }[];
  pagination: { next_cursor: string | null };
}
