import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { current, next } from '../support/service/build-versions.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const document = (paths: object): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Headers', version: next }, security: [], paths });

describe('headers that a change makes', () => {
  const count = { 'X-Count': { schema: { type: 'string' } } };
  const total = { 'X-Total': { schema: { type: 'string' } } };
  const title = { type: 'object', properties: { title: { type: 'string' } } };
  const paths = (headers: object, parameters: object[]) => ({
    '/items': {
      post: {
        operationId: 'items:make',
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema: title } } },
        responses: { 200: { description: 'It.', headers, content: { 'application/json': { schema: {} } } } },
      },
    },
    '/streams': {
      get: {
        operationId: 'streams:read',
        responses: { 200: { description: 'It.', headers, content: { 'text/plain': {} } } },
      },
    },
  });
  const changes = `
    const values = { nothing: undefined, empty: '', number: 7, euro: '€', lines: 'a\\r\\nx-more: b', object: {} };
    const valueIn = (way, { title = '' }) => title.startsWith(way) ? { made: values[title.split(' ')[1]] } : null;
    export const changes = [{
      name: 'countAll', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.',
      examples: [{ before: null, after: null }],
      touches: ['items:make', 'streams:read'],
      upgradeRequest: { 'items:make': ({ headers, body }) => {
        const value = valueIn('up', body);
        return { headers: { ...headers, ...(value && { 'x-title': value.made }) } };
      } },
      downgradeHeaders: {
        'items:make': ({ 'x-total': total, ...headers }, { request }) => {
          const value = valueIn('down', request.body);
          return { ...headers, 'x-count': value ? value.made : 'none' };
        },
        'streams:read': () => ({ 'x-count': '€' }),
      },
    }];`;
  const seen: (string | string[] | undefined)[] = [];
  const ends = new EventEmitter();
  const service = useTestFolder({
    frozen: document(paths(count, [])),
    contract: document(paths(total, [{ name: 'X-Title', in: 'header', schema: { type: 'string' } }])),
    files: { [`contract/changes/${next}-to-${current}/index.mjs`]: changes },
    upstream: (request, response) => {
      seen.push(request.headers['x-title']);
      if (request.method === 'POST') return void response.writeHead(200, JSON_TYPE).end('{}');
      response.on('close', () => ends.emit('end'));
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first');
    },
  });
  beforeEach(() => {
    seen.length = 0;
  });
  const make = (asked: string) =>
    service.call('sandbox', '/items', {
      method: 'POST',
      headers: { ...JSON_TYPE, 'service-version': current },
      body: JSON.stringify({ title: asked }),
    });

  it('[folder 11] are left out where their value is undefined, and are text otherwise', async () => {
    const made = async (what: string) => {
      const { status, headers } = await make(what);
      return [status, headers.get('x-count')];
    };
    expect(await made('down nothing')).toEqual([200, null]);
    expect(await made('down empty')).toEqual([200, '']);
    expect(await made('down number')).toEqual([200, '7']);
  });

  it('[folder 10] are left out upstream where their value is undefined, and are text otherwise', async () => {
    for (const what of ['nothing', 'empty', 'number']) expect((await make(`up ${what}`)).status).toBe(200);
    expect(seen).toEqual([undefined, '', '7']);
  });

  it.each(['euro', 'lines', 'object'])(
    '[folder 4] are 502 where no header can have their value, in both directions: %s',
    async (what) => {
      for (const [way, asked] of [
        ['up', []],
        ['down', [undefined]],
      ] as const) {
        seen.length = 0;
        const before = await violations();
        const answer = await make(`${way} ${what}`);
        expect([answer.status, await answer.text()]).toEqual([
          502,
          expect.stringContaining('upstream_contract'),
        ]);
        expect(answer.headers.get('service-version')).toBe(current);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect([seen, await violations()]).toEqual([asked, before + 1]);
      }
    },
  );

  it('[folder 4] end a stream that they are refused with', async () => {
    const isOver = once(ends, 'end');
    const answer = await service.call('sandbox', '/streams', { headers: { 'service-version': current } });
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([502, 'nosniff']);
    await isOver;
  });

  async function violations(): Promise<number> {
    const metrics = await (await service.operate('sandbox', '/metrics')).text();
    const line = metrics.split('\n').find((one) => one.includes('violations') && one.includes('items:make'));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
});
