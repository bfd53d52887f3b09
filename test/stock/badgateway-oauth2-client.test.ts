import { expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

describeInLongRuns('@badgateway/oauth2-client, with its defaults', () => {
  const { addClient, comeBack, callback } = useReleasedService();

  it('gets a token for a client itself, introspects and revokes it', async () => {
    const { client } = await runBlock('@badgateway/oauth2-client', await addClient());
    const token = await client.clientCredentials({ scope: ['products:read'] });
    expect(await client.introspect(token)).toMatchObject({ active: true, scope: 'products:read' });
    await client.revoke(token);
    expect(await client.introspect(token)).toEqual({ active: false });
  });

  it('signs a person in without PKCE', async () => {
    const { client } = await runBlock('@badgateway/oauth2-client', await addClient({ requiresPkce: false }));
    const asked = { redirectUri: callback, state: 'kept', scope: ['products:read'] };
    const back = await comeBack(await client.authorizationCode.getAuthorizeUri(asked));
    const token = await client.authorizationCode.getTokenFromCodeRedirect(back, {
      redirectUri: callback,
      state: 'kept',
    });
    expect(await client.introspect(token)).toMatchObject({ active: true, sub_type: 'user' });
  });
});
