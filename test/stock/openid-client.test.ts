import * as openid from 'openid-client';
import { expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

describeInLongRuns('openid-client, with its defaults', () => {
  const { addClient, comeBack, callback } = useReleasedService();
  const configure = async (client: Awaited<ReturnType<typeof addClient>>): Promise<openid.Configuration> => {
    const { config } = await runBlock('openid-client', {
      ...client,
      // Plain HTTP is for tests only.
      replacing: {
        'import { discovery }': 'import { allowInsecureRequests, discovery }',
        "'dl_cs_…')": "'dl_cs_…', undefined, { execute: [allowInsecureRequests] })",
      },
    });
    return config;
  };

  it('gets a token for a client itself, introspects and revokes it', async () => {
    const config = await configure(await addClient());
    const { access_token } = await openid.clientCredentialsGrant(config, { scope: 'products:read' });
    expect(await openid.tokenIntrospection(config, access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(config, access_token);
    expect(await openid.tokenIntrospection(config, access_token)).toEqual({ active: false });
  });

  it('signs a person in with PKCE, and without it where the client was registered so', async () => {
    for (const requiresPkce of [true, false]) {
      const config = await configure(await addClient({ requiresPkce }));
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const challenge = {
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      };
      const asked = { redirect_uri: callback, scope: 'products:read', ...(requiresPkce ? challenge : {}) };
      const back = await comeBack(openid.buildAuthorizationUrl(config, asked).href);
      const { access_token } = await openid.authorizationCodeGrant(
        config,
        back,
        requiresPkce ? { pkceCodeVerifier } : {},
      );
      expect(await openid.tokenIntrospection(config, access_token)).toMatchObject({ sub_type: 'user' });
    }
  });
});
