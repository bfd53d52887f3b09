import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { type TestFolder, useTestFolder } from '../support/folder/test-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const id = { $ref: '#/components/schemas/Id' };
const secret = { type: 'string', writeOnly: true };

const user = (secrets: object) => ({
  type: 'object',
  required: ['id', 'name', ...Object.keys(secrets)],
  properties: {
    id,
    name: { type: 'string' },
    big: { type: 'number' },
    made: { type: 'string', readOnly: true },
    ...secrets,
    friends: { type: 'array', items: { $ref: '#/components/schemas/User' } },
  },
  additionalProperties: false,
});

const body = {
  required: true,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
};
const answers = {
  200: { description: 'It.', content: body.content },
  409: { description: 'Not now.', content: body.content },
};
const form = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id,
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' }, readOnly: true },
  },
};

const document = (secrets: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Users', version: next },
    security: [],
    paths: {
      '/users': {
        get: { operationId: 'users:read', responses: answers },
        post: { operationId: 'users:create', requestBody: body, responses: answers },
      },
      '/forms': {
        post: {
          operationId: 'forms:send',
          requestBody: {
            required: true,
            content: {
              'application/x-www-form-urlencoded': { schema: form },
              'multipart/form-data': { schema: form },
            },
          },
          responses: { 204: { description: 'Taken.' } },
        },
      },
    },
    webhooks: {
      'user.created': { post: { requestBody: body, responses: { 200: { description: 'Taken.' } } } },
    },
    components: { schemas: { Id: { type: 'string', readOnly: true }, User: user(secrets) } },
  });

/** Next calls a password a secret. */
const changes = `
const up = ({ password, ...user }) => ({ ...user, secret: password });
const down = ({ secret, ...user }) => ({ ...user, password: secret ?? 'made by a change' });
export const changes = [{
  name: 'renamePassword', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.',
  examples: [{ before: null, after: null }],
  touches: ['users:**', 'user.created'],
  upgradeRequest: { 'users:create': ({ body }) => ({ body: { ...up(body), id: 'of a change' } }) },
  downgradeResponse: { 'users:read': down, 'users:create': down },
  downgradeErrorBody: { 'users:read': down, 'users:create': down },
  downgradeEvent: { 'user.created': ({ kind, data }) => ({ kind, data: down(data) }) },
}];`;

const seen: string[] = [];
let answered = '';
const folder: TestFolder = {
  contract: document({ secret }),
  frozen: document({ password: secret }),
  files: { [`contract/changes/${next}-to-${current}/index.mjs`]: changes },
  upstream: async (request, response) => {
    seen.push(await text(request));
    if (request.url === '/forms') return void response.writeHead(204).end();
    const status = answered.includes('"409"') ? 409 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(answered);
  },
};

beforeEach(() => {
  seen.length = 0;
  answered = '{"id":"1","name":"Ada"}';
});

const sent = { name: 'Ada', secret: 's' };
const json = (value: unknown) => ({
  method: 'POST',
  body: typeof value === 'string' ? value : JSON.stringify(value),
  headers: { 'content-type': 'application/json', 'service-version': next },
});

describe('readOnly and writeOnly properties', () => {
  const service = useTestFolder({ ...folder, env: { DATELINE_DELIVER: 'on' } });

  it('[folder 19] are not required of requests when they are readOnly, and are left out; numbers keep their digits', async () => {
    expect((await service.call('sandbox', '/users', json(sent))).status).toBe(200);
    const whole = `{ "made": {"a":[1,"}"]}, "name":"Ada", "big": 12345678901234567890.10, "id":7,"secret":"s", "friends":[ {"id":"2","name":"B","secret":"t"} ,{"name":"C","secret":"u" , "id":1}] }`;
    expect((await service.call('sandbox', '/users', json(whole))).status).toBe(200);
    expect(seen).toEqual([
      JSON.stringify(sent),
      '{"name":"Ada","big":12345678901234567890.10,"secret":"s","friends":[{"name":"B","secret":"t"},{"name":"C","secret":"u" }]}',
    ]);
  });

  it('[folder 19] are required of requests when they are writeOnly', async () => {
    expect((await service.call('sandbox', '/users', json({ name: 'Ada' }))).status).toBe(422);
    expect(seen).toEqual([]);
  });

  it('[folder 19] are left out of forms when they are readOnly', async () => {
    const pairs = [
      ['id', '7'],
      ['name', 'Ada & Bob'],
      ['tags', 'a'],
      ['tags', 'b'],
    ];
    const encoded = await service.call('sandbox', '/forms', {
      method: 'POST',
      body: new URLSearchParams(pairs),
    });
    expect([encoded.status, seen.pop()]).toEqual([204, 'name=Ada+%26+Bob']);
    const parts = new FormData();
    for (const [name = '', value = ''] of pairs) parts.append(name, value);
    const multipart = await service.call('sandbox', '/forms', { method: 'POST', body: parts });
    expect(multipart.status).toBe(204);
    expect(seen[0]?.match(/name="\w+"/g)).toEqual(['name="name"']);
    expect(seen[0]).toContain('Ada & Bob');
  });

  it('[folder 19] are taken out of what a change has made, too, when they are readOnly', async () => {
    const headers = { 'content-type': 'application/json', 'service-version': current };
    const answer = await service.call('sandbox', '/users', {
      ...json({ name: 'Ada', password: 's' }),
      headers,
    });
    expect([answer.status, seen]).toEqual([200, ['{"name":"Ada","secret":"s"}']]);
  });

  it.each([next, current, deprecated])(
    '[folder 19] never leave in answers of %s when they are writeOnly',
    async (version) => {
      answered =
        '{"id":"1","secret":"hidden","name":"Ada","friends":[{"secret":"hidden","id":"2","name":"B"}]}';
      for (const environment of ['sandbox', 'production'] as const)
        for (const error of ['', '"409"']) {
          answered = answered.replace(/"Ada"|"409"/, error || '"Ada"');
          const answer = await service.call(environment, '/users', {
            headers: { 'service-version': version },
          });
          const got = await answer.text();
          expect([answer.status, got]).toEqual([error ? 409 : 200, expect.stringContaining('"friends"')]);
          expect(got).not.toMatch(/hidden|secret|password|made by/);
        }
    },
  );

  it('[folder 19] are 502 where an answer that may have them cannot be looked into', async () => {
    const twice = '{"id":"1","name":"Ada","friends":[{"secret":"hidden"}],"friends":[]}';
    for (answered of [
      twice,
      `{"id":"1","name":"${'x'.repeat(2 ** 20)}","secret":"hidden"}`,
      '{"secret":"hidden"',
    ]) {
      const answer = await service.call('production', '/users', { headers: { 'service-version': next } });
      expect(answer.status).toBe(502);
      expect(await answer.text()).not.toContain('hidden');
    }
  });

  it('[folder 19] never leave in webhooks, in any version, when they are writeOnly', async () => {
    const { organization_id, access_token } = service.quickstart.sandbox;
    const receiver = await startReceiver();
    const versions = [next, current, deprecated];
    for (const version of versions) {
      const url = `http://localhost:${receiver.port}/${version}`;
      const made = await service.call('sandbox', '/v1/webhooks/endpoints', {
        ...json({ url, events: ['user.created'], api_version: version }),
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${access_token}`,
          'service-version': next,
        },
      });
      expect([version, made.status]).toEqual([version, 201]);
    }
    const data = {
      id: '1',
      name: 'Ada',
      secret: 'hidden',
      friends: [{ id: '2', name: 'B', secret: 'hidden' }],
    };
    const published = await service.operate('sandbox', '/operator/events', {
      method: 'POST',
      body: { events: [{ id: 'one', type: 'user.created', organization_id, data }] },
    });
    expect(published.status).toBe(200);
    await expect.poll(() => receiver.requests.length).toBe(versions.length);
    const friends = [{ id: '2', name: 'B' }];
    for (const { path, body } of receiver.requests)
      expect([path, JSON.parse(String(body)).data]).toEqual([path, { id: '1', name: 'Ada', friends }]);
  });
});

describe('readOnly properties, where the folder refuses them', () => {
  const service = useTestFolder({ ...folder, config: { readOnlyInRequests: 'refuse' } });

  it('[folder 19] are 422, with their places', async () => {
    const answer = await service.call(
      'sandbox',
      '/users',
      json({ ...sent, friends: [{ ...sent, id: '2' }] }),
    );
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('friends.0.id is read-only');
    expect(
      (
        await service.call('sandbox', '/forms', {
          method: 'POST',
          body: new URLSearchParams({ id: '1', name: 'A' }),
        })
      ).status,
    ).toBe(422);
    expect(seen).toEqual([]);
    expect((await service.call('sandbox', '/users', json(sent))).status).toBe(200);
  });
});

describe('answers that may have writeOnly properties, although their contract does not have their status or type', () => {
  const secrets = '{"name":"Ada","password":"hidden"}';
  const JSON_TYPE = { 'content-type': 'application/json' };
  const type = (mediaType: string) => ({ 'content-type': mediaType });
  const account = {
    type: 'object',
    properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
  };
  const missing = { type: 'object', properties: { password: { type: 'string' } } };
  let answer: { status: number; headers: Record<string, string>; text: string };
  const service = useTestFolder({
    contract: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Accounts', version: next },
      security: [],
      paths: {
        '/accounts': {
          get: {
            operationId: 'accounts:read',
            responses: {
              200: {
                description: 'It.',
                content: {
                  'application/json': { schema: account },
                  'text/csv': {},
                  'application/xml': { schema: account },
                },
              },
              204: { description: 'Nothing.' },
              404: { description: 'None.', content: { 'application/json': { schema: missing } } },
              429: { description: 'Too often.' },
            },
          },
        },
      },
    }),
    upstream: (_request, response) =>
      void response.writeHead(answer.status, answer.headers).end(answer.text || undefined),
  });
  const told = async (status: number, headers: Record<string, string>, sent = secrets) => {
    answer = { status, headers, text: sent };
    const init = { headers: { 'service-version': next }, redirect: 'manual' } as const;
    const answered = await service.call('production', '/accounts', init);
    return [answered.status, await answered.text()];
  };

  it.each([
    [200, 'application/problem+json'],
    [202, 'application/json'],
    [299, 'application/vnd.accounts+json'],
    [418, 'application/json'],
  ])(
    '[folder 19] are without them where they are JSON, also in Next in production: %i, %s',
    async (status, mediaType) => {
      expect(await told(status, type(mediaType))).toEqual([status, '{"name":"Ada"}']);
    },
  );

  it.each<[number, Record<string, string>]>([
    [200, type('text/plain')],
    [200, type('text/json')],
    [200, type('application/xml')],
    [200, type('text/event-stream')],
    [200, {}],
    [202, type('text/plain')],
    [418, type('text/html')],
    [404, type('text/html')],
  ])(
    '[folder 19] are 502 where they are no JSON, also in Next in production: %i, %j',
    async (status, headers) => {
      const before = await violations();
      expect(await told(status, headers)).toEqual([502, expect.stringContaining('upstream_contract')]);
      expect(await told(status, { ...headers, 'content-length': String(secrets.length) })).toEqual([
        502,
        expect.not.stringContaining('hidden'),
      ]);
      expect(await violations()).toBe(before + 2);
    },
  );

  it('[folder 19] pass on what the contract declares, and what has nothing in it', async () => {
    expect(await told(200, type('text/csv'), 'a,b')).toEqual([200, 'a,b']);
    expect(await told(404, JSON_TYPE)).toEqual([404, secrets]);
    expect(await told(202, {}, '')).toEqual([202, '']);
    expect(await told(200, type('text/plain'), '')).toEqual([200, '']);
  });

  it('[folder 28] keep their status where that is all that is told of them', async () => {
    expect(await told(503, type('text/html'))).toEqual([
      503,
      expect.stringContaining('upstream_unavailable'),
    ]);
    expect(await told(500, JSON_TYPE, `${secrets},`)).toEqual([
      502,
      expect.stringContaining('upstream_failed'),
    ]);
    expect(await told(429, type('text/html'))).toEqual([429, expect.not.stringContaining('hidden')]);
    expect(await told(302, type('text/html'))).toEqual([302, '']);
  });

  async function violations(): Promise<number> {
    const metrics = await (await service.operate('production', '/metrics')).text();
    const line = metrics
      .split('\n')
      .find((one) => one.includes('violations') && one.includes('accounts:read'));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
});
