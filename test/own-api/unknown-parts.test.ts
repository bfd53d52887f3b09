import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EnvironmentName } from '../../src/environments/environment.ts';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { next } from '../support/service/build-versions.ts';

const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Unknown', version: next },
  security: [],
  paths: {
    '/things': {
      get: {
        operationId: 'things:list',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'X-Known', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'Some.', content: { 'application/json': { schema: {} } } } },
      },
    },
  },
});

const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
const upstream: Parameters<typeof useTestFolder>[0]['upstream'] = (request, response) => {
  seen.push({ url: request.url ?? '', headers: request.headers });
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
};

describe('parameters and headers that the contract does not have', () => {
  const service = useTestFolder({ contract, upstream });
  beforeEach(() => {
    seen.length = 0;
    service.logLines.length = 0;
  });

  const headers = { 'x-known': 'a', 'x-strange': 'b', 'accept-language': 'en', cookie: 'c=1' };
  const call = (environment: EnvironmentName, query: string) =>
    service.call(environment, `/things?${query}`, { headers });

  async function counted(environment: EnvironmentName, part: string): Promise<number> {
    const metrics = await (await service.call(environment, '/metrics')).text();
    const name = `dateline_unknown_request_parts_total{operation="things:list",part="${part}"`;
    const line = metrics.split('\n').find((text) => text.startsWith(name));
    return Number(line?.split(' ').at(-1));
  }

  const named = () => service.logLines.filter((line) => line.includes('not forwarded'));

  it.each(['sandbox', 'production'] as const)(
    '[folder 25] are not forwarded, and counted, in the %s',
    async (environment) => {
      const answer = await call(environment, 'limit=5&limt=6&other[a]=1&Service-Version=1');
      expect(answer.status).toBe(200);
      expect(seen.map(({ url }) => url)).toEqual(['/things?limit=5']);
      expect(seen[0]?.headers).toMatchObject({ 'x-known': 'a' });
      expect(seen[0]?.headers).not.toHaveProperty('x-strange');
      expect(seen[0]?.headers).not.toHaveProperty('cookie');
      expect(await counted(environment, 'query')).toBe(2);
      expect(await counted(environment, 'header')).toBe(1);
    },
  );

  it("[folder 25] are named in the sandbox's log, unless they look like no name", async () => {
    await call('sandbox', `limt=6&${'s'.repeat(65)}=1`);
    const [line = '', ...others] = named();
    expect(others).toEqual([]);
    expect(JSON.parse(line)).toMatchObject({
      environment: 'sandbox',
      operation: 'things:list',
      request_id: expect.stringMatching(/./),
      unknown: { query: ['limt', '(not a name)'], headers: ['x-strange'] },
    });
    await call('sandbox', 'limit=6').then((answer) => answer.arrayBuffer());
    await call('production', 'limt=6');
    expect(named().filter((text) => JSON.parse(text).environment !== 'sandbox')).toEqual([]);
  });

  it('[folder 25] are told in the log also where the request is refused for another reason', async () => {
    expect((await call('sandbox', 'limt=6&limit=x')).status).toBe(422);
    expect(named()).toHaveLength(1);
  });
});

describe('parameters that the contract does not have, where the folder refuses them', () => {
  const service = useTestFolder({ contract, upstream, config: { unknownQuery: 'refuse' } });
  beforeEach(() => void seen.splice(0));

  it('[folder 25] are 422, with the name and those that there are; headers are not', async () => {
    const refused = await service.call('sandbox', '/things?limt=6');
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('limt is not a parameter of this request; it takes limit.');
    const headers = { 'x-strange': 'b' };
    expect((await service.call('sandbox', '/things?limit=6&service-version=1', { headers })).status).toBe(
      200,
    );
    expect(seen.map(({ url }) => url)).toEqual(['/things?limit=6']);
  });
});
