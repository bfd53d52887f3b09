import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { thingsFolder } from '../support/folder/things-folder.ts';
import { createStrictClient, type StrictCall } from '../support/http/strict-client.ts';
import { tokenWith } from '../support/oauth/token-with.ts';
import { firstOf } from '../support/run/in-long-runs.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';

/** An upstream that takes too long takes three seconds each time. */
const waitingIn = firstOf([deprecated, current, next], 1);

describe.each([
  ['in the form of the API', true],
  ['in the form of Dateline', false],
])('errors that Dateline answers %s', (_form, hasErrors) => {
  const service = useTestFolder(thingsFolder({ errors: hasErrors }));
  const invalid = hasErrors ? 400 : 422;

  const read = (name: string, headers: Record<string, string> = authorization()): StrictCall => ({
    method: 'GET',
    path: '/things/{id}',
    url: `/things/${name}`,
    init: { headers },
  });
  const write = (body: string, headers: Record<string, string> = authorization()): StrictCall => ({
    method: 'PUT',
    path: '/things/{id}',
    url: '/things/1',
    init: { body, headers: { 'content-type': 'application/json', ...headers } },
  });
  const open = (query: string): StrictCall => ({ method: 'GET', path: '/open', url: `/open${query}` });

  function authorization(token = service.quickstart.sandbox.access_token): Record<string, string> {
    return { authorization: `Bearer ${token}` };
  }

  it.each([deprecated, current, next])(
    '[folder 31] are accepted by a strict client of %s',
    async (version) => {
      const call = await createStrictClient(service, version);
      const reader = authorization(await tokenWith(service, ['things:read']));
      const calls: (readonly [number, StrictCall])[] = [
        [401, read('1', {})],
        [401, read('1', authorization('wrong'))],
        [403, write('{"name":"a"}', reader)],
        [404, read('a%2Fb')],
        [404, read('1', { 'service-version': '2020-01' })],
        [404, read('gone')],
        [409, read('locked')],
        [413, write(`{"name":"${'x'.repeat(2_000)}"}`)],
        [414, read('x'.repeat(300))],
        [415, write('<a/>', { ...authorization(), 'content-type': 'text/xml' })],
        [400, write('{')],
        [invalid, write('{"size":"big"}')],
        [invalid, open('?limit=x')],
        [429, read('often')],
        [502, read('1')],
        [502, read('broken')],
        ...(waitingIn.includes(version) ? ([[504, read('slow')]] as const) : []),
        [502, open('')],
      ];
      for (const [status, one] of calls) expect((await call(one)).status).toBe(status);
    },
  );

  it.each([deprecated, current, next])(
    '[folder 31] are described with all that Dateline adds to those of the author, in %s',
    async (version) => {
      const call = await createStrictClient(service, version);
      const { described } = await call(read('gone'));
      expect(described.description).toContain('It is not there.');
      expect(described.description).toContain('version_not_found');
      expect(Object.keys(described.headers as object)).toEqual(
        expect.arrayContaining(['X-Trace', 'Service-Version', 'X-Request-Id']),
      );
      const { described: formless } = await call(read('locked'));
      expect(formless['x-error-codes']).toEqual(['thing:locked']);
      const unauthorized = await call(read('1', {}));
      expect(Object.keys(unauthorized.described.headers as object)).toContain('WWW-Authenticate');
    },
  );

  it.each([deprecated, current, next])(
    '[folder 31] have every status that Dateline can answer in the document of %s',
    async (version) => {
      const response = await service.call('sandbox', `/versions/${version}/openapi.json`);
      const { paths } = (await response.json()) as {
        paths: Record<string, Record<string, { responses: object }>>;
      };
      const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {});
      const always = ['400', '404', '414', '415', '417', '421', '431', '500', '502', '503', '504'];
      const usual = hasErrors ? always : [...always, '422'];
      expect(statuses('/open', 'get')).toEqual(expect.arrayContaining(usual));
      expect(statuses('/things/{id}', 'put')).toEqual(
        expect.arrayContaining([...usual, '401', '403', '408', '413']),
      );
      // What its author says of all the rest stays.
      expect(statuses('/things/{id}', 'put')).toContain('default');
      // Nobody needs a token, so none is refused.
      for (const status of ['401', '403']) expect(statuses('/open', 'get')).not.toContain(status);
      expect(statuses('/open', 'get').includes('422')).toBe(!hasErrors);
    },
  );
});
