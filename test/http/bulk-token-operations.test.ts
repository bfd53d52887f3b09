import { expect, it } from 'vitest';
import { newCheckedSecret } from '../../src/kernel/checked-secret.ts';
import { createClientThrottle } from '../../src/oauth/clients/authentication/admit-client.ts';
import { grantToUser } from '../../src/oauth/grants/grants.ts';
import { createBatchIntrospector } from '../../src/oauth/tokens/introspect-batch.ts';
import { issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { next } from '../support/service/build-versions.ts';
import { createCaller, serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('many tokens in one request', (engine) => {
  const service = useTestService(engine);
  const calls = oauthCalls(service);
  const post = (operation: string, body: unknown, headers: Record<string, string> = {}) =>
    calls.send(`/v1/oauth2/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': next, ...headers },
      body: JSON.stringify(body),
    });
  const invalidRequest = (detail: string) => ({ error: 'invalid_request', error_description: detail });

  it('introspects each token by the rules for one, in request order', async () => {
    const [own, other] = [await createCaller(service), await createCaller(service)];
    const server = await createCaller(service, { kind: 'resource_server', audiences: ['https://bulk.test'] });
    const environment = await serviceEnvironment(service);
    const { client, user, organization } = own;
    const forServer = await grantToUser(environment, {
      client,
      userId: user.id,
      organizationIds: [organization.id],
      scopes: ['products:read'],
      audience: 'https://bulk.test',
    });
    const made = await issueAccessToken(environment, forServer);
    const tokens = [
      own.access.tokenValue,
      newCheckedSecret('dl_test_at_'),
      other.access.tokenValue,
      own.refresh.tokenValue,
      'garbage\u0000',
      made.tokenValue,
      own.access.tokenValue,
    ];
    for (const { credentials } of [own, other, server]) {
      const { status, headers, body } = await post('introspections', { ...credentials, tokens });
      expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([
        200,
        'no-store',
        'no-cache',
      ]);
      const single = await Promise.all(
        tokens.map(
          async (token) => (await calls.introspect({ ...credentials, token: encodeURI(token) })).body,
        ),
      );
      expect(body).toEqual({ introspections: single });
    }
    const seen = await post('introspections', { ...own.credentials, tokens });
    expect(seen.body.introspections.map(({ active }: { active: boolean }) => active)).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  /** An introspector of several tokens; `atOnce` says of each statement how many were running as it began. */
  async function watchedIntrospector() {
    const environment = await serviceEnvironment(service);
    const atOnce: number[] = [];
    let running = 0;
    const run = async <Row>(...asked: Parameters<typeof environment.session.run>): Promise<Row[]> => {
      running += 1;
      atOnce.push(running);
      try {
        return await environment.session.run<Row>(...asked);
      } finally {
        running -= 1;
      }
    };
    const introspect = createBatchIntrospector(
      { ...environment, session: { ...environment.session, run } },
      { throttle: createClientThrottle(service.clock), noteUse() {} },
    );
    return { introspect, atOnce, reads: environment.database.connections.reads };
  }

  const requestOf = ({ credentials }: Awaited<ReturnType<typeof createCaller>>) => ({
    clientId: credentials.client_id,
    clientSecret: credentials.client_secret,
    address: () => '',
    hasLeft: () => false,
  });

  it('introspects 100 tokens in one round trip', async () => {
    const caller = await createCaller(service);
    const { introspect, atOnce } = await watchedIntrospector();
    const answers = await introspect(requestOf(caller), Array(100).fill(caller.access.tokenValue));
    expect([answers.filter(({ active }) => active).length, atOnce]).toEqual([100, [1]]);
  });

  it('uses a quarter of the connections at most, however many calls are made at once', async () => {
    const caller = await createCaller(service);
    const { introspect, atOnce, reads } = await watchedIntrospector();
    const tokens = Array(10).fill(caller.access.tokenValue);
    await Promise.all(Array.from({ length: 50 }, () => introspect(requestOf(caller), tokens)));
    expect([atOnce.length, Math.max(...atOnce)]).toEqual([50, Math.max(1, Math.floor(reads / 4))]);
  });

  it('counts as usage of the client that asks, also where it revokes', async () => {
    const { credentials, access, user } = await createCaller(service);
    await post('introspections', { ...credentials, tokens: [access.tokenValue] });
    await post('revocations', { ...credentials, subject: user.id });
    const query = `client=${credentials.client_id}&group=operation`;
    const { items } = await (await service.operate('sandbox', `/operator/usage?${query}`)).json();
    expect(items).toMatchObject([
      { operation: 'oauth2:introspect_tokens', requests: 1 },
      { operation: 'oauth2:revoke_tokens', requests: 1 },
    ]);
  });

  it('counts a wrong secret once, however many tokens were asked for', async () => {
    const { credentials, access } = await createCaller(service);
    const tokens = Array(100).fill(access.tokenValue);
    const wrong = await post('introspections', { ...credentials, client_secret: 'wrong', tokens });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    expect((await post('introspections', { ...credentials, tokens })).status).toBe(200);
  });

  it('revokes a client’s tokens of one subject, counted first, and no other client’s', async () => {
    const [own, other] = [await createCaller(service), await createCaller(service)];
    const environment = await serviceEnvironment(service);
    const elsewhere = await grantToUser(environment, {
      client: other.client,
      userId: own.user.id,
      organizationIds: [],
      scopes: [],
    });
    const foreign = await issueAccessToken(environment, elsewhere);
    const body = { ...own.credentials, subject: own.user.id };
    const counted = { grants: 1, tokens: 2, next_cursor: null };
    expect((await post('revocations', { ...body, dry_run: true })).body).toEqual({
      dry_run: true,
      ...counted,
    });
    const revoked = await post('revocations', body);
    expect([revoked.status, revoked.body]).toEqual([200, { dry_run: false, ...counted }]);
    const isActive = async (caller: typeof own, token: string) =>
      (await calls.introspect({ ...caller.credentials, token })).body.active;
    expect(await isActive(own, own.access.tokenValue)).toBe(false);
    expect(await isActive(other, foreign.tokenValue)).toBe(true);
    const theirs = await post('revocations', { ...own.credentials, subject: other.user.id });
    expect(theirs.body).toMatchObject({ grants: 0, tokens: 0 });
    expect(await isActive(other, other.access.tokenValue)).toBe(true);
  });

  it('revokes by organization only tokens that reach it, even if the client is that organization’s own', async () => {
    const own = await createCaller(service);
    const environment = await serviceEnvironment(service);
    const customer = await createCaller(service);
    const ofCustomer = await grantToUser(environment, {
      client: own.client,
      userId: customer.user.id,
      organizationIds: [customer.organization.id],
      scopes: ['products:read'],
    });
    await issueAccessToken(environment, ofCustomer);
    const body = { ...own.credentials, dry_run: true };
    const count = async (organization_id: string) =>
      (await post('revocations', { ...body, organization_id })).body.tokens;
    expect([await count(own.organization.id), await count(customer.organization.id)]).toEqual([2, 1]);
  });

  it('revokes all tokens issued before an instant', async () => {
    const own = await createCaller(service);
    service.clock.advanceSeconds(1);
    const issued_before = service.clock.now().toISOString();
    const { body } = await post('revocations', { ...own.credentials, issued_before });
    expect(body).toMatchObject({ grants: 1, tokens: 2 });
    const later = await issueAccessToken(await serviceEnvironment(service), own.grant);
    const introspected = await post('introspections', {
      ...own.credentials,
      tokens: [own.access.tokenValue, later.tokenValue],
    });
    expect(introspected.body.introspections).toMatchObject([{ active: false }, { active: true }]);
  });

  it.each([
    ['introspections', { tokens: [] }, 'tokens must not have fewer than 1 items.'],
    ['introspections', { tokens: Array(101).fill('x') }, 'tokens must not have more than 100 items.'],
    ['introspections', {}, 'tokens is missing.'],
    ['introspections', { tokens: ['x'], token: 'x' }, 'token is not a field of this request.'],
    ['revocations', {}, 'Name at least one of subject, organization_id and issued_before.'],
    ['revocations', { dry_run: true }, 'Name at least one of subject, organization_id and issued_before.'],
    ['revocations', { isued_before: 'x' }, 'isued_before is not a field of this request.'],
    ['revocations', { subject: 'x' }, 'subject must be an id that begins with usr_ or org_.'],
    [
      'revocations',
      { issued_before: '2026-06-30T23:59:60Z' },
      'issued_before must be a time, such as 2027-01-06T17:00:00Z.',
    ],
    [
      'revocations',
      { subject: 'usr_0000000000000000000001', cursor: 'x' },
      'cursor must be the next_cursor of an earlier answer.',
    ],
  ])('answers invalid_request at %s for %j', async (operation, body, detail) => {
    const answer = await post(operation, { ...calls.demo(), ...body });
    expect([answer.status, answer.body]).toEqual([400, invalidRequest(detail)]);
  });

  it.each(['introspections', 'revocations'])(
    'answers 401 at %s without the right client secret',
    async (path) => {
      const subject = 'usr_0000000000000000000001';
      const fields = path === 'introspections' ? { tokens: ['x'] } : { subject };
      const { client_id, client_secret } = calls.demo();
      for (const credentials of [
        {},
        { client_id },
        { client_id, client_secret: 'wrong' },
        { client_id: 'nobody', client_secret },
        { client_id: '\u0000', client_secret },
      ]) {
        const { status, body } = await post(path, { ...credentials, ...fields });
        expect([status, body.error]).toEqual([401, 'invalid_client']);
      }
    },
  );

  it('accepts JSON only, and no secret in the query', async () => {
    const body = { ...calls.demo(), tokens: ['x'] };
    const form = await post('introspections', body, { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body.error]).toEqual([415, 'invalid_request']);
    const asked = await post('introspections?token=x', body);
    expect([asked.status, asked.body]).toEqual([
      400,
      invalidRequest('token belongs in the body, never in the URL.'),
    ]);
  });
});
