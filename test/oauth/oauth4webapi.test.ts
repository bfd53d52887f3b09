import * as oauth from 'oauth4webapi';
import { beforeAll, expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { useTestService } from '../support/service/test-service.ts';

/** A third-party client library that checks every answer. The service uses plain HTTP here, and its own clock. */
onPostgresFirst('oauth4webapi', (engine) => {
  const service = useTestService(engine);
  const http = { [oauth.allowInsecureRequests]: true };
  let server: oauth.AuthorizationServer;
  let client: oauth.Client;
  let secret: string;
  const inForm = () => oauth.ClientSecretPost(secret);
  const inHeader = () => oauth.ClientSecretBasic(secret);

  beforeAll(async () => {
    const issuer = new URL(service.urls.sandbox);
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const response = await oauth.discoveryRequest(issuer, { algorithm, ...http });
      server = await oauth.processDiscoveryResponse(issuer, response);
    }
    const skewSeconds = Math.round((service.clock.now().getTime() - Date.now()) / 1000);
    client = { client_id: service.quickstart.sandbox.client_id, [oauth.clockSkew]: skewSeconds };
    secret = service.quickstart.sandbox.client_secret;
  });

  async function introspected(token: string) {
    const response = await oauth.introspectionRequest(server, client, inForm(), token, http);
    return oauth.processIntrospectionResponse(server, client, response);
  }

  async function signIn() {
    const nonce = oauth.generateRandomNonce();
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const codeChallenge = await oauth.calculatePKCECodeChallenge(codeVerifier);
    const { code, user } = await signInDemoUser(service, { nonce, codeChallenge });
    const state = oauth.generateRandomState();
    const answer = new URL(`${REDIRECT_URI}?${new URLSearchParams({ code, state, iss: server.issuer })}`);
    const parameters = oauth.validateAuthResponse(server, client, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      inHeader(),
      parameters,
      REDIRECT_URI,
      codeVerifier,
      http,
    );
    const expected = { expectedNonce: nonce, maxAge: 60, requireIdToken: true };
    // Its claims are checked here, its signature below.
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, expected);
    await oauth.validateApplicationLevelSignature(server, response, http);
    return { tokens, user };
  }

  it('gets a token for a client itself, with the secret in the header and in the form', async () => {
    for (const authentication of [inHeader(), inForm()]) {
      const parameters = new URLSearchParams({ scope: 'products:read' });
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authentication,
        parameters,
        http,
      );
      const tokens = await oauth.processClientCredentialsResponse(server, client, response);
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: 'products:read' });
      expect(await introspected(tokens.access_token)).toMatchObject({
        active: true,
        sub_type: 'organization',
      });
    }
  });

  it('signs a user in: code with PKCE, an id_token that the published keys prove, userinfo', async () => {
    const { tokens, user } = await signIn();
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    expect(claims).toMatchObject({ iss: server.issuer, sub: user.id, aud: client.client_id });
    const response = await oauth.userInfoRequest(server, client, tokens.access_token, http);
    expect(await oauth.processUserInfoResponse(server, client, user.id, response)).toEqual({
      sub: user.id,
      name: user.name,
      email: user.email,
      email_verified: false,
    });
  });

  it('refreshes, introspects and revokes; a revoked token is inactive', async () => {
    const { tokens: first } = await signIn();
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      inHeader(),
      first.refresh_token ?? '',
      http,
    );
    const second = await oauth.processRefreshTokenResponse(server, client, response);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await introspected(second.access_token)).toMatchObject({
      active: true,
      token_type: 'access_token',
      iss: server.issuer,
      aud: client.client_id,
    });
    const revocation = await oauth.revocationRequest(
      server,
      client,
      inForm(),
      second.refresh_token ?? '',
      http,
    );
    await oauth.processRevocationResponse(revocation);
    for (const token of [first.access_token, second.access_token, second.refresh_token ?? ''])
      expect(await introspected(token)).toEqual({ active: false });
  });

  it('understands the errors for a wrong secret and for a used refresh token', async () => {
    const wrong = oauth.ClientSecretBasic('wrong');
    const refused = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      wrong,
      new URLSearchParams(),
      http,
    );
    await expect(oauth.processClientCredentialsResponse(server, client, refused)).rejects.toMatchObject({
      name: 'WWWAuthenticateChallengeError',
      status: 401,
    });
    const unknown = await oauth.refreshTokenGrantRequest(server, client, inForm(), 'x', http);
    await expect(oauth.processRefreshTokenResponse(server, client, unknown)).rejects.toMatchObject({
      name: 'ResponseBodyError',
      status: 400,
      error: 'invalid_grant',
    });
  });
});
