import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { addMember } from '../../../src/identity/members.ts';
import { createOrganization } from '../../../src/identity/organizations.ts';
import { createUser } from '../../../src/identity/users.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../../src/oauth/clients/authentication/client-secrets.ts';
import { createClient, type NewClient } from '../../../src/oauth/clients/clients/clients.ts';
import { createVisitor, type Form, type Visited, type Visitor } from '../http/visitor.ts';
import { answered } from '../run/answered.ts';
import { serviceEnvironment } from '../service/service-environment.ts';
import type { TestService } from '../service/test-service.ts';

export const CALLBACK = 'https://app.test/callback';
export const PASSWORD = 'correct horse battery';

export function createPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** People, clients and the calls between them, in the sandbox of a service. */
export function authorization(service: TestService) {
  const environment = () => serviceEnvironment(service);

  async function addUser(organizationNames: readonly string[] = ['Acme']) {
    const context = await environment();
    const email = `${randomUUID()}@example.com`;
    const user = await createUser(context, { email, name: 'Ada', password: PASSWORD });
    const organizations = [];
    for (const name of organizationNames) {
      const organization = await createOrganization(context, { name });
      await addMember(context, { organizationId: organization.id, userId: user.id });
      organizations.push(organization);
    }
    return { ...user, organizations };
  }

  async function addClient(change: Partial<NewClient> = {}) {
    const context = await environment();
    const organization = await createOrganization(context, { name: 'Makers' });
    const client = await createClient(context, {
      organizationId: organization.id,
      name: 'Client',
      kind: 'confidential',
      allowedGrants: ['authorization_code', 'refresh_token'],
      scopes: context.scopes.usual,
      redirectUris: [CALLBACK],
      audiences: [],
      ...change,
    });
    const secret = newClientSecretValue(context);
    if (client.kind !== 'public')
      await storeClientSecret(context, { clientId: client.id, secretValue: secret });
    const credentials: Form =
      client.kind === 'public' ? { client_id: client.id } : { client_id: client.id, client_secret: secret };
    return { ...client, credentials };
  }

  const visitor = (): Visitor => createVisitor(service.urls.sandbox);

  async function signIn(
    browser: Visitor,
    page: Visited,
    email: string,
    password = PASSWORD,
  ): Promise<Visited> {
    return browser.submit(page, '/account/sign-in', { email, password });
  }

  /** A browser with a signed-in session. */
  async function signedIn(email: string): Promise<Visitor> {
    const browser = visitor();
    await signIn(browser, await browser.visit('/account/sign-in'), email);
    return browser;
  }

  const allow = (browser: Visitor, page: Visited, fields: Form = {}): Promise<Visited> =>
    browser.submit(page, '/account/consent', { decision: 'allow', ...fields });

  /** The whole flow: sign in, allow, and exchange the code. */
  async function obtainTokens(
    client: Pick<Awaited<ReturnType<typeof addClient>>, 'credentials'> & { id: string },
    email: string,
    parameters: Form = {},
    headers: Form = {},
    chosen: Form = {},
  ) {
    const { verifier, challenge } = createPkce();
    const browser = await signedIn(email);
    const page = await browser.visit(authorizePath(client.id, { code_challenge: challenge, ...parameters }));
    const { code = '' } = answerIn((await allow(browser, page, chosen)).url);
    const redirect_uri = parameters.redirect_uri ?? CALLBACK;
    const form = { ...client.credentials, code, redirect_uri, code_verifier: verifier };
    return { browser, code, verifier, ...(await exchange(form, headers)) };
  }

  async function exchange(form: Form, headers: Form = {}) {
    const response = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'authorization_code', ...form }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
    const body = (await response.json()) as any;
    return answered({ status: response.status, body }, 'the exchange of a code');
  }

  return { environment, addUser, addClient, visitor, signIn, signedIn, allow, obtainTokens, exchange };
}

/** The path of a valid request, unless changed; an empty text leaves a parameter out. */
export function authorizePath(clientId: string, change: Form = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'openid products:read',
    state: 'the state',
    code_challenge: createPkce().challenge,
    code_challenge_method: 'S256',
    ...change,
  };
  const kept = Object.entries(parameters).filter(([, value]) => value !== '');
  return `/v1/oauth2/authorize?${new URLSearchParams(Object.fromEntries(kept))}`;
}

/** The parameters of the redirect to the client. */
export function answerIn(url: string): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams);
}
