import { expect, it } from 'vitest';
import { authorization } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';
import { startApache } from './apache.ts';
import { documentedBlock } from './documented-block.ts';
import type { useReleasedService } from './released-service.ts';
import { atTimeOf } from './start-program.ts';
import { startTlsFront } from './tls-front.ts';

const AUDIENCE = 'https://orders.example';

export interface ResourceServerModule {
  /** The path of Apache. */
  path: string;
  module: string;
  /** Its block in docs/use-with.md. */
  block: string;
  /** What turns off its cache, in the block. */
  uncached: string;
  /** How claims are called in headers. */
  claimPrefix: string;
  /** For one that takes no plain HTTP: the line that names an authority. */
  caLine?: (file: string) => string;
}

/** What every module of Apache has to do that protects an API by introspection. */
export function itProtectsAnApi(
  released: ReturnType<typeof useReleasedService>,
  { path, module, block, uncached, claimPrefix, caLine }: ResourceServerModule,
): void {
  const { service, addClient } = released;
  const { token, revoke } = oauthCalls(service);

  /** An Apache as a resource server in front of an application. */
  async function protect(replacing: Readonly<Record<string, string>> = {}) {
    const server = await addClient({ kind: 'resource_server', audiences: [AUDIENCE], allowedGrants: [] });
    const app = await startReceiver();
    const config = async () => {
      if (!caLine) return documentedBlock('apache', block, { ...server, replacing });
      const { url, caFile } = await startTlsFront(server.url);
      return `${documentedBlock('apache', block, { ...server, url, replacing })}\n${caLine(caFile)}`;
    };
    const url = await startApache({ path, module, config, appPort: app.port, env: atTimeOf(service) });
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
    const forged = { [`${claimPrefix}sub`]: 'usr_forged' };
    expect(await call({ authorization: `Bearer ${value}`, ...forged })).toBe(200);
    const { organization_id: organizationId } = service.quickstart.sandbox;
    expect(app.requests.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({ [`${claimPrefix}sub`]: organizationId, [`${claimPrefix}aud`]: AUDIENCE }),
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
    const { callWith } = await protect({ [uncached]: '' });
    const value = await newToken('products:read');
    expect(await callWith(value)).toBe(200);
    await revoke({ token: value });
    expect(await callWith(value)).toBe(200);
  });
}
