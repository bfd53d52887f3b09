import { beforeAll, describe, expect, it } from 'vitest';
import { folderToken, useTestFolder } from '../support/folder/test-folder.ts';
import { next } from '../support/service/build-versions.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const document = (paths: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Headers', version: next },
    security: [],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  });

describe('what caches are told of an answer', () => {
  const answers = { 200: { description: 'It.', content: { 'application/json': { schema: {} } } } };
  const read = (operationId: string, security: object[]) => ({
    get: { operationId, security, responses: answers },
  });
  let answered: Record<string, string | string[]>;
  const service = useTestFolder({
    contract: document({
      '/open': read('open', []),
      '/guarded': read('guarded', [{ token: ['things:read'] }]),
      '/either': read('either', [{ token: ['things:read'] }, {}]),
    }),
    scopes: ['things:read'],
    upstream: (_request, response) => void response.writeHead(200, { ...JSON_TYPE, ...answered }).end('{}'),
  });
  let token: string;
  beforeAll(async () => {
    token = await folderToken(service, 'things:read');
  });

  async function varyOf(path: string, headers: Record<string, string | string[]>): Promise<string | null> {
    answered = headers;
    const authorization = `Bearer ${token}`;
    const init = { headers: path === '/guarded' ? { authorization } : {} };
    const answer = await service.call('sandbox', path, init);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.headers.get('vary');
  }

  it.each<[string | string[], string]>([
    ['Authorization, Accept', 'Service-Version, Authorization, Accept'],
    [['accept', 'X-Tenant , ,ACCEPT'], 'Service-Version, accept, X-Tenant'],
    ['service-version', 'Service-Version'],
    ['*', '*'],
    ['Accept, *', '*'],
  ])('are the names that the upstream’s %j adds to ours', async (vary, all) => {
    expect(await varyOf('/open', { vary, 'cache-control': 'public, max-age=600' })).toBe(all);
  });

  it.each(['/guarded', '/either'])(
    'is that it depends on the token, where one counts and it may be kept (RFC 9111 §3.5): %s',
    async (path) => {
      const kept = { 'cache-control': 'public, max-age=600' };
      expect(await varyOf(path, kept)).toBe('Service-Version, Authorization');
      expect(await varyOf(path, { ...kept, vary: 'accept, authorization' })).toBe(
        'Service-Version, accept, authorization',
      );
      expect(await varyOf(path, {})).toBe('Service-Version');
      expect(await varyOf('/open', kept)).toBe('Service-Version');
    },
  );
});
