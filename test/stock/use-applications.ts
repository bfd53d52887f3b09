import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { createVisitor, type Visited, type Visitor } from '../support/http/visitor.ts';
import { authorization } from '../support/oauth/authorization.ts';
import type { TestService } from '../support/service/test-service.ts';

/** Applications that sign people in at a service, each at an address of its own, and the people. */
export function useApplications(service: TestService) {
  const { visitor, signIn, allow } = authorization(service);
  const servers: Server[] = [];

  // Libraries look at the time themselves; it is the service's here.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() }));
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => void vi.useRealTimers());

  /** An application, registered as a client. */
  async function startApp(redirectPath: string, metadata = {}) {
    let listener: RequestListener = () => {};
    const server = createServer((request, response) => listener(request, response));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await service.call('sandbox', '/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [url + redirectPath], ...metadata }),
    });
    expect(answer.status).toBe(201);
    const client = (await answer.json()) as { client_id: string; client_secret: string };
    const values = {
      url: service.urls.sandbox,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    };
    const serve = (by: RequestListener) => {
      listener = by;
    };
    return { url, values, serve, browser: createVisitor(url) };
  }

  /** A person signs in and allows what is asked for; the browser ends at the application. */
  async function signInAt(browser: Visitor, start: Visited, email: string): Promise<Visited> {
    const person = visitor();
    const asked = await signIn(person, await person.visit(start.url), email);
    const { url } = await allow(person, asked);
    return browser.visit(url);
  }

  return { startApp, signInAt };
}
