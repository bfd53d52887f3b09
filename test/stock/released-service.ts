import { beforeAll, expect, vi } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { answerIn, authorization, CALLBACK } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { next } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

/** A service in which Next is Current, by a release that is rehearsed in the sandbox. */
export function useReleasedService() {
  const service = useTestService(anyEngine);
  beforeAll(async () => {
    const path = '/operator/release/run';
    const decided = await service.operate('sandbox', path, { method: 'POST', body: {} });
    expect(decided.status).toBe(202);
    service.clock.advanceSeconds(5);
    await vi.waitFor(
      async () => {
        const { headers } = await service.call('sandbox', '/versions');
        expect(headers.get('service-version')).toBe(next);
      },
      { timeout: 60_000 },
    );
  });
  const flow = authorization(service);

  /** A client as the block of a library names it. */
  async function addClient(change: Parameters<typeof flow.addClient>[0] = {}) {
    const grants = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
    const { id, credentials } = await flow.addClient({ allowedGrants: grants, ...change });
    return {
      url: service.urls.sandbox,
      clientId: id as string,
      clientSecret: credentials.client_secret ?? '',
    };
  }

  /** Sends a person to an address of the library's making; returns where they were sent back to, with the code. */
  async function comeBack(address: string): Promise<URL> {
    const { pathname, search } = new URL(address);
    const browser = await flow.signedIn((await flow.addUser()).email);
    const { url } = await flow.allow(browser, await browser.visit(pathname + search));
    expect(answerIn(url)).toMatchObject({ code: expect.any(String) });
    return new URL(url);
  }

  return { service, addClient, comeBack, callback: CALLBACK, isActive: activeAs(oauthCalls(service)) };
}

interface Credentials {
  clientId: string;
  clientSecret: string;
}

function activeAs({ introspect }: ReturnType<typeof oauthCalls>) {
  return async (token: string, { clientId, clientSecret }: Credentials): Promise<boolean> =>
    (await introspect({ token, client_id: clientId, client_secret: clientSecret })).body.active;
}
