import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromOpenApi, nextVersion, type OpenApiDocument } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { type ClientInput, clientInput } from '../../src/contracts/client-input.ts';
import { catalogue } from '../../src/errors/catalogue.ts';
import { importClient, methodsOf } from '../support/oauth/clients.ts';
import { current, deprecated, maintained, next, removed } from '../support/service/build-versions.ts';

interface Generator {
  clientFiles(
    input: ClientInput & { codes: string[]; manifest: object; readme: string },
  ): Promise<Map<string, string>>;
  isGenerated(path: string): boolean;
}

const { clientFiles, isGenerated } = (await import(
  '../../tools/client-generator/client-files.mjs' as string
)) as Generator;
const codes = Object.keys(catalogue);
const textOf = (path: string) => readFileSync(join('client', path), 'utf8');
const manifest = JSON.parse(textOf('package.json')) as object;
const generate = (input: ClientInput) =>
  clientFiles({ ...input, codes, manifest, readme: textOf('README.md') });

describe('the generated files of the client', () => {
  it('match today’s contracts (npm run client)', async () => {
    const files = await generate(clientInput());
    for (const [path, text] of files) expect(textOf(path), path).toBe(text);
    const there = readdirSync('client/src', { recursive: true, encoding: 'utf8' })
      .map((path) => `src/${path}`)
      .filter((path) => path.endsWith('.ts') && isGenerated(path));
    expect(there.sort()).toEqual([...files.keys()].filter(isGenerated).sort());
  });

  it('declare each type once, however many versions have it', () => {
    const versions = clientInput().documents.map(versionOf);
    const declared = ['shared', ...versions].flatMap((folder) => {
      const found = textOf(`src/${folder}/types.ts`).matchAll(
        /^export (?:interface|type) (\w+)\b([^;{]*[;{][\s\S]*?)^$/gm,
      );
      const texts = new Map([...found].map(([, name = '', text = '']) => [name, text]));
      // With what it extends: the same words may add to another type.
      const wholeOf = (name: string): string => {
        const text = texts.get(name) ?? '';
        const [, base] = /^ extends (\w+)/.exec(text) ?? [];
        return base === undefined ? text : text + wholeOf(base);
      };
      return [...texts.keys()].map((name) => `${name}${wholeOf(name)}`);
    });
    // A version's own constants stay its own, equal or not.
    const types = declared.filter((text) => !/^(Api|WebhookData)\b/.test(text));
    expect(types.length).toBeGreaterThan(40);
    expect(types.filter((text, index) => types.indexOf(text) !== index)).toEqual([]);
    expect(textOf('src/shared/types.ts')).toContain('export interface ActiveToken {');
  });

  it.each(maintained)('give %s a method for every operation of its contract', async (version) => {
    const document = clientInput().documents.find((one) => versionOf(one) === version) as OpenApiDocument;
    const { Dateline } = await importClient(version);
    const methods = methodsOf(new Dateline({ environment: 'sandbox' }));
    // The authorization page, and userinfo by POST, have no method.
    const called = fromOpenApi(document).operations.filter(
      ({ id }) => !['oauth2:authorize', 'oauth2:post_authorize', 'oauth2:post_userinfo'].includes(id),
    );
    expect(methods.size).toBe(called.length);
    expect([...methods.keys()]).toEqual(
      expect.arrayContaining([
        'products.list',
        'oauth.introspect',
        'oauth.revoke',
        'webhooks.endpoints.create',
      ]),
    );
  });

  /** The contract of Next with its list of products changed. */
  function withList(change: (list: Record<string, unknown>) => void): ClientInput {
    const { documents, ...rest } = clientInput();
    const input = { ...rest, documents: structuredClone(documents) };
    const paths = input.documents.at(-1)?.paths as Record<string, Record<string, never>>;
    change(paths['/v1/products/']?.get as never);
    return input;
  }

  it('support what a contract may add next, and reject what calls cannot express', async () => {
    const renamed = withList((list) => {
      list.operationId = 'oauth2:list_products';
    });
    expect((await generate(renamed)).get(`src/${next}/index.ts`)).toContain("'oauth.listProducts':");
    const changed = withList((list) => {
      const { responses } = list as { responses: Record<string, { content: Record<string, never> }> };
      const { schema } = Object.values(responses['200']?.content ?? {})[0] as never as {
        schema: { properties: { pagination: { properties: Record<string, object> } } };
      };
      schema.properties.pagination.properties.total_count = { type: 'integer' };
    });
    expect((await generate(changed)).get(`src/${next}/types.ts`)).toContain('ProductsListPagination');
    const withHeader = withList((list) => {
      (list.parameters as object[]).push({ in: 'header', name: 'X-Sort', schema: { type: 'string' } });
    });
    await expect(generate(withHeader)).rejects.toThrow('products:list takes the header X-Sort');
    const withBody = withList((list) => {
      list.requestBody = { content: { 'application/json': { schema: { type: 'object' } } } };
    });
    await expect(generate(withBody)).rejects.toThrow('products:list takes a body and a query');
  });

  it('follow a release: the new version is added, and the removed one throws a sentence', async () => {
    const { documents } = clientInput();
    const opened = nextVersion(next);
    const released = [...documents.slice(-2), { ...documents.at(-1), info: { title: '', version: opened } }];
    const files = await generate({
      ...clientInput(),
      documents: released,
      removed: deprecated,
      recommended: next,
    });
    expect(files.get(`src/${opened}/index.ts`)).toContain(`defineClient('${opened}', {`);
    expect(files.get(`src/${opened}/webhooks.ts`)).toContain(`defineWebhooks('${opened}', [`);
    expect(files.has(`src/${removed}/index.ts`)).toBe(false);
    const stub = files.get(`src/${deprecated}/index.ts`) ?? '';
    expect(stub).toContain(`${deprecated} was removed. Import from '@dateline/client/${next}'`);
    expect(files.has(`src/${deprecated}/types.ts`)).toBe(false);
    const { exports, sideEffects } = JSON.parse(files.get('package.json') ?? '') as Record<string, object>;
    const subpaths = Object.keys(exports ?? {}).filter((path) => /^\.\/20\d\d-\d\d$/.test(path));
    expect(subpaths).toEqual([deprecated, current, next, opened].map((version) => `./${version}`));
    expect(sideEffects).toEqual([`./dist/*/${deprecated}/*.js`]);
    // Next and the version after it have the same contract now: all their types are shared.
    expect(files.get(`src/${opened}/types.ts`)).not.toMatch(/^export interface Product /m);
  });
});

function versionOf(document: OpenApiDocument): string {
  return (document.info as { version: string }).version;
}
