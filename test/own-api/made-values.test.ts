import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { answered } from '../support/run/answered.ts';
import { current, next } from '../support/service/build-versions.ts';

const json = (schema: string): string =>
  `{ description: It., content: { application/json: { schema: ${schema} } } }`;
const nothing = '{ "204": { description: Nothing. } }';

const documentWith = (version: 'older' | 'newer'): string => {
  const isOlder = version === 'older';
  const member = isOlder ? 'x' : 'y';
  return `
openapi: 3.1.0
info: { title: Made, version: "${next}" }
security: []
paths:
  /here:
    post:
      operationId: here:send
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { "200": ${json('{ type: object }')} }
  /things:
    get:
      operationId: things:list
      parameters:
        - { name: ${isOlder ? 'state' : 'status'}, in: query, schema: { type: string } }
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: { a: { type: string }, b: { type: string } } } }
      responses:
        "200": ${json(`{ type: object, required: [${member}], properties: { ${member}: {} } }`)}
        "404": ${json(`{ type: object, required: [${member}], properties: { ${member}: {} } }`)}
  /members:
    get:
      operationId: members:list
      parameters:
        - ${isOlder ? '{ name: size, in: query, schema: { type: string } }' : '{ name: filter, in: query, schema: { type: object, properties: { size: { type: integer } } } }'}
      responses: ${nothing}
  /paths/{id}:
    get:
      operationId: paths:read
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: ${isOlder ? 'old' : 'new'}, in: query, schema: { type: string } }
      responses: ${nothing}
`;
};

const changes = `
const words = (name) => ({ name, kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.', examples: [{ before: null, after: null }] });
export const changes = [{
  ...words('renameIt'),
  touches: ['things:list', 'members:list', 'paths:read'],
  upgradeRequest: {
    'things:list': ({ query: { state, filter, ...query } }) =>
      ({ query: { ...query, ...(state && { status: state }), ...(filter && { filter: { a: filter.a, b: filter.b } }) } }),
    'paths:read': ({ params }) => ({ params: { id: params.id.slice(0, 2) } }),
  },
  downgradeResponse: { 'things:list': ({ y }) => y === 'nothing' ? undefined : { x: y === 'empty' ? undefined : y } },
  downgradeErrorBody: { 'things:list': (body) => { body.x = body.y; delete body.y; } },
}];`;

const handlers = `export default {
  'here:send': async ({ request: { body } }) => {
    body.calls = (body.calls ?? 0) + 1;
    return { status: 200, body };
  },
};`;

let url: string | undefined;
const service = useTestFolder({
  frozen: documentWith('older'),
  contract: documentWith('newer'),
  files: { [`contract/changes/${next}-to-${current}/index.mjs`]: changes, 'handlers.mjs': handlers },
  upstream: async (request, response) => {
    ({ url } = request);
    await request.toArray();
    if (!url?.startsWith('/things')) return void response.writeHead(204).end();
    const y = new URL(url, 'http://upstream').searchParams.get('status') ?? 'y';
    response.writeHead(y === 'gone' ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ y }));
  },
});

async function ask(path: string, { headers, ...init }: RequestInit = {}) {
  url = undefined;
  const response = await service.call('sandbox', path, {
    ...init,
    headers: { 'service-version': current, ...(headers as Record<string, string>) },
  });
  const text = await response.text();
  return answered({ status: response.status, text, url }, path);
}

describe('what changes and handlers make of a call', () => {
  it('gives each handler a body of its own where none was sent', async () => {
    expect((await ask('/here', { method: 'POST' })).text).toBe('{"calls":1}');
    expect((await ask('/here', { method: 'POST' })).text).toBe('{"calls":1}');
  });

  it('refuses an answer that a change has made nothing of', async () => {
    expect((await ask('/things?state=nothing')).status).toBe(502);
  });

  it('refuses an answer that is not as the contract has it once it is written', async () => {
    expect((await ask('/things?state=empty')).status).toBe(502);
  });

  it('refuses an error that a change has made nothing of', async () => {
    expect((await ask('/things?state=gone')).status).toBe(502);
  });

  it('leaves out members of the query that have no value', async () => {
    expect((await ask('/things?filter[a]=1')).url).toBe('/things?filter[a]=1');
  });

  it('forwards no query that the contract of the upstream refuses', async () => {
    const { status, url: forwarded } = await ask('/members?size=abc');
    expect([status, forwarded]).toEqual([502, undefined]);
    expect((await ask('/members?size=3')).url).toBe('/members?size=3');
  });

  it('tells a path that a change has made and that cannot be sent as its fault', async () => {
    expect((await ask('/paths/a%F0%9F%98%80')).status).toBe(502);
  });
});
