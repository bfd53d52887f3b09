import * as oauth from 'oauth4webapi';
import { expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

// Plain HTTP is for tests only.
const http = { [oauth.allowInsecureRequests]: true };

describeInLongRuns('oauth4webapi, with HTTP Basic everywhere', () => {
  const { addClient } = useReleasedService();

  it('gets a token for a client itself, introspects and revokes it', async () => {
    const replacing = {
      'discoveryRequest(issuer)': 'discoveryRequest(issuer, { [oauth.allowInsecureRequests]: true })',
    };
    const values = { ...(await addClient()), replacing };
    const { server, client, authentication } = await runBlock('oauth4webapi', values);
    const asked = new URLSearchParams({ scope: 'products:read' });
    const answer = await oauth.clientCredentialsGrantRequest(server, client, authentication, asked, http);
    const { access_token } = await oauth.processClientCredentialsResponse(server, client, answer);
    const introspected = async () => {
      const told = await oauth.introspectionRequest(server, client, authentication, access_token, http);
      return oauth.processIntrospectionResponse(server, client, told);
    };
    expect(await introspected()).toMatchObject({ active: true });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, access_token, http),
    );
    expect(await introspected()).toEqual({ active: false });
  });
});
