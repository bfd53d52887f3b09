import { expect, it } from 'vitest';
import { authorization } from '../support/authorization.ts';
import { describeInLongRunsWith } from '../support/needs.ts';
import { oauthCalls } from '../support/oauth-calls.ts';
import { startReceiver } from '../support/receivers.ts';
import { startApache } from './apache.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

const AUDIENCE = 'https://orders.example';

describeInLongRunsWith('modOauth2', 'mod_oauth2, with HTTP Basic', (path) => {
  const { service, addClient } = useReleasedService();
  const { token, revoke } = oauthCalls(service);

  /** An Apache as a resource server in front of an application that counts what gets through. */
  async function protect(replacing: Readonly<Record<string, string>> = {}) {
    const server = await addClient({ kind: 'resource_server', audiences: [AUDIENCE], allowedGrants: [] });
    const app = await startReceiver();
    const config = () => documentedBlock('apache', 'mod_oauth2', { ...server, replacing });
    const url = await startApache({ path, module: 'oauth2', config, appPort: app.port });
    const call = async (headers: Record<string, string>): Promise<number> => {
      const answer = await fetch(`${url}/api/orders`, { headers });
      await answer.text();
      return answer.status;
    };
    return { app, call, callWith: (value: string) => call({ authorization: `Bearer ${value}` }) };
  }

  async function newToken(scope: string): Promise<string> {
    const asked = { grant_type: 'client_credentials', scope, resource: AUDIENCE };
    return (await token(asked)).body.access_token;
  }

  it('lets a token through, with what it says of the caller, until it is revoked', async () => {
    const { app, call, callWith } = await protect();
    const value = await newToken('products:read products:write');
    const forged = { oauth2_claim_sub: 'usr_forged' };
    expect(await call({ authorization: `Bearer ${value}`, ...forged })).toBe(200);
    const { organization_id: organizationId } = service.quickstart.sandbox;
    expect(app.requests.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({ oauth2_claim_sub: organizationId, oauth2_claim_aud: AUDIENCE }),
    ]);
    await revoke({ token: value });
    expect(await callWith(value)).toBe(401);
    expect(app.requests).toHaveLength(1);
  });

  it('refuses no token, an unknown one, and one without the scope', async () => {
    const { app, call, callWith } = await protect();
    expect(await call({})).toBe(401);
    expect(await callWith('dl_test_at_unknown')).toBe(401);
    expect(await callWith(await newToken('products:write'))).toBe(401);
    expect(app.requests).toEqual([]);
  });

  it("lets a person's access token through, and not the refresh token", async () => {
    const { callWith } = await protect();
    const flow = authorization(service);
    const asked = { scope: 'products:read', resource: AUDIENCE };
    const { body } = await flow.obtainTokens(await flow.addClient(), (await flow.addUser()).email, asked);
    expect(await callWith(body.access_token)).toBe(200);
    expect(await callWith(body.refresh_token)).toBe(401);
  });

  it('trusts its cache by default, also after a revocation: the block turns it off', async () => {
    const { callWith } = await protect({ '&expiry=0': '' });
    const value = await newToken('products:read');
    expect(await callWith(value)).toBe(200);
    await revoke({ token: value });
    expect(await callWith(value)).toBe(200);
  });
});
