import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newCheckedSecret } from '../../src/kernel/checked-secret.ts';
import { grantToUser } from '../../src/oauth/grants/grants.ts';
import { issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { newProduct } from '../support/contracts/products.ts';
import { fieldsOf } from '../support/http/visitor.ts';
import { authorization, PASSWORD } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { type Cast, createCast } from '../support/oauth/oauth-cast.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { next } from '../support/service/build-versions.ts';
import { metricOf } from '../support/service/metric-of.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';
import { writtenReader } from '../support/service/written-reader.ts';

type Answer = { status: number };

/** A way by which access ends. What it prepares is called twice, and the second call finds the access ended. */
interface Way {
  /** The statuses of the two calls. */
  answers: readonly [number, number];
  prepare(): Promise<() => Promise<Answer>>;
}

describe('nodes that read from standbys', () => {
  const service = useTestService('PostgreSQL');
  const calls = oauthCalls(service);
  const { addClient, signedIn } = authorization(service);
  const waits = () => metricOf(service.urls.sandbox, 'dateline_readers_waits_total');
  const reader = writtenReader(() => service.database('sandbox'), { waits });
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(service);
    await waits();
    // A wait ends by the reader, however slow the machine is, and not by the time.
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterAll(() => void vi.useRealTimers());
  afterEach(() => reader.leave());

  const operate = (method: string, path: string, body?: unknown) =>
    service.operate('sandbox', `/operator/${path}`, { method, body });

  /** As `operate`, where nothing but success will do. */
  async function operated(method: string, path: string, body?: unknown) {
    const response = await operate(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: answers are read here as any caller would.
    return (text === '' ? null : JSON.parse(text)) as any;
  }

  const sendJson = (method: string, path: string, body: unknown, bearer?: string) =>
    calls.send(path, {
      method,
      headers: {
        'content-type': 'application/json',
        'service-version': next,
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });

  const revoke = async (token: string) => calls.revoke({ ...cast.A.credentials, token });
  const newOrganization = (name: string) => operated('POST', 'organizations', { name });

  async function newClient(change: object = {}) {
    const { id: organization_id } = await newOrganization('Clients');
    return operated('POST', 'clients', { organization_id, name: 'Made', kind: 'confidential', ...change });
  }

  async function newMember() {
    const { id: organizationId } = await newOrganization('Members');
    const email = `${newCheckedSecret('u')}@example.com`;
    const { id: userId } = await operated('POST', 'users', { email, name: 'Ada', password: PASSWORD });
    await operated('POST', `organizations/${organizationId}/members`, { user_id: userId });
    return { userId, organizationId };
  }

  async function newRegistration() {
    const metadata = { client_name: 'Registered', grant_types: ['client_credentials'] };
    const { status, text, body } = await sendJson('POST', '/v1/oauth2/register', metadata);
    if (status !== 201) throw new Error(text);
    const { client_id, registration_access_token: token } = body;
    return { client_id, metadata, path: `/v1/oauth2/register/${client_id}`, token };
  }

  async function refreshed(refresh_token: string): Promise<string> {
    const { status, text, body } = await calls.token({
      ...cast.A.credentials,
      grant_type: 'refresh_token',
      refresh_token,
    });
    if (status !== 200) throw new Error(text);
    return body.refresh_token;
  }

  const exchange = (form: Record<string, string>) =>
    calls.token({ grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, ...form });

  const byClients: Record<string, Way> = {
    'revokes an access token': {
      answers: [200, 200],
      async prepare() {
        const { access } = await cast.tokensOf(cast.A);
        return () => revoke(access);
      },
    },
    'revokes a refresh token': {
      answers: [200, 200],
      async prepare() {
        const { refresh } = await cast.tokensOf(cast.A);
        return () => revoke(refresh);
      },
    },
    'revokes a token that is not known': {
      answers: [200, 200],
      async prepare() {
        const unknown = newCheckedSecret('dl_test_at_');
        return () => revoke(unknown);
      },
    },
    'revokes in bulk': {
      answers: [200, 200],
      async prepare() {
        const { credentials, client, user } = await createCaller(service);
        expect(client.id).not.toBe(cast.A.client.id);
        return () => sendJson('POST', '/v1/oauth2/revocations', { ...credentials, subject: user.id });
      },
    },
    'uses a refresh token again, whose successor was used': {
      answers: [400, 400],
      async prepare() {
        const { refresh } = await cast.tokensOf(cast.A);
        await refreshed(await refreshed(refresh));
        service.clock.advanceSeconds(700);
        // By now the metrics measure the backlog anew, which would wait for the reader too.
        await waits();
        return () =>
          calls.token({ ...cast.A.credentials, grant_type: 'refresh_token', refresh_token: refresh });
      },
    },
    'uses a refresh token of a grant that has ended': {
      answers: [400, 400],
      async prepare() {
        const { grant, refresh } = await cast.tokensOf(cast.A);
        await operated('POST', `grants/${grant.id}/revoke`, {});
        return () =>
          calls.token({ ...cast.A.credentials, grant_type: 'refresh_token', refresh_token: refresh });
      },
    },
    'uses a code again, without its verifier': {
      answers: [400, 400],
      async prepare() {
        const { code, codeVerifier } = await signInDemoUser(service);
        const { status, text } = await exchange({ code, code_verifier: codeVerifier });
        if (status !== 200) throw new Error(text);
        return () => exchange({ code, code_verifier: codeVerifier.replaceAll(/[a-z]/g, 'x') });
      },
    },
    'ends the grant of another client, in the name of their user': {
      answers: [204, 404],
      async prepare() {
        const { sandbox, user, organization } = cast;
        const managing = {
          client: await addClient({ scopes: sandbox.scopes.all }),
          userId: user.id,
          organizationIds: [organization.id],
          scopes: ['grants:manage'],
        } as const;
        const { tokenValue } = await issueAccessToken(sandbox, await grantToUser(sandbox, managing));
        const { grant } = await cast.tokensOf(cast.A);
        return () => sendJson('DELETE', `/v1/oauth2/grants/${grant.id}`, null, tokenValue);
      },
    },
    'replaces its registration by one with fewer scopes': {
      answers: [200, 200],
      async prepare() {
        const { client_id, metadata, path, token } = await newRegistration();
        return () => sendJson('PUT', path, { ...metadata, client_id, scope: 'products:read' }, token);
      },
    },
    'deletes its registration': {
      answers: [204, 401],
      async prepare() {
        const { path, token } = await newRegistration();
        return () => sendJson('DELETE', path, null, token);
      },
    },
  };

  const reported: Record<string, Way> = {
    'an access token': {
      answers: [200, 200],
      async prepare() {
        const { access } = await cast.tokensOf(cast.A);
        return () => sendJson('POST', '/v1/oauth2/report-leak', { token: access });
      },
    },
    'a refresh token': {
      answers: [200, 200],
      async prepare() {
        const { refresh } = await cast.tokensOf(cast.A);
        return () => sendJson('POST', '/v1/oauth2/report-leak', { token: refresh });
      },
    },
    'the secret of a client': {
      answers: [200, 200],
      async prepare() {
        const { client_secret: token } = await newClient();
        return () => sendJson('POST', '/v1/oauth2/report-leak', { token });
      },
    },
    'what is no secret of ours': {
      answers: [200, 200],
      prepare: async () => () => sendJson('POST', '/v1/oauth2/report-leak', { token: 'nonsense' }),
    },
    'a token, to an operator': {
      answers: [200, 200],
      async prepare() {
        const { refresh } = await cast.tokensOf(cast.A);
        return () => operate('POST', 'leaks', { tokens: [refresh], source: 'a public repository' });
      },
    },
  };

  const byOperators: Record<string, Way> = {
    'disables a client': {
      answers: [200, 200],
      async prepare() {
        const { id } = await newClient();
        return () => operate('POST', `clients/${id}/disable`);
      },
    },
    'deletes a client': {
      answers: [204, 404],
      async prepare() {
        const { id } = await newClient();
        return () => operate('DELETE', `clients/${id}`);
      },
    },
    'takes a scope away from a client': {
      answers: [200, 200],
      async prepare() {
        const { id } = await newClient();
        return () => operate('PATCH', `clients/${id}`, { scopes: ['products:read'] });
      },
    },
    'takes its audience away from a resource server': {
      answers: [200, 200],
      async prepare() {
        const kind = 'resource_server';
        const { id } = await newClient({ kind, audiences: ['https://one.test', 'https://two.test'] });
        return () => operate('PATCH', `clients/${id}`, { audiences: ['https://one.test'] });
      },
    },
    'revokes a secret of a client': {
      answers: [200, 404],
      async prepare() {
        const { id, secret_id } = await newClient();
        return () => operate('POST', `clients/${id}/secrets/${secret_id}/revoke`, {});
      },
    },
    'rotates the secrets of a client, so that its oldest ends': {
      answers: [200, 200],
      async prepare() {
        const { id } = await newClient();
        await operated('POST', `clients/${id}/rotate-secret`, {});
        return () => operate('POST', `clients/${id}/rotate-secret`, {});
      },
    },
    'removes a member from an organization': {
      answers: [204, 404],
      async prepare() {
        const { userId, organizationId } = await newMember();
        return () => operate('DELETE', `organizations/${organizationId}/members/${userId}`);
      },
    },
    'blocks a user': {
      answers: [200, 200],
      async prepare() {
        const { userId } = await newMember();
        return () => operate('POST', `users/${userId}/block`);
      },
    },
    'deletes a user': {
      answers: [204, 404],
      async prepare() {
        const { userId } = await newMember();
        return () => operate('DELETE', `users/${userId}`);
      },
    },
    'suspends an organization': {
      answers: [200, 200],
      async prepare() {
        const { id } = await newOrganization('Suspended');
        return () => operate('POST', `organizations/${id}/suspend`);
      },
    },
    'deletes an organization, with its clients': {
      answers: [204, 404],
      async prepare() {
        const { organization_id } = await newClient();
        return () => operate('DELETE', `organizations/${organization_id}`);
      },
    },
    'ends a grant': {
      answers: [204, 404],
      async prepare() {
        const { grant } = await cast.tokensOf(cast.A);
        return () => operate('POST', `grants/${grant.id}/revoke`, {});
      },
    },
    'ends a token': {
      answers: [204, 404],
      async prepare() {
        const { accessToken } = await cast.tokensOf(cast.A);
        return () => operate('POST', `tokens/${accessToken.id}/revoke`, {});
      },
    },
    'revokes all tokens of a client': {
      answers: [200, 200],
      async prepare() {
        await cast.tokensOf(cast.P);
        return () => operate('POST', 'tokens/revoke', { client_id: cast.P.client.id });
      },
    },
    'revokes the tokens of a client from before a time': {
      answers: [200, 200],
      async prepare() {
        await cast.tokensOf(cast.P);
        const issued_before = service.clock.now().toISOString();
        return () => operate('POST', 'tokens/revoke', { client_id: cast.P.client.id, issued_before });
      },
    },
  };

  const byUsers: Record<string, Way> = {
    'removes the access of an application': {
      answers: [200, 200],
      async prepare() {
        const browser = await signedIn(cast.user.email);
        await cast.tokensOf(cast.A);
        const form = fieldsOf(await browser.visit('/account/grants'), '/account/grants');
        return () => browser.post('/account/grants', form);
      },
    },
  };

  async function isHeldBackTwice({ answers, prepare }: Way): Promise<void> {
    const call = await prepare();
    const [first, again] = [await reader.heldBack(call), await reader.heldBack(call)];
    expect([first.status, again.status]).toEqual(answers);
  }

  it.each(Object.entries(byClients))(
    'are waited for when a client %s, and when it does so again',
    (_title, way) => isHeldBackTwice(way),
  );
  it.each(Object.entries(reported))(
    'are waited for when somebody reports as leaked %s, and when they do so again',
    (_title, way) => isHeldBackTwice(way),
  );
  it.each(Object.entries(byOperators))(
    'are waited for when an operator %s, and does so again',
    (_title, way) => isHeldBackTwice(way),
  );
  it.each(Object.entries(byUsers))('are waited for when a user %s, and does so again', (_title, way) =>
    isHeldBackTwice(way),
  );

  it('are waited for by any other change, since it does not say that it ends no access', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const create = () => sendJson('POST', '/v1/products/', newProduct, access);
    expect((await reader.heldBack(create)).status).toBe(201);
  });

  it('are not waited for by what gives access or reads', async () => {
    const { credentials } = cast.A;
    const { access, refresh } = await cast.tokensOf(cast.A);
    const { code, codeVerifier } = await signInDemoUser(service);
    const dead = await cast.tokensOf(cast.A);
    await revoke(dead.refresh);
    const bearer = { headers: { authorization: `Bearer ${access}` } };
    const free: Record<string, () => Promise<Answer>> = {
      'a token for a client itself': () => calls.token({ ...credentials, grant_type: 'client_credentials' }),
      'a refresh token that is used for the first time': () =>
        calls.token({ ...credentials, grant_type: 'refresh_token', refresh_token: refresh }),
      'a code that is used for the first time': () => exchange({ code, code_verifier: codeVerifier }),
      'an introspection': () => calls.introspect({ ...credentials, token: access }),
      'an introspection of what has ended': () => calls.introspect({ ...credentials, token: dead.access }),
      'many introspections': () =>
        sendJson('POST', '/v1/oauth2/introspections', { ...credentials, tokens: [access, dead.access] }),
      'a list': () => calls.send('/v1/organizations/', bearer),
      'what an operator reads': () => operate('GET', `clients/${cast.A.client.id}`),
      'a count of what would be revoked': () =>
        operate('POST', 'tokens/revoke', { client_id: cast.P.client.id, dry_run: true }),
    };
    const inTurn = async () => {
      const answers: Record<string, number> = {};
      for (const [what, call] of Object.entries(free)) answers[what] = (await call()).status;
      return answers;
    };
    const expected = Object.fromEntries(Object.keys(free).map((what) => [what, 200]));
    expect(await reader.notHeldBack(inTurn)).toEqual(expected);
  });

  it('are not waited for once their row is gone', async () => {
    await reader.leave();
    const before = await waits();
    const { access, refresh } = await cast.tokensOf(cast.A);
    for (const token of [access, refresh, access]) expect((await revoke(token)).status).toBe(200);
    expect((await operate('POST', `clients/${(await newClient()).id}/disable`)).status).toBe(200);
    expect(await waits()).toBe(before);
  });

  it('keep an end of access from success while it cannot be read who they are: it is answered 503', async () => {
    const { grant, access, accessToken } = await cast.tokensOf(cast.A);
    const ends: Record<string, () => Promise<Answer>> = {
      'a revocation': () => revoke(access),
      'the same again': () => revoke(access),
      'an end by an operator': () => operate('POST', `grants/${grant.id}/revoke`, {}),
      'a refusal of one': () => operate('POST', `tokens/${accessToken.id}/revoke`, {}),
    };
    const answers: Record<string, number> = {};
    await putOutOfOrder();
    try {
      for (const [what, call] of Object.entries(ends)) answers[what] = (await call()).status;
    } finally {
      await putInOrder();
    }
    expect(answers).toEqual(Object.fromEntries(Object.keys(ends).map((what) => [what, 503])));
    expect((await revoke(access)).status).toBe(200);
  });

  /** Whoever reads the leases is told that the server lacks memory. */
  async function putOutOfOrder(): Promise<void> {
    await asOwner(
      `alter table {schema}.standby_leases rename to standby_leases_kept;
       create function {schema}.out_of_order() returns boolean language plpgsql volatile as
         $$ begin raise exception 'out of memory' using errcode = '53200'; end $$;
       create view {schema}.standby_leases as
         select node_id, standby, renewal, shown from {schema}.standby_leases_kept
         union all select '', '', 0, 0 where {schema}.out_of_order()`,
    );
  }

  const putInOrder = () =>
    asOwner(
      `drop view {schema}.standby_leases;
       drop function {schema}.out_of_order();
       alter table {schema}.standby_leases_kept rename to standby_leases`,
    );

  async function asOwner(script: string): Promise<void> {
    await (await service.database('sandbox')).migration((session) => session.script(script));
  }
});
