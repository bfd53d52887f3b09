import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const text = { type: 'string' };
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answers = (schema: object) => ({
  200: { description: 'Good.', content: { 'application/json': { schema } } },
});

describe('components that nothing uses', () => {
  const schemas = {
    Pet: {
      type: 'object',
      oneOf: [to('Cat')],
      discriminator: { propertyName: 'kind', mapping: { a: 'Cat', b: 'Dog' } },
    },
    Cat: { type: 'object', properties: { kind: text, owner: to('Owner') } },
    Dog: { type: 'object', properties: { kind: text } },
    Owner: { type: 'object', properties: { pets: { type: 'array', items: to('Pet') } } },
    Failure: { type: 'object', properties: { message: to('Message') } },
    Message: text,
  };
  const unused = {
    Broken: { type: 'text', unheardOf: true },
    Elsewhere: { $ref: 'missing.yaml#/Nothing' },
    Slow: { type: 'string', pattern: '^(a+)+$' },
    // They refer to each other, and nothing to either.
    One: { type: 'object', properties: { other: to('Other') } },
    Other: { type: 'object', properties: { one: to('One') } },
  };
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Unused', version: next },
    security: [],
    paths: { '/pets': { get: { operationId: 'pets', responses: answers(to('Pet')) } } },
    components: {
      schemas: { ...unused, ...schemas },
      responses: { Unused: { description: 1 } },
      parameters: { Unused: { name: 'x', in: 'nowhere' } },
    },
  };

  async function newFolder(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-unused-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    const upstream = { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:8', audience: 'unused' };
    const config = { title: 'Unused', upstream, scopes: {}, open: '*' };
    writeFileSync(join(folder, 'dateline.config.mjs'), `export default ${JSON.stringify(config)};`);
    writeFileSync(join(folder, 'contract/next.yaml'), JSON.stringify(contract));
    writeFileSync(
      join(folder, 'errors.mjs'),
      `export const schema = 'Failure'; export default ({ detail }) => ({ body: { message: detail } });`,
    );
    return folder;
  }

  it('[folder 47] are dropped before anything else: nobody finds fault with them, and they are not frozen', async () => {
    const folder = await newFolder();
    expect(await runCommandLine(['contract', 'found', '--api', folder])).toMatchObject({ code: 0 });
    expect(await runCommandLine(['contract', 'check', '--api', folder])).toMatchObject({ code: 0 });
    const frozen = JSON.parse(readFileSync(join(folder, `contract/frozen/${current}/contract.json`), 'utf8'));
    expect(Object.keys(frozen.components.schemas).sort()).toEqual(Object.keys(schemas).sort());
    expect(frozen.components).toMatchObject({ responses: {}, parameters: {} });
  });

  it('[folder 47] are found fault with once something uses them', async () => {
    const folder = await newFolder();
    const using = {
      ...contract,
      paths: { '/pets': { get: { operationId: 'pets', responses: answers(to('Broken')) } } },
    };
    writeFileSync(join(folder, 'contract/next.yaml'), JSON.stringify(using));
    const { code, err } = await runCommandLine(['contract', 'check', '--api', folder]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('/components/schemas/Broken/type: it must be a type'),
    ]);
    expect(err).not.toContain('Slow');
  });
});

/** As many as GitHub's in long runs. */
const COUNT = process.env.TEST_MATRIX === 'full' ? 1_100 : 200;

/** As many operations as the largest public APIs have, which share their schemas. */
function largeContract(): object {
  const item = (index: number) => `/areas${index % 50}/{area}/items${index}`;
  const operation = (index: number) => ({
    get: {
      operationId: `area${index % 50}/items${index}`,
      parameters: [{ name: 'area', in: 'path', required: true, schema: text }],
      responses: answers(to(`Item${index}`)),
    },
  });
  const schema = (index: number) => ({
    type: 'object',
    required: ['id'],
    properties: { id: text, next: to(`Item${(index + 1) % COUNT}`) },
  });
  const all = Array.from({ length: COUNT }, (_, index) => index);
  return {
    openapi: '3.1.0',
    info: { title: 'Large', version: next },
    security: [],
    paths: Object.fromEntries(all.map((index) => [item(index), operation(index)])),
    components: { schemas: Object.fromEntries(all.map((index) => [`Item${index}`, schema(index)])) },
  };
}

describe('a document with more than 1,000 operations', () => {
  const service = useTestFolder({
    contract: JSON.stringify(largeContract()),
    upstream: ({ url = '' }, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: url, next: { id: 'n' } }));
    },
  });

  it.each(maintained)('[folder 47] is checked, frozen and served in %s', async (version) => {
    const call = (path: string) => service.call('sandbox', path, { headers: { 'service-version': version } });
    for (const index of [0, COUNT / 2 - 1, COUNT - 1]) {
      const path = `/areas${index % 50}/a/items${index}`;
      const answer = await call(path);
      expect([answer.status, await answer.json()]).toMatchObject([200, { id: path }]);
    }
    expect((await call('/areas1/a/items0')).status).toBe(404);
    const document = await (await call(`/versions/${version}/openapi.json`)).json();
    const { paths } = document as { paths: Record<string, unknown> };
    expect(Object.keys(paths).filter((path) => path.startsWith('/areas'))).toHaveLength(COUNT);
  });
});
