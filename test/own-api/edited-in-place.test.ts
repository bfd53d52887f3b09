import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { answered } from '../support/run/answered.ts';
import { current, next } from '../support/service/build-versions.ts';

const object = (properties: string): string => `{ type: object, properties: { ${properties} } }`;
const json = (schema: string): string =>
  `{ description: It., content: { application/json: { schema: ${schema} } } }`;

interface Shapes {
  order: string;
  measure: string;
  error: string;
  box: string;
}

const documentWith = ({ order, measure, error, box }: Shapes): string => `
openapi: 3.1.0
info: { title: Edited in place, version: "${next}" }
security: []
paths:
  /things:
    get:
      operationId: things:list
      parameters:
        - { name: order, in: query, schema: { type: string, enum: ${order} } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
      responses:
        "200": ${json('{}')}
        "404": ${json(`{ type: object, required: [${error}], properties: { ${error}: { type: string } } }`)}
    post:
      operationId: things:send
      requestBody: { required: true, content: { application/json: { schema: ${object(`${measure}: { type: integer }, id: { type: integer }, box: { $ref: '#/components/schemas/Box' }`)} } } }
      responses: { "200": ${json(object(`asked: { type: string }`))} }
components: { schemas: { Box: ${object(`${box}: { type: integer }`)} } }`;

const changes = `
import { schema } from 'dateline/versions';
const words = (name) => ({ name, kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.', examples: [{ before: null, after: null }] });
export const changes = [
  schema('Box').changed({
    upgrade: (box) => { if ('wide' in box) { box.width = box.wide; delete box.wide; } return box; },
    downgrade: (box) => { if ('width' in box) { box.wide = box.width; delete box.width; } return box; },
  }),
  {
    ...words('renameOrders'),
    touches: ['things:list'],
    upgradeRequest: {
      'things:list': (request) => {
        const { query } = request;
        if (query.order) query.order = query.order === 'up' ? 'asc' : 'desc';
        if (query.tags?.includes('more')) query.tags.push('added');
        return request;
      },
    },
    downgradeErrorBody: { 'things:list': (body) => { body.old = body.new; delete body.new; return body; } },
  },
  {
    ...words('renameMeasure'),
    touches: ['things:send.body.schema.properties.weight', 'things:send.body.schema.properties.grams'],
    upgradeRequest: {
      'things:send': ({ body, headers }) => {
        if ('weight' in body) { body.grams = body.weight; delete body.weight; }
        return { headers };
      },
    },
    downgradeResponse: { 'things:send': (body, { request }) => ({ asked: JSON.stringify(request.body) }) },
  },
];`;

const seen: { url: string | undefined; body: string }[] = [];
const service = useTestFolder({
  frozen: documentWith({ order: '[up, down]', measure: 'weight', error: 'old', box: 'wide' }),
  contract: documentWith({ order: '[asc, desc]', measure: 'grams', error: 'new', box: 'width' }),
  files: { [`contract/changes/${next}-to-${current}/index.mjs`]: changes },
  upstream: async (request, response) => {
    const { url } = request;
    seen.push({ url, body: Buffer.concat(await request.toArray()).toString() });
    const isGone = url?.includes('gone') === true;
    response.writeHead(isGone ? 404 : 200, { 'content-type': 'application/json' });
    response.end(isGone ? '{"new":"n"}' : '{}');
  },
});

async function ask(path: string, body?: string) {
  seen.length = 0;
  const headers = { 'service-version': current, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const response = await service.call('sandbox', path, { method, headers, ...(body && { body }) });
  return answered({ status: response.status, text: await response.text(), sent: seen[0] }, path);
}

describe('a change module that edits in place what it gets', () => {
  it('[folder 4] sends the query that it has made', async () => {
    expect((await ask('/things?order=up')).sent?.url).toBe('/things?order=asc');
    expect((await ask('/things?tags=a,more&order=down')).sent?.url).toBe(
      '/things?tags=a,more,added&order=desc',
    );
  });

  it('[folder 21] sends a value as it came that it has not edited', async () => {
    expect((await ask('/things?tags=a%2Db,c&order=up')).sent?.url).toBe('/things?tags=a%2Db,c&order=asc');
  });

  it('[folder 4] sends the body that it has made, whether it is returned or not', async () => {
    expect((await ask('/things', '{"weight":3}')).sent?.body).toBe('{"grams":3}');
  });

  it('[folder 4] sends a body as it came that it has not edited, with all digits', async () => {
    expect((await ask('/things', '{"id":  9007199254740993}')).sent?.body).toBe('{"id":  9007199254740993}');
  });

  it('[folder 4] sends the component that it has made', async () => {
    expect((await ask('/things', '{"box":{"wide":3}}')).sent?.body).toBe('{"box":{"width":3}}');
  });

  it('shows the request to the way down as it was made', async () => {
    expect((await ask('/things', '{"weight":3}')).text).toBe('{"asked":"{\\"weight\\":3}"}');
  });

  it('[folder 1] answers with the error that it has made', async () => {
    const { status, text } = await ask('/things?tags=gone');
    expect([status, text]).toEqual([404, '{"old":"n"}']);
  });
});
