import type { RequestListener } from 'node:http';
import { current, next } from '../service/build-versions.ts';
import type { TestFolder } from './test-folder.ts';

const inner = `
      type: object
      required: [code, message, request_id]
      additionalProperties: false
      properties:
        code: { type: string }
        message: { type: string }
        request_id: { type: string }
        fields: { type: array, items: { type: string } }
`;
const nested = `
      type: object
      required: [error]
      additionalProperties: false
      properties:
        error: { ${'$ref'}: "#/components/schemas/Inner" }
`;
const document = (error: string): string => `
openapi: 3.1.0
info: { title: Things, version: "${next}" }
paths:
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: things:read
      security: [{ token: ["things:read"] }]
      responses:
        "200": { description: It., content: { application/json: { schema: { type: object } } } }
        "404":
          description: It is not there.
          headers: { X-Trace: { description: Where to look., schema: { type: string } } }
          content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } }
        "409": { description: It is locked., x-error-codes: ["thing:locked"] }
        "429": { description: Too much. }
        default: { description: No., content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
    put:
      operationId: things:write
      security: [{ token: ["things:write"] }]
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [name], properties: { name: { type: string }, size: { type: integer }, throws: { type: integer }, lies: { type: integer } } }
      responses:
        "204": { description: It. }
        default: { description: No., content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
  /open:
    get:
      operationId: open:read
      security: []
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        "200": { description: It., content: { application/json: { schema: { type: object } } } }
components:
  securitySchemes: { token: { type: oauth2, flows: {} } }
  schemas:
    Inner:${inner}
    Error:${error}
`;

const changes = `
const flat = ({ error }) => error;
export const changes = [
  {
    name: 'nestErrors', kind: 'changed', summary: 'Errors are nested.', why: 'So.', upgradeNote: 'Read error.',
    examples: [{ before: null, after: { answerTo: 'GET /things/{id}', status: 404, body: { error: {} } } }],
    touches: ['things:read.**', 'things:write.**'],
    downgradeErrorBody: { 'things:read': flat, 'things:write': flat, 'open:read': flat },
  },
];
`;

const errors = `
export const schema = 'Error';
export default ({ status, code, detail, errors, requestId, version, operation }) => {
  const fields = errors.map((field) => field.in + ' ' + field.pointer + ' ' + field.message);
  if (fields.some((field) => field.includes('/throws'))) throw new Error('it throws');
  if (fields.some((field) => field.includes('/lies'))) return { body: { wrong: true } };
  const error = { code, message: detail, request_id: requestId, ...(fields.length > 0 && { fields }) };
  const isOld = operation === null && version < '${next}';
  return { body: isOld ? error : { error }, ...(status === 422 && { status: 400 }) };
};
`;

const upstream: RequestListener = (request, response) => {
  const name = request.url?.split('/').at(-1) ?? '';
  if (name === 'slow') return;
  if (name === 'broken') return void response.destroy();
  if (name === 'gone') {
    const error = { code: 'gone', message: 'It was here.', request_id: 'theirs' };
    const headers = { 'content-type': 'application/json', 'x-trace': 'T' };
    return void response.writeHead(404, headers).end(JSON.stringify({ error }));
  }
  const status = name === 'often' ? 429 : name === 'locked' ? 409 : 200;
  const wait = status === 429 ? { 'retry-after': '7' } : {};
  response.writeHead(status, { 'content-type': 'text/plain', ...wait }).end('x');
};

/**
 * An API whose errors are nested in Next and flat before. One operation declares its errors, one has those of any status, and one
 * has none. With `errors.mjs`, Dateline writes its own errors as the API does.
 */
export const thingsFolder = (has: { errors: boolean }): TestFolder => ({
  contract: document(nested),
  frozen: document(inner),
  files: {
    [`contract/changes/${next}-to-${current}/index.mjs`]: changes,
    ...(has.errors && { 'errors.mjs': errors }),
  },
  scopes: ['things:read', 'things:write'],
  upstream,
  settings: { timeoutSeconds: 3, requestBytesMax: 1_024, inFlightPerClientMax: 1 },
});
