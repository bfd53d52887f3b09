import { expect, it } from 'vitest';
import { newCheckedSecret } from '../../src/kernel/checked-secret.ts';
import { issueCode } from '../../src/oauth/authorize/codes/issue-code.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { answered } from '../support/run/answered.ts';
import { writtenDown } from '../support/run/written-down.ts';
import { next } from '../support/service/build-versions.ts';
import { createCaller, serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('a leaked secret', (engine) => {
  const service = useTestService(engine);
  const calls = oauthCalls(service);
  type Caller = Awaited<ReturnType<typeof createCaller>>;
  const isActive = async ({ credentials }: Caller, token: string): Promise<boolean> =>
    (await calls.introspect({ ...credentials, token })).body.active;
  const written = async () => writtenDown(await service.database('sandbox'));
  const report = (token: string) =>
    calls.send('/v1/oauth2/report-leak', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': next },
      body: JSON.stringify({ token }),
    });
  async function reportToOperator(tokens: readonly string[]) {
    const body = { tokens, source: 'a public repository', note: 'seen twice' };
    const response = await service.operate('sandbox', '/operator/leaks', { method: 'POST', body });
    const { results } = (await response.json()) as { results: Record<string, unknown>[] };
    return answered({ status: response.status, results }, response.url);
  }

  it('is revoked for any caller that presents it: an access token alone, a refresh token with its grant', async () => {
    const caller = await createCaller(service);
    expect(await report(caller.access.tokenValue)).toMatchObject({ status: 200, text: '{}' });
    expect(await isActive(caller, caller.access.tokenValue)).toBe(false);
    expect(await isActive(caller, caller.refresh.tokenValue)).toBe(true);
    await report(caller.refresh.tokenValue);
    expect(await isActive(caller, caller.refresh.tokenValue)).toBe(false);
    const entries = (await (await written()).audit('leak.reported')).filter(
      ({ client_id }) => client_id === caller.client.id,
    );
    const ended = (kind: string) => ({ kind, outcome: 'revoked', reported_from: expect.any(String) });
    expect(entries.map(({ details }) => details)).toEqual(
      expect.arrayContaining([ended('access_token'), ended('refresh_token')]),
    );
    const revoked = await (await written()).audit('token.revoked');
    expect(revoked.find(({ token_id }) => token_id === caller.access.token.id)).toMatchObject({
      actor_type: 'system',
      reason: 'reported as leaked',
    });
  });

  it('is answered alike whether it is known, unknown, dead or malformed', async () => {
    const caller = await createCaller(service);
    const answers = [];
    for (const token of [
      caller.access.tokenValue,
      caller.access.tokenValue,
      newCheckedSecret('dl_test_at_'),
      newCheckedSecret('dl_at_'),
      'garbage \u0000',
    ]) {
      const { status, text, headers } = await report(token);
      const kept = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
      answers.push(JSON.stringify([status, text, kept]));
    }
    expect(new Set(answers).size).toBe(1);
    const entries = await (await written()).audit('leak.reported');
    expect(entries.filter(({ token_id }) => token_id === caller.access.token.id)).toHaveLength(2);
    const occurrences = await (await written()).occurrences('token.revoked');
    expect(occurrences.filter(({ data }) => data.token_id === caller.access.token.id)).toHaveLength(1);
  });

  it('cannot be exchanged if it is an unused code; tokens of a used code are revoked', async () => {
    const environment = await serviceEnvironment(service);
    const caller = await createCaller(service, { redirectUris: ['https://app.test/'] });
    const code = () =>
      issueCode(environment, {
        clientId: caller.client.id,
        userId: caller.user.id,
        organizationIds: [],
        scopes: ['products:read'],
        audience: caller.client.id,
        redirectUri: 'https://app.test/',
        // RFC 7636, appendix B
        codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        nonce: null,
        authenticatedAt: service.clock.now(),
      });
    const exchange = (value: string) =>
      calls.token({
        ...caller.credentials,
        grant_type: 'authorization_code',
        code: value,
        redirect_uri: 'https://app.test/',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      });
    const [unused, used] = [await code(), await code()];
    const { body } = await exchange(used);
    expect(await isActive(caller, body.access_token)).toBe(true);
    await report(unused);
    await report(used);
    expect((await exchange(unused)).body.error).toBe('invalid_grant');
    expect(await isActive(caller, body.access_token)).toBe(false);
  });

  it('no longer authenticates if it is a client’s secret', async () => {
    const caller = await createCaller(service);
    await report(caller.credentials.client_secret);
    const refused = await calls.introspect({ ...caller.credentials, token: 'x' });
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    const entries = await (await written()).audit('client.secret_revoked');
    expect(entries.filter(({ client_id }) => client_id === caller.client.id)).toMatchObject([
      { reason: 'reported as leaked', details: { secret_id: expect.stringMatching(/^sec_/) } },
    ]);
  });

  it('[outside2 28] no longer gives access to the registration if it is a registration access token', async () => {
    const registered = await calls.send('/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Leaky', grant_types: ['client_credentials'] }),
    });
    const { client_id, client_secret, registration_access_token: token } = registered.body;
    const read = () =>
      calls.send(`/v1/oauth2/register/${client_id}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(200);
    await report(token);
    expect((await read()).status).toBe(401);
    expect((await calls.introspect({ client_id, client_secret, token: 'x' })).status).toBe(200);
    const entries = await (await written()).audit('client.registration_revoked');
    expect(entries).toMatchObject([{ client_id, reason: 'reported as leaked' }]);
  });

  it('can be reported by an operator too, who gets the outcome of each', async () => {
    const caller = await createCaller(service);
    const { access, refresh, client, grant } = caller;
    const made = await service.operate('sandbox', '/operator/operator-keys', {
      method: 'POST',
      body: { name: 'leaky' },
    });
    const { operator_key } = (await made.json()) as { operator_key: string };
    const tokens = [access.tokenValue, access.tokenValue, refresh.tokenValue, 'garbage', operator_key];
    const { status, results } = await reportToOperator(tokens);
    const places = { grant_id: grant.id, client_id: client.id, client_name: 'Client' };
    const ofAccess = { kind: 'access_token', token_id: access.token.id, ...places };
    const nowhere = { token_id: null, grant_id: null, client_id: null, client_name: null };
    expect(status).toBe(200);
    expect(results).toEqual([
      { ...ofAccess, outcome: 'revoked' },
      { ...ofAccess, outcome: 'dead_already' },
      { kind: 'refresh_token', token_id: refresh.token.id, ...places, outcome: 'revoked' },
      { kind: null, outcome: 'unknown', ...nowhere },
      { kind: 'operator_key', outcome: 'revoked', ...nowhere },
    ]);
    const dead = await service.call('sandbox', '/operator/users', {
      headers: { authorization: `Bearer ${operator_key}` },
    });
    expect(dead.status).toBe(401);
    const reported = (await (await written()).audit('leak.reported')).filter(
      ({ actor_type }) => actor_type === 'operator',
    );
    expect(reported).toHaveLength(5);
    expect(reported[0]).toMatchObject({
      reason: 'reported as leaked',
      details: { source: 'a public repository', note: 'seen twice' },
    });
    const everything = JSON.stringify(reported) + service.logLines.join('');
    for (const token of tokens.filter((token) => token !== 'garbage'))
      expect(everything).not.toContain(token);
  });

  it('stays valid if it is the last operator key, and the answer says so', async () => {
    const { results } = await reportToOperator([service.quickstart.sandbox.operator_key]);
    expect(results).toMatchObject([{ kind: 'operator_key', outcome: 'kept' }]);
    expect((await service.operate('sandbox', '/operator/users')).status).toBe(200);
  });

  it('can be reported 60 times a minute from one address, known or not', async () => {
    service.clock.advanceSeconds(60);
    for (let index = 0; index < 60; index += 1) expect((await report('garbage')).status).toBe(200);
    const { status, body, headers } = await report('garbage');
    expect([status, body.error, headers.get('retry-after')]).toEqual([429, 'too_many_requests', '60']);
    service.clock.advanceSeconds(60);
    expect((await report('garbage')).status).toBe(200);
  });

  it.each([{}, { token: '' }, { token: 7 }, { token: 'x', tokens: [] }, []])(
    'requires a token: %j',
    async (body) => {
      const answer = await calls.send('/v1/oauth2/report-leak', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'service-version': next },
        body: JSON.stringify(body),
      });
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );
});
