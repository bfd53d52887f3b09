import { canonicalForm, contractHash, type JsonSchema } from '@dateline/versions';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import lock from '../../src/contracts/frozen/lock.json' with { type: 'json' };
import { answerHeaders, securitySchemes, tags, webhookHeaders } from '../../src/contracts/prose/about.ts';
import { subjectsOf } from '../../src/contracts/prose/index.ts';
import type { Fields } from '../../src/contracts/prose/prose.ts';
import { errorFields, sharedFields } from '../../src/contracts/prose/shared.ts';
import {
  type Content,
  contractOf,
  documentOf,
  operationsIn,
  type Part,
  type ServedOperation,
  webhooksIn,
  withEnums,
  withoutOverlay,
} from '../support/contracts/served-documents.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { current, deprecated, maintained, next, versionsSince } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

/** Every schema inside a schema that is a field, with its path. */
function fieldsIn(schema: JsonSchema, path: string): [string, JsonSchema][] {
  const {
    properties = {},
    anyOf = [],
    items,
  } = schema as {
    properties?: Record<string, JsonSchema>;
    anyOf?: JsonSchema[];
    items?: JsonSchema;
  };
  return [
    ...Object.entries(properties).flatMap(([name, field]): [string, JsonSchema][] => [
      [`${path}.${name}`, field],
      ...fieldsIn(field, `${path}.${name}`),
    ]),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((part) => fieldsIn(part, path)),
  ];
}

function contentsOf({ id, requestBody, responses }: ServedOperation): [string, Content][] {
  const bodies: [string, Readonly<Record<string, Content>> | undefined][] = [
    [`${id} request`, requestBody?.content],
    ...Object.entries(responses).map(
      ([status, { content }]) => [`${id} ${status}`, content] as [string, typeof content],
    ),
  ];
  return bodies.flatMap(([name, content]) =>
    Object.values(content ?? {}).map((body) => [name, body] as [string, Content]),
  );
}

const isSaid = (text: unknown): boolean => typeof text === 'string' && /^\S[\s\S]*\.$/.test(text);

/** What of an operation has no words. */
function silences(operation: ServedOperation): string[] {
  const { id, parameters, responses } = operation;
  const said: [string, unknown][] = [
    [id, operation.description],
    [`${id} summary`, `${operation.summary}.`],
    ...parameters.map(({ name, description }): [string, unknown] => [`${id} ${name}`, description]),
    ...Object.entries(responses).flatMap(([status, { description, headers = {} }]): [string, unknown][] => [
      [`${id} ${status}`, description],
      ...Object.entries(headers).map(([name, header]): [string, unknown] => [
        `${id} ${status} ${name}`,
        header.description,
      ]),
    ]),
    ...contentsOf(operation)
      .flatMap(([name, { schema }]) => fieldsIn(schema, name))
      .map(([name, { description }]): [string, unknown] => [name, description]),
  ];
  return said.filter(([, text]) => !isSaid(text)).map(([name]) => name);
}

/** Examples that are missing, or that their own schema refuses. */
function exampleProblems(operation: ServedOperation): string[] {
  const shown: [string, JsonSchema, unknown][] = [
    ...operation.parameters.map(({ name, schema, example }): [string, JsonSchema, unknown] => [
      `${operation.id} ${name}`,
      schema,
      example,
    ]),
    ...contentsOf(operation).flatMap(([name, { schema, example, examples }]) => {
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      return values.map((value): [string, JsonSchema, unknown] => [name, schema, value]);
    }),
    ...contentsOf(operation).flatMap(([name, { schema }]) =>
      fieldsIn(schema, name).flatMap(([field, part]) =>
        ((part.examples ?? []) as unknown[]).map((value): [string, JsonSchema, unknown] => [
          field,
          part,
          value,
        ]),
      ),
    ),
  ];
  return shown
    .filter(([, schema, value]) => value === undefined || !Compile(schema).Check(value))
    .map(([name, , value]) => `${name}: ${JSON.stringify(value)}`);
}

describe.each(maintained)('the document of %s', (version) => {
  const document = documentOf(version);
  const operations = operationsIn(document);
  const webhooks = webhooksIn(document);

  it('has words for every operation, parameter, field, answer and header', () => {
    expect([...operations, ...webhooks].flatMap(silences)).toEqual([]);
    for (const tag of document.tags as Part[]) expect(isSaid(tag.description), tag.name as string).toBe(true);
    const { securitySchemes: schemes } = document.components as Record<string, Record<string, Part>>;
    for (const scheme of Object.values(schemes ?? {})) expect(isSaid(scheme.description)).toBe(true);
    expect(document.info).toMatchObject({
      version,
      description: expect.stringContaining('grant_type=client_credentials'),
      contact: { url: 'https://auth.example.com' },
      license: { identifier: 'MIT' },
    });
    expect(document.servers).toEqual([{ url: 'https://auth.example.com' }]);
  });

  it('has an example of everything that is sent, and each fits its schema', () => {
    expect([...operations, ...webhooks].flatMap(exampleProblems)).toEqual([]);
  });

  it('tells every operation’s version, its 404 and who may call it', () => {
    for (const { id, parameters, responses, security } of operations) {
      expect(parameters[0], id).toMatchObject({
        name: 'Service-Version',
        in: 'header',
        required: true,
        schema: { const: version },
      });
      const schema = responses[404]?.content?.['application/json']?.schema ?? {};
      const refused = { error: 'version_not_found', detail: '', reason: 'removed', supported: [], current };
      expect(Compile(schema).Check(refused), id).toBe(true);
      expect(Array.isArray(security), id).toBe(true);
    }
    for (const { id, parameters } of webhooks)
      expect(
        parameters.map(({ name }) => name),
        id,
      ).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'webhook-api-version']);
  });

  it('has enums instead of choices of constants', () => {
    const found: unknown[] = [];
    JSON.parse(JSON.stringify(document), (key, value) => {
      if (key === 'anyOf' && value.every((choice: Part) => typeof choice.const === 'string'))
        found.push(value);
      return value;
    });
    expect(found).toEqual([]);
  });

  it('[versions 61] is its contract, less what is added to every contract', () => {
    const locked: string =
      (lock.sha256 as Record<string, string>)[version] ?? contractHash(contractOf(version));
    expect(contractHash(contractOf(version))).toBe(locked);
    expect(canonicalForm(withoutOverlay(document))).toBe(canonicalForm(withEnums(contractOf(version))));
  });
});

describe('the words of the documents', () => {
  it('are all used, but for those of versions that have been removed', () => {
    const isLeft = ({ lastIn }: { lastIn?: string }): boolean => lastIn !== undefined && lastIn < deprecated;
    const texts = (fields: Fields): string[] =>
      Object.values(fields).flatMap((prose) => (isLeft(prose) ? [] : [prose.description]));
    const written = maintained.flatMap((version) => [
      ...subjectsOf(version).flatMap(({ operations, events, fields }) => [
        ...texts(fields),
        ...Object.values(events),
        ...Object.values(operations).flatMap((prose) =>
          isLeft(prose)
            ? []
            : [prose.description, ...Object.values(prose.answers), ...texts(prose.fields ?? {})],
        ),
      ]),
      ...texts(answerHeaders(version)),
      ...texts(webhookHeaders(version)),
    ]);
    const all = [...written, ...texts(sharedFields), ...texts(errorFields)];
    const documents = maintained.map((version) => JSON.stringify(documentOf(version))).join('');
    const isUsed = (text: string): boolean => documents.includes(JSON.stringify(text).slice(1, -1));
    expect([...new Set(all)].filter((text) => !isUsed(text))).toEqual([]);
    for (const text of [...Object.values(tags), ...Object.values(securitySchemes)])
      expect(isUsed(text), text).toBe(true);
  });
});

onPostgresFirst('served documents', (engine) => {
  const service = useTestService(engine);
  const read = (version: string) => service.call('sandbox', `/versions/${version}/openapi.json`);

  it('are the ones of this environment', async () => {
    for (const version of maintained)
      expect(await (await read(version)).json()).toEqual(documentOf(version, service.urls.sandbox));
  });

  it('name the headers that their versions answer with', async () => {
    const common = ['service-version', 'x-request-id'];
    const expected = {
      [deprecated]: [...common, 'deprecation', 'sunset', 'link'],
      [current]: common,
      [next]: common,
    };
    for (const version of maintained) {
      const { headers } = await service.call('sandbox', '/v1/products', {
        headers: { 'service-version': version, authorization: 'Bearer none' },
      });
      const list = operationsIn(documentOf(version)).find(({ id }) => id === 'products:list');
      const documented = Object.keys(list?.responses[401]?.headers ?? {}).map((name) => name.toLowerCase());
      expect(documented).toEqual([...(expected[version] ?? []), 'www-authenticate']);
      for (const name of documented)
        expect([version, name, headers.has(name)]).toEqual([version, name, true]);
      expect([version, headers.has('deprecation')]).toEqual([version, documented.includes('deprecation')]);
    }
  });

  it.each(versionsSince('2027-01'))(
    'tell where %s goes on from what it always redirects, and what may happen instead',
    async (version) => {
      const operation = operationsIn(documentOf(version)).find(({ id }) => id === 'oauth2:post_authorize');
      const { 303: redirect, default: other } = operation?.responses ?? {};
      const posted = await service.call('sandbox', '/v1/oauth2/authorize', {
        method: 'POST',
        redirect: 'manual',
        headers: { 'service-version': version },
        body: new URLSearchParams({ response_type: 'code', client_id: 'none' }),
      });
      expect([posted.status, posted.headers.has('location')]).toEqual([303, true]);
      expect(Object.keys(redirect?.headers ?? {})).toContain('Location');
      // What refuses an Expect is the edge, as it does everything while a node starts or drains.
      const refused = await sendRaw(
        service.urls.sandbox,
        `POST /v1/oauth2/authorize HTTP/1.1\r\nHost: x\r\nService-Version: ${version}\r\nExpect: more\r\nConnection: close\r\n\r\n`,
      );
      const [head = '', body = ''] = refused.split('\r\n\r\n');
      const type = /content-type: ([^;\r]+)/i.exec(head)?.[1] ?? '';
      const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
      expect(head).toContain('HTTP/1.1 417');
      expect(Compile(other?.content?.[type]?.schema ?? { not: {} }).Check(JSON.parse(json))).toBe(true);
    },
  );

  it('can be read by scripts of any site, as can /versions and the release notes', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    for (const path of ['', `/${current}/openapi.json`, `/${next}/release-notes`, '/none/openapi.json']) {
      const answer = await service.call('sandbox', `/versions${path}`, { headers });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, '*']);
    }
    const preflight = await service.call('sandbox', `/versions/${current}/openapi.json`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'service-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Service-Version');
    for (const path of ['/', `/docs/${current}`, '/versionsandmore']) {
      const answer = await service.call('sandbox', path, { headers });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});
