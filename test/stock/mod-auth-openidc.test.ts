import { request } from 'undici';
import { expect, it } from 'vitest';
import { createVisitor, type Sender } from '../support/http/visitor.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';
import { startApache } from './apache.ts';
import { itProtectsAnApi } from './apache-resource-server.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { atTimeOf } from './start-program.ts';

describeInLongRunsWith('modAuthOpenidc', 'mod_auth_openidc, with its defaults', (path) => {
  const released = useReleasedService();
  const { service, addClient, isActive } = released;
  const { addUser, visitor, signIn, allow } = authorization(service);

  type Metadata = Parameters<typeof addClient>[0];

  /** An Apache whose visitors sign in at the service, in front of an application. */
  async function protect(metadata: Metadata, further = '') {
    const app = await startReceiver();
    let client = { url: '', clientId: '', clientSecret: '' };
    const config = async (own: string) => {
      client = await addClient({ ...metadata, redirectUris: [`${own}/protected/callback`] });
      const replacing = { 'https://app.example.com': own };
      return `${documentedBlock('apache', 'mod_auth_openidc', { ...client, replacing })}\n${further}`;
    };
    const env = atTimeOf(service);
    const url = await startApache({ path, module: 'auth_openidc', config, appPort: app.port, env });
    return { app, url, client, browser: createVisitor(url, navigate) };
  }

  it.each([
    { idTokenAlgorithm: 'ES256', requiresPkce: false, further: '' },
    { idTokenAlgorithm: 'RS256', requiresPkce: true, further: 'OIDCPKCEMethod S256' },
  ] as const)(
    'signs a person in: $idTokenAlgorithm, PKCE $requiresPkce',
    async ({ further, ...metadata }) => {
      const { app, url, client, browser } = await protect(metadata, further);
      const { email, id } = await addUser();
      const person = visitor();
      const sent = await browser.visit('/protected/page');
      const { url: back } = await allow(person, await signIn(person, await person.visit(sent.url), email));
      const page = await browser.visit(back);
      expect([page.status, page.url]).toEqual([200, `${url}/protected/page`]);
      const [request] = app.requests;
      expect(request?.headers).toMatchObject({
        oidc_claim_sub: id,
        oidc_claim_name: 'Ada',
        oidc_claim_email: email,
      });
      const token = String(request?.headers.oidc_access_token);
      expect(await isActive(token, client)).toBe(true);
      await browser.visit(`/protected/callback?logout=${encodeURIComponent(`${url}/bye`)}`);
      expect(await isActive(token, client)).toBe(false);
      expect((await browser.visit('/protected/page')).url).toMatch(
        `${service.urls.sandbox}/v1/oauth2/authorize?`,
      );
    },
  );

  itProtectsAnApi(released, {
    path,
    module: 'auth_openidc',
    block: 'mod_auth_openidc as a resource server',
    uncached: 'OIDCOAuthTokenIntrospectionInterval -1',
    claimPrefix: 'oidc_claim_',
    caLine: (file) => `OIDCCABundlePath ${file}`,
  });
});

const BROWSER = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** As a browser opens a page. `fetch` says that it is a script, and a script is not sent to sign in. */
const navigate: Sender = async (url, { headers }) => {
  const answer = await request(url, { headers: { ...BROWSER, ...headers } });
  const received = new Headers();
  for (const [name, value = []] of Object.entries(answer.headers))
    for (const one of [value].flat()) received.append(name, one);
  return new Response(await answer.body.text(), { status: answer.statusCode, headers: received });
};
