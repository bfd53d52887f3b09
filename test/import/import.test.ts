import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { valueAt } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createFolderReader } from '../../src/api/folder/folder-contract.ts';
import { createDocumentTree } from '../../src/api/import/document-tree.ts';
import { createNotes, ENTRY } from '../../src/api/import/import-notes.ts';
import { upgradeSchemas } from '../../src/api/import/upgrade-schemas.ts';
import { unaccounted } from '../support/documents/accounted.ts';
import { answering, importPlace, smallDocument } from '../support/documents/import-here.ts';
import { checkedFolder } from '../support/folder/checked-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';

const swagger = resolve('examples/legacy-shop/swagger.json');

/** The files that a folder made by `init` has, and those of an import. */
const FILES = ['.gitignore', 'IMPORT.md', 'contract', 'dateline.config.mjs', 'imported'];

describe('dateline import', () => {
  it('makes a folder of a document of Swagger 2.0 that passes contract check, and accounts for all of it', async () => {
    const place = importPlace();
    const { err } = await place.import(swagger);
    expect(err).toContain('5 operations');
    expect(readdirSync(place.folder).sort()).toEqual(FILES);
    const { config, next: version, frozen } = await checkedFolder(place.folder);
    expect(version).toBe(next);
    expect(Object.keys(frozen.documents).sort()).toEqual([deprecated, current]);
    expect(frozen.lock.founding).toBe(true);
    expect(unaccounted(swagger, place.folder)).toEqual([]);
    expect(config.title).toBe('Legacy Shop');
    expect(config.upstream).toMatchObject({
      production: 'https://shop.example.com/api/v4',
      sandbox: 'http://127.0.0.1:7101/api/v4',
      audience: 'https://shop.example.com',
    });
    expect(Object.keys(config.scopes)).toEqual(['orders:read', 'orders:write']);
    expect(config.security).toEqual({ key: { scopes: [] } });
    expect(config.open).toEqual(['health:read']);
  });

  it('says what Swagger 2.0 says in the words of OpenAPI 3.1', async () => {
    const place = importPlace();
    await place.import(swagger);
    const document = place.next();
    expect(Object.keys(document)).toEqual([
      'openapi',
      'info',
      'servers',
      'security',
      'tags',
      'paths',
      'components',
    ]);
    expect(valueAt(document, '/components/schemas/NewOrder/properties')).toEqual({
      item: { type: 'string', example: 'Umbrella' },
      qty: { type: 'integer', exclusiveMinimum: 0, example: 2 },
      note: { type: ['string', 'null'] },
    });
    expect(valueAt(document, '/paths/~1orders/get/parameters/0')).toEqual({
      name: 'state',
      in: 'query',
      description: 'Only orders in one of these states.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: ['placed', 'sent'] } },
    });
    expect(valueAt(document, '/paths/~1orders~1{id}~1invoice/put/requestBody')).toEqual({
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: {
              file: { type: 'string', format: 'binary' },
              note: { type: 'string', maxLength: 200 },
            },
          },
        },
      },
    });
    expect(place.read('IMPORT.md')).toContain(
      '- `/paths/~1orders~1{id}/get/parameters/0`: it must be path, query or header',
    );
  });

  it('keeps words, order, layout and comments of YAML, and makes ids that are missing', async () => {
    const place = importPlace();
    const text = `openapi: 3.1.0
info:
  title: Notes # the name
  version: 2.3.0
servers:
  - { url: "https://{region}.notes.example/v1", variables: { region: { default: eu } } }
  - url: https://sandbox.notes.example/v1
security: [{ login: [notes:read] }]
paths:
  # All of them.
  /notes:
    get:
      summary: List notes
      responses:
        "200": { description: "Notes, newest first.", content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Note" } } } } }
    post:
      operationId: addNote
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } } }
      responses: { "201": { description: Added. } }
  /notes/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: It. } }
components:
  securitySchemes:
    login: { type: oauth2, flows: { clientCredentials: { tokenUrl: https://login.example, scopes: { "notes:read": Read notes } } } }
  schemas:
    Note: { type: object, properties: { text: { type: string } } } # short
`;
    const file = place.write('notes.yaml', text);
    await place.import(file);
    const made = place.read('contract/next.yaml');
    expect(made).toContain('title: Notes # the name');
    expect(made).toContain('# All of them.');
    expect(made).toContain('# short');
    expect(valueAt(parse(made), '/info/version')).toBe(next);
    expect(valueAt(parse(made), '/paths/~1notes/get/operationId')).toBe('notes:list');
    expect(valueAt(parse(made), '/paths/~1notes~1{id}/get/operationId')).toBe('notes:read');
    expect(unaccounted(file, place.folder)).toEqual([]);
    const { config } = await checkedFolder(place.folder);
    expect(config.upstream).toMatchObject({
      production: 'https://eu.notes.example/v1',
      sandbox: 'https://sandbox.notes.example/v1',
    });
    expect(config.scopes).toEqual({ 'notes:read': { consent: 'Read notes', organization: true } });
  });

  it('writes YAML with aliases anew, so that each place has its own', async () => {
    const place = importPlace();
    const answers = '{ "200": { description: Shared. } }';
    const file = place.write(
      'aliases.yaml',
      `openapi: 3.1.0\ninfo: { title: Aliases, version: "1" }\npaths:\n  /a: { get: &a { responses: ${answers} } }\n  /b: { get: *a }\n`,
    );
    await place.import(file);
    const document = parse(place.read('contract/next.yaml'));
    expect(valueAt(document, '/paths/~1a/get/operationId')).toBe('a:read');
    expect(valueAt(document, '/paths/~1b/get/operationId')).toBe('b:read');
  });

  it('keeps several files as several files, in which 3.0 becomes 3.1', async () => {
    const place = importPlace();
    const file = place.write(
      'openapi.yaml',
      `openapi: 3.0.3
info: { title: Parts, version: "1" }
paths:
  /parts: { $ref: paths/parts.yaml }
components:
  schemas:
    Part: { $ref: schemas/part.json }
`,
    );
    place.write(
      'paths/parts.yaml',
      `get:
  tags: [parts]
  responses:
    "200": { description: One., content: { application/json: { schema: { $ref: "../openapi.yaml#/components/schemas/Part" } } } }
`,
    );
    place.write('schemas/part.json', {
      type: 'object',
      properties: { size: { type: 'integer', nullable: true } },
    });
    await place.import(file);
    expect(parse(place.read('contract/paths/parts.yaml'))).toMatchObject({
      get: {
        operationId: 'parts:list',
        responses: {
          '200': {
            content: { 'application/json': { schema: { $ref: '../next.yaml#/components/schemas/Part' } } },
          },
        },
      },
    });
    expect(JSON.parse(place.read('contract/schemas/part.json')).properties.size).toEqual({
      type: ['integer', 'null'],
    });
    expect(place.read('IMPORT.md')).toContain('`schemas/part.json#/properties/size/nullable`');
    await checkedFolder(place.folder);
  });

  it('makes one file of Swagger 2.0 in several files', async () => {
    const place = importPlace();
    const shared = { type: 'object', properties: { inner: { $ref: 'thing.json#/Inner' } } };
    const file = place.write('swagger.json', {
      swagger: '2.0',
      info: { title: 'Things', version: '1' },
      paths: {
        '/things': {
          get: { responses: { '200': { description: 'It.', schema: { $ref: 'thing.json#/Thing' } } } },
        },
      },
    });
    place.write('thing.json', { Thing: shared, Inner: { type: 'string' } });
    await place.import(file);
    expect(place.next()).toMatchObject({
      components: {
        schemas: {
          Thing: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
          Inner: { type: 'string' },
        },
      },
    });
    await checkedFolder(place.folder);
  });

  it('leaves out what cannot be served, with its place and its reason, so that the rest works', async () => {
    const place = importPlace();
    const file = place.write(
      'odd.json',
      smallDocument({
        '/': { get: answering() },
        '/things': {
          get: answering({
            parameters: [
              { name: 'a', in: 'cookie', schema: { type: 'string' } },
              { name: 'b', in: 'cookie', schema: {} },
              { name: 'c', in: 'query', schema: { type: 'string' } },
            ],
          }),
          trace: answering(),
          post: answering({
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      code: { type: 'string', pattern: '^(a+)+$' },
                      size: { type: 'integer', divisibleBy: 2 },
                      far: { $ref: 'https://example.com/far.json' },
                    },
                  },
                },
              },
            },
          }),
        },
        '/things#one': { get: answering() },
        '/range': {
          get: {
            responses: {
              '100': { description: 'Wait.' },
              '200': { description: 'It.', content: { '*/*': { schema: { type: 'object' } } } },
            },
          },
        },
        '/silent': { get: { responses: { '404': { description: 'No.' } } } },
      }),
    );
    await place.import(file);
    const report = place.read('IMPORT.md');
    for (const named of [
      '/paths/~1things/get/parameters/0',
      '/paths/~1things/get/parameters/1',
      '/paths/~1things/trace',
      '/paths/~1things#one',
      '/paths/~1range/get/responses/100',
      '/paths/~1range/get/responses/200/content/*~1*',
      '/paths/~1silent/get/responses/200',
    ])
      expect(report).toContain(`\`${named}\``);
    for (const member of ['code/pattern', 'size/divisibleBy', 'far/$ref'])
      expect(report).toContain(
        `\`/paths/~1things/post/requestBody/content/application~1json/schema/properties/${member}\``,
      );
    expect(valueAt(place.next(), '/paths/~1things/get/parameters')).toEqual([
      { name: 'c', in: 'query', schema: { type: 'string' } },
    ]);
    expect(unaccounted(file, place.folder)).toEqual([]);
    const { config } = await checkedFolder(place.folder);
    expect(config.mount).toBe('/api');
  });

  it('names places as they are in the document, also after what stood before them is gone', async () => {
    const place = importPlace();
    const cookie = { name: 'a', in: 'cookie', schema: { type: 'string' } };
    const parameters = [cookie, { $ref: '#/components/parameters/Session' }];
    const file = place.write(
      'moved.json',
      smallDocument(
        { '/things': { get: answering({ parameters }) } },
        { components: { parameters: { Session: { ...cookie, name: 'session' } } } },
      ),
    );
    await place.import(file);
    for (const named of ['/paths/~1things/get/parameters/0', '/paths/~1things/get/parameters/1'])
      expect(place.read('IMPORT.md')).toContain(`\`${named}`);
    expect(unaccounted(file, place.folder)).toEqual([]);
  });

  it('refuses with --strict what would be left out, and makes no folder', async () => {
    const place = importPlace();
    const file = place.write(
      'odd.json',
      smallDocument({ '/things': { get: answering(), trace: answering() } }),
    );
    expect(await place.refusal(file, '--strict')).toContain(
      '/paths/~1things/trace: the method trace is not served',
    );
    expect(existsSync(place.folder)).toBe(false);
    const good = place.write('good.json', smallDocument({ '/things': { get: answering() } }));
    await place.import(good, '--strict');
  });

  it('takes uploads, oneOf and webhooks as they are', async () => {
    const place = importPlace();
    const choice = {
      oneOf: [
        { type: 'object', required: ['cat'], properties: { cat: { type: 'string' } } },
        { type: 'integer' },
      ],
    };
    const file = place.write(
      'uploads.json',
      smallDocument(
        {
          '/files': {
            post: answering({
              operationId: 'upload',
              requestBody: {
                content: {
                  'multipart/form-data': {
                    schema: {
                      type: 'object',
                      properties: { file: { type: 'string', format: 'binary' }, about: choice },
                    },
                  },
                  'image/png': { schema: { type: 'string', format: 'binary' } },
                },
              },
            }),
          },
        },
        {
          webhooks: {
            'file.stored': {
              post: {
                requestBody: {
                  content: {
                    'application/json': {
                      schema: { type: 'object', properties: { name: { type: 'string' } } },
                    },
                  },
                },
                responses: { '200': { description: 'Thanks.' } },
              },
            },
          },
        },
      ),
    );
    await place.import(file);
    expect(unaccounted(file, place.folder)).toEqual([]);
    expect(place.read('IMPORT.md')).toMatch(/## Left out\n\nNothing/);
    expect(place.read('IMPORT.md')).toContain('| operations, webhooks | 1, 1 |');
    await checkedFolder(place.folder);
  });

  it('makes webhooks of x-webhooks, which documents of 3.0 have', async () => {
    const place = importPlace();
    const schema = { type: 'object', properties: { name: { type: 'string', nullable: true } } };
    const post = {
      requestBody: { content: { 'application/json': { schema } } },
      responses: { '200': { description: 'Thanks.' } },
    };
    const others = { 'x-webhooks': { 'thing.made': { post }, 'thing.lost': { get: answering() } } };
    const file = place.write(
      'hooks.json',
      smallDocument({ '/things': { get: answering() } }, others, '3.0.3'),
    );
    await place.import(file);
    expect(place.next().webhooks).toMatchObject({ 'thing.made': { post: {} } });
    expect(place.read('IMPORT.md')).toContain('`/x-webhooks/thing.lost');
    expect(place.read('IMPORT.md')).toContain('schema/properties/name/nullable`');
    expect(unaccounted(file, place.folder)).toEqual([]);
    await checkedFolder(place.folder);
  });

  it('gives ids that are unique and always the same, and renames one that is taken', async () => {
    const place = importPlace();
    const item = (parameter: string) => ({
      parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'string' } }],
    });
    const file = place.write(
      'ids.json',
      smallDocument({
        '/pets/{id}/toys': { ...item('id'), get: answering() },
        '/pets/toys': { get: answering() },
        '/a': { get: answering({ operationId: 'same' }) },
        '/b': { get: answering({ operationId: 'same' }), post: answering({ operationId: 'toString' }) },
      }),
    );
    await place.import(file);
    const paths = place.next().paths as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((one) =>
      [one.get?.operationId, one.post?.operationId].filter(Boolean),
    );
    expect(ids).toEqual(['pets:toys:list', 'pets:toys:list-2', 'same', 'b:read', 'b:create']);
    expect(unaccounted(file, place.folder)).toEqual([]);
  });

  it('asks for a token where a document says nothing about who may call, or names a scheme that is not there', async () => {
    const place = importPlace();
    const file = place.write(
      'silent.json',
      smallDocument({
        '/pets': { get: answering({ tags: ['Small Pets'] }), post: answering({ tags: ['webhooks'] }) },
      }),
    );
    await place.import(file);
    const { config } = await checkedFolder(place.folder);
    expect(Object.keys(config.scopes)).toEqual(['small-pets:read', 'api-webhooks:write']);
    expect(config.open).toEqual([]);
    expect(valueAt(place.next(), '/paths/~1pets/get/security')).toEqual([{ dateline: ['small-pets:read'] }]);
    expect(valueAt(place.next(), '/paths/~1pets/post/security')).toEqual([
      { dateline: ['api-webhooks:write'] },
    ]);
    const other = importPlace();
    await other.import(
      other.write(
        'missing.json',
        smallDocument({ '/pets': { get: answering({ security: [{ nowhere: [] }] }) } }),
      ),
    );
    const read = await checkedFolder(other.folder);
    expect(read.config.open).toEqual([]);
  });

  it('never opens what it cannot read: an operation with a broken security is left out', async () => {
    const place = importPlace();
    const file = place.write(
      'broken.json',
      smallDocument({
        '/open': { get: answering({ security: [] }) },
        '/broken': { get: answering({ security: 'key' }) },
      }),
    );
    await place.import(file);
    expect(place.next().paths).toMatchObject({ '/open': { get: {} } });
    expect(valueAt(place.next(), '/paths/~1broken/get')).toBeUndefined();
    expect(place.read('IMPORT.md')).toContain('`/paths/~1broken/get`');
  });

  it('says what it did in JSON, and names the folder after the title', async () => {
    const place = importPlace();
    const { out } = await place.import(swagger, '--json');
    expect(JSON.parse(out)).toMatchObject({
      folder: place.folder,
      title: 'Legacy Shop',
      operations: 5,
      counts: { 'left out': 1 },
    });
    expect(existsSync(join(place.folder, 'imported/contract/next.yaml'))).toBe(true);
  });
});

describe('OpenAPI 3.0 in the keywords of 3.1', () => {
  it('means the same to the reader of API folders', () => {
    const schemas: Record<string, object> = {
      plain: { type: 'string', nullable: true },
      never: { type: 'string', nullable: false },
      values: { type: 'string', enum: ['a', 'b'], nullable: true },
      untyped: { nullable: true, description: 'Anything.' },
      choice: {
        oneOf: [{ type: 'string' }, { type: 'integer' }],
        nullable: true,
        description: 'One of them.',
      },
      referring: { $ref: '#/components/schemas/plain', nullable: true },
      above: { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      nested: {
        type: 'array',
        items: { type: 'object', properties: { nullable: { type: 'boolean', nullable: true } } },
        nullable: true,
      },
      example: { type: 'object', example: { nullable: true, exclusiveMinimum: true, minimum: 1 } },
    };
    const properties = Object.fromEntries(
      Object.keys(schemas).map((name) => [name, { $ref: `#/components/schemas/${name}` }]),
    );
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    const document = {
      openapi: '3.0.3',
      info: { title: 'Same', version: next },
      paths: {
        '/same': {
          post: { requestBody: { content }, responses: { '200': { description: 'It.', content } } },
        },
      },
      components: { schemas },
    };
    const upgraded = structuredClone(document);
    upgradeSchemas(createDocumentTree(new Map([[ENTRY, upgraded]])), createNotes());
    expect(upgraded).not.toEqual(document);
    expect(upgraded.components.schemas.example).toEqual(schemas.example);
    const [older, newer] = [document, upgraded].map((one) => createFolderReader({ open: '*' })(one));
    expect(older?.problems).toEqual([]);
    expect(newer).toEqual(older);
  });
});

describe('the comparison of a document and its folder', () => {
  it('sees what IMPORT.md does not name', async () => {
    const place = importPlace();
    const file = place.write(
      'small.json',
      smallDocument({ '/things': { get: answering({ operationId: 'read' }) } }),
    );
    await place.import(file);
    expect(unaccounted(file, place.folder)).toEqual([]);
    const other = place.write(
      'other.json',
      smallDocument({
        '/things': {
          get: answering({ operationId: 'read', parameters: [{ name: 'gone', in: 'query', schema: {} }] }),
        },
      }),
    );
    expect(unaccounted(other, place.folder)).toEqual(['/paths/~1things/get/parameters']);
  });
});
