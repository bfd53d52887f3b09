import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { timesAsLong } from '../support/run/processor-time.ts';
import { next } from '../support/service/build-versions.ts';

const contract = `
openapi: 3.1.0
info: { title: Worst, version: "${next}" }
security: []
paths:
  /forms:
    post:
      operationId: forms:send
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { type: object } }
          multipart/form-data: { schema: { type: object } }
      responses:
        "204": { description: Taken. }
  /documents:
    get:
      operationId: documents:list
      parameters:
        - { name: sort, in: query, schema: { type: array, items: { type: string } } }
        - { name: x-tags, in: header, schema: { type: array, items: { type: string } } }
      responses:
        "204": { description: Nothing. }
    post:
      operationId: documents:send
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                numbers: { type: array, items: { type: integer } }
                set: { type: array, uniqueItems: true }
                free: true
              additionalProperties: false
      responses:
        "204": { description: Taken. }
  /nodes:
    post:
      operationId: nodes:send
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Node" } } }
      responses:
        "204": { description: Taken. }
components:
  schemas:
    Node:
      type: object
      properties: { id: { type: string, readOnly: true } }
      anyOf: [{ $ref: "#/components/schemas/Folder" }, { $ref: "#/components/schemas/File" }]
    Folder: { type: object, properties: { kind: { const: folder }, child: { $ref: "#/components/schemas/Node" } } }
    File: { type: object, properties: { kind: { const: file }, child: { $ref: "#/components/schemas/Node" } } }
`;

/** What the framework takes of a body of ours. */
const BODY_BYTES = 250_000;
/** All headers of a request together are at most 16 KiB. */
const HEADER_BYTES = 14_000;

const FORM = 'application/x-www-form-urlencoded';
const names = (bytes: number): string =>
  Array.from({ length: bytes / 6 }, (_, index) => `n${index.toString(36).padStart(4, '0')}`).join('&');
const repeated = (text: string, bytes: number): string => text.repeat(bytes / text.length);
const uploaded = (parts: string) =>
  posted('/forms', 'multipart/form-data; boundary=x', `--x\r\n${parts}\r\n--x--\r\n`);
const disposition = 'content-disposition: form-data; name=';
const members = (bytes: number): string =>
  `{${Array.from({ length: bytes / 10 }, (_, index) => `"${index.toString(36).padStart(5, '0')}":0`).join()}}`;
const list = (item: string, bytes: number): string => `[${repeated(`${item},`, bytes)}${item}]`;

/** One in the other, so many times. */
const nested = (levels: number): string => `${'{"child":'.repeat(levels)}{}${'}'.repeat(levels)}`;

interface Call {
  path: string;
  body?: { type: string; text: string };
  headers?: Record<string, string>;
}

const posted = (path: string, type: string, text: string): Call => ({ path, body: { type, text } });
const asked = (path: string): Call => ({ path });
const withHeader = (path: string, name: string, value: string): Call => ({
  path,
  headers: { [name]: value },
});

/** Plain and worst, by what reads them. */
const inputs: Readonly<Record<string, readonly [plain: Call, worst: Call]>> = {
  'the names in continue of a form': [
    posted(
      '/account/consent',
      FORM,
      `continue=${encodeURIComponent(`/v1/oauth2/authorize?state=${repeated('v', 95_000)}`)}`,
    ),
    posted(
      '/account/consent',
      FORM,
      `continue=${encodeURIComponent(`/v1/oauth2/authorize?${names(95_000)}`)}`,
    ),
  ],
  'the names of a form': [
    posted('/v1/oauth2/token', FORM, `grant_type=${repeated('v', BODY_BYTES)}`),
    posted('/v1/oauth2/token', FORM, names(BODY_BYTES)),
  ],
  'a name of a form that is repeated': [
    posted('/v1/oauth2/token', FORM, `grant_type=${repeated('v', BODY_BYTES)}`),
    posted('/v1/oauth2/token', FORM, repeated('a&', BODY_BYTES)),
  ],
  'the names of a form of the folder': [
    posted('/forms', FORM, `a=${repeated('v', BODY_BYTES)}`),
    posted('/forms', FORM, names(BODY_BYTES)),
  ],
  'the parts of a form of the folder': [
    uploaded(`${disposition}a\r\n\r\n${repeated('v', BODY_BYTES)}`),
    uploaded(repeated(`${disposition}a\r\n\r\nv\r\n--x\r\n`, BODY_BYTES)),
  ],
  'the headers of a part': [
    uploaded(`${disposition}a\r\n\r\n${repeated('v', BODY_BYTES)}`),
    uploaded(`${repeated('a: b\r\n', BODY_BYTES)}${disposition}a\r\n\r\n`),
  ],
  'the names of a query': [
    asked(`/v1/oauth2/authorize?state=${repeated('v', HEADER_BYTES)}`),
    asked(`/v1/oauth2/authorize?${names(HEADER_BYTES)}`),
  ],
  'the names in continue of a query': [
    asked(
      `/account/sign-in?continue=${encodeURIComponent(`/v1/oauth2/authorize?state=${repeated('v', HEADER_BYTES)}`)}`,
    ),
    asked(`/account/sign-in?continue=${encodeURIComponent(`/v1/oauth2/authorize?${names(HEADER_BYTES)}`)}`),
  ],
  'a name of a query that is repeated': [
    asked(`/documents?sort=${repeated('v', HEADER_BYTES)}`),
    asked(`/documents?${repeated('sort=&', HEADER_BYTES)}`),
  ],
  'unknown fields': [
    posted('/v1/oauth2/register', 'application/json', `{"client_name":${list('"vvvv"', BODY_BYTES)}}`),
    posted('/v1/oauth2/register', 'application/json', members(BODY_BYTES)),
  ],
  'items that are there twice': [
    posted('/documents', 'application/json', `{"free":${list('0', BODY_BYTES)}}`),
    posted('/documents', 'application/json', `{"set":${list('0', BODY_BYTES)}}`),
  ],
  'items that are all wrong': [
    posted('/documents', 'application/json', `{"numbers":${list('0', BODY_BYTES)}}`),
    posted('/documents', 'application/json', `{"numbers":${list('0.5', BODY_BYTES)}}`),
  ],
  'lists in lists': [
    posted('/documents', 'application/json', `{"free":${list('[]', BODY_BYTES)}}`),
    posted(
      '/documents',
      'application/json',
      `{"free":${repeated('[', BODY_BYTES / 2)}${repeated(']', BODY_BYTES / 2)}}`,
    ),
  ],
  'levels of what contains itself in a choice': [
    posted('/nodes', 'application/json', nested(2)),
    posted('/nodes', 'application/json', nested(22)),
  ],
  'spaces in a list of a header': [
    withHeader('/documents', 'x-tags', `a${repeated('v', HEADER_BYTES)}b`),
    withHeader('/documents', 'x-tags', `a${repeated(' ', HEADER_BYTES)}b`),
  ],
  'escapes in names': [
    posted('/documents', 'application/json', `{"free":${list('{"aaaaaa":0}', BODY_BYTES)}}`),
    posted('/documents', 'application/json', `{"free":${list('{"\\u0061":0}', BODY_BYTES)}}`),
  ],
  ...Object.fromEntries(
    (
      [
        ['/account/grants', 'cookie', 'a=b; '],
        ['/versions', 'accept', 'a/b;q=0.1,'],
        ['/versions', 'if-none-match', 'W/"a", '],
        ['/v1/webhooks/endpoints', 'authorization', 'Bearer '],
        ['/v1/webhooks/endpoints', 'service-version', '2027-01, '],
        ['/v1/webhooks/endpoints', 'x-forwarded-for', '127.0.0.1, '],
        ['/documents', 'traceparent', '00-'],
        ['/documents', 'prefer', 'a=b, '],
        ['/documents', 'idempotency-key', 'a,'],
      ] as const
    ).map(([path, name, item]): [string, [Call, Call]] => [
      `the header ${name}`,
      [
        withHeader(path, name, repeated('v', HEADER_BYTES)),
        withHeader(path, name, repeated(item, HEADER_BYTES).trim()),
      ],
    ]),
  ),
};

describe('what callers send', () => {
  const service = useTestFolder({
    contract,
    upstream: (request, response) => void request.resume().on('end', () => response.writeHead(204).end()),
  });

  async function send({ path, body, headers = {} }: Call): Promise<number> {
    const response = await service.call('sandbox', path, {
      headers: { ...headers, ...(body ? { 'content-type': body.type } : {}) },
      redirect: 'manual',
      ...(body ? { method: 'POST', body: body.text } : {}),
    });
    await response.arrayBuffer();
    return response.status;
  }

  it.each(Object.entries(inputs))(
    '[outside2 2] costs about the same whatever it is: %s',
    async (_what, [plain, worst]) => {
      expect(await send(worst)).toBeLessThan(500);
      expect(await timesAsLong({ plain: () => send(plain), worst: () => send(worst) })).toBeLessThan(20);
    },
  );

  it('[outside2 2] is a thousand names at most in a form or a query, and 400 beyond', async () => {
    const fields = (count: number): string =>
      Array.from({ length: count }, (_, index) => `n${index}`).join('&');
    const parts = (count: number): string =>
      Array.from({ length: count }, (_, index) => `${disposition}"n${index}"\r\n\r\nv`).join('\r\n--x\r\n');
    const statuses = async (count: number): Promise<number[]> => [
      await send(posted('/forms', FORM, fields(count))),
      await send(uploaded(parts(count))),
    ];
    expect(await statuses(1_000)).toEqual([204, 204]);
    expect(await statuses(1_001)).toEqual([400, 400]);
    const words = async (count: number): Promise<string> =>
      (await service.call('sandbox', `/v1/oauth2/authorize?${fields(count)}`)).text();
    expect(await words(1_000)).toContain('client_id is missing.');
    expect(await words(1_001)).toContain('There are more than 1000 parameters.');
  });

  it('[outside2 10] is told the first twenty of its mistakes, and by name', async () => {
    const told = async (path: string, text: string): Promise<string[]> => {
      const headers = { 'content-type': 'application/json', 'service-version': next };
      const response = await service.call('sandbox', path, { method: 'POST', body: text, headers });
      const { detail } = (await response.json()) as { detail?: string; error_description?: string };
      return (detail ?? '').split('; ');
    };
    const unknown = await told('/documents', members(BODY_BYTES));
    expect([unknown.length, unknown[0], unknown[19]]).toEqual([
      20,
      '00000 is not a field of this request',
      '0000j is not a field of this request.',
    ]);
    const wrong = await told('/documents', `{"numbers":${list('0.5', BODY_BYTES)}}`);
    expect([wrong.length, wrong[19]]).toEqual([20, 'numbers.19 must be integer.']);
    expect(await told('/documents', '{"set":[{"a":1,"b":2},{"b":2,"a":1}]}')).toEqual([
      'set must not have duplicate items.',
    ]);
    expect(await told('/documents', '{"a":1,"b":2,"numbers":["c"]}')).toEqual([
      'a is not a field of this request',
      'b is not a field of this request',
      'numbers.0 must be integer.',
    ]);
  });

  it('[outside2 2] follows what a form continues with only after its token was checked', async () => {
    const body = new URLSearchParams({ continue: `/v1/oauth2/authorize?client_id=nobody`, form_token: 'x' });
    const response = await service.call('sandbox', '/account/consent', { method: 'POST', body });
    // It would be 400 if the client had been looked for.
    expect(response.status).toBe(403);
  });
});
