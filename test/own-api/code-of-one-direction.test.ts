import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { answered } from '../support/run/answered.ts';
import { current, next } from '../support/service/build-versions.ts';

const measured = (name: string): string =>
  `{ type: object, required: [${name}], properties: { ${name}: { type: integer } } }`;
const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

/** Of the first two only requests differ, of the others only answers. */
const documentWith = (name: string): string => `
openapi: 3.1.0
info: { title: One direction, version: "${next}" }
security: []
paths:
  /statuses:
    post:
      operationId: statuses:send
      requestBody: { required: true, ${json(measured(name))} }
      responses:
        "200": { description: It., ${json('{}')} }
        "202": { description: It., ${json('{}')} }
        "404": { description: Not there., ${json('{ type: object, required: [why], properties: { why: { type: string } } }')} }
        "410": { description: Gone., ${json('{ type: object, required: [why], properties: { why: { type: string } } }')} }
  /texts:
    post:
      operationId: texts:send
      requestBody: { required: true, ${json(measured(name))} }
      responses: { "200": { description: It., content: { text/csv: {} } } }
  /lists:
    post:
      operationId: lists:send
      requestBody: { required: true, content: { text/csv: {} } }
      responses: { "200": { description: It., ${json(measured(name))} } }`;

const changes = `
const semicolons = ({ mediaType, bytes }) => ({ mediaType, bytes: Buffer.from(Buffer.from(bytes).toString().replaceAll(',', ';')) });
const upgrade = ({ body: { weight, ...body } }) => ({ body: { ...body, grams: weight } });
export const changes = [{
  name: 'renameMeasure', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.',
  examples: [{ before: null, after: null }],
  touches: ['statuses:send', 'texts:send', 'lists:send'],
  upgradeRequest: { 'statuses:send': upgrade, 'texts:send': upgrade },
  upgradeContent: { 'lists:send': semicolons },
  downgradeStatus: { 'statuses:send': { 202: 200, 410: 404 } },
  downgradeContent: { 'texts:send': semicolons },
  downgradeResponse: { 'lists:send': ({ grams, ...body }) => ({ ...body, weight: grams }) },
}];`;

let status = 200;
const bodies: string[] = [];
const service = useTestFolder({
  frozen: documentWith('weight'),
  contract: documentWith('grams'),
  files: { [`contract/changes/${next}-to-${current}/index.mjs`]: changes },
  upstream: async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    const isText = request.url === '/texts';
    response.writeHead(status, { 'content-type': isText ? 'text/csv' : 'application/json' });
    response.end(isText ? 'a,b' : '{"grams":1,"why":"So."}');
  },
});

async function ask(
  path: string,
  { body = '{"weight":3}', type = 'application/json', upstreamStatus = 200 } = {},
) {
  status = upstreamStatus;
  bodies.length = 0;
  const headers = { 'service-version': current, 'content-type': type };
  const response = await service.call('sandbox', path, { method: 'POST', headers, body });
  return answered({ status: response.status, text: await response.text(), sent: bodies[0] }, path);
}

describe('code of a change for what is the same in both contracts', () => {
  it('[folder 12] upgrades the bytes of a body where only answers differ', async () => {
    expect(await ask('/lists', { body: 'a,b', type: 'text/csv' })).toEqual({
      status: 200,
      text: '{"why":"So.","weight":1}',
      sent: 'a;b',
    });
  });

  it('[folder 9] downgrades the status of an answer, and of an error, where only requests differ', async () => {
    expect((await ask('/statuses', { upstreamStatus: 202 })).status).toBe(200);
    expect((await ask('/statuses', { upstreamStatus: 410 })).status).toBe(404);
  });

  it('[folder 12] downgrades the bytes of an answer where only requests differ', async () => {
    expect((await ask('/texts')).text).toBe('a;b');
  });
});
