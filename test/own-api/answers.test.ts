import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { next } from '../support/service/build-versions.ts';

const older = `
openapi: 3.1.0
info: { title: Things, version: "${next}" }
security: []
paths:
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: things:read
      parameters:
        - { name: X-Tenant, in: header, schema: { type: string } }
      responses:
        "200":
          description: A thing.
          headers:
            X-Left: { schema: { type: string } }
            Set-Login: { schema: { type: string } }
          content: { application/json: { schema: { type: object } } }
  /streams/{name}:
    parameters:
      - { name: name, in: path, required: true, schema: { type: string } }
    get:
      operationId: streams:read
      responses:
        "200":
          description: It comes bit by bit.
          content: { text/event-stream: {}, text/plain: {} }
`;

const newer = older.replace(
  '  /streams/{name}:',
  `    put:
      operationId: things:replace
      parameters:
        - { name: X-Reason, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        "204": { description: It is replaced. }
  /streams/{name}:`,
);

const changes = `
export const changes = [
  {
    name: 'addReplacing',
    kind: 'added',
    summary: 'Things can be replaced.',
    why: 'They break.',
    upgradeNote: 'Nothing is to do.',
    examples: [{ before: null, after: { request: 'PUT /things/{id}', body: {} } }],
    touches: ['things:replace'],
  },
];
`;

describe('the answers of an upstream', () => {
  const service = useTestFolder({
    contract: newer,
    frozen: older,
    files: { [`contract/changes/${next}-to-2026-10/index.mjs`]: changes },
    upstream: (request, response) => answer(request, response),
    settings: { idleSeconds: 1 },
    env: { DATELINE_REQUEST_SECONDS: '1' },
  });

  function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const name = url.split('/').at(-1) ?? '';
    if (url.startsWith('/things/'))
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-left': '3', etag: '"1"' })
        .end(JSON.stringify({ name }));
    else response.writeHead(404).end();
  }

  const call = (path: string, init?: RequestInit) => service.call('sandbox', path, init);

  describe('for scripts of other origins', () => {
    it('[folder 38] have the headers that their contract declares exposed', async () => {
      const answered = await call('/things/1');
      const exposed = answered.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['x-left', 'etag', 'Service-Version']));
      // What may never be declared is not passed on, and so not exposed.
      expect(exposed).not.toContain('set-login');
    });

    it('[folder 38] may be asked for with the methods and declared headers of every served version', async () => {
      const preflight = await call('/things/1', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
      });
      expect(preflight.status).toBe(204);
      const listed = (name: string) => preflight.headers.get(name)?.split(', ');
      expect(listed('access-control-allow-methods')?.sort()).toEqual(['GET', 'HEAD', 'PUT']);
      expect(listed('access-control-allow-headers')).toEqual(
        expect.arrayContaining(['Authorization', 'X-Tenant', 'X-Reason']),
      );
    });
  });
});
