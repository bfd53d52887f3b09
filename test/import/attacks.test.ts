import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, type ImportPlace, importPlace, smallDocument } from '../support/documents/import-here.ts';
import { checkedFolder } from '../support/folder/checked-folder.ts';

const withSchema = (schema: unknown) =>
  smallDocument({
    '/things': {
      get: { responses: { '200': { description: 'It.', content: { 'application/json': { schema } } } } },
    },
  });

/** Nothing is left of an import that was refused, neither in its place nor beside it. */
function expectNothingMade(place: ImportPlace): void {
  expect(readdirSync(place.above)).toEqual(existsSync(join(place.above, 'documents')) ? ['documents'] : []);
}

describe('a document that cannot be taken', () => {
  const texts: readonly [string, () => string | Uint8Array, string][] = [
    ['is empty', () => '', 'it is empty'],
    ['has blanks only', () => ' \n', 'it is empty'],
    ['is no UTF-8', () => new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 'it is not UTF-8'],
    ['is UTF-16', () => Buffer.from('\ufeff{"openapi":"3.1.0"}', 'utf16le'), 'it is not UTF-8'],
    ['is a list', () => '[]', 'it is no object'],
    ['is a text', () => 'openapi', 'it is no object'],
    ['is broken JSON', () => '{"openapi": ', 'document.json'],
    ['is no OpenAPI', () => '{"title": "x"}', 'it says neither openapi nor swagger'],
    ['is of an edition to come', () => '{"openapi": "4.0.0"}', 'Swagger 2.0, OpenAPI 3.0 and 3.1'],
    [
      'is nested without end',
      () => `{"openapi":"3.1.0","x-deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      'nested',
    ],
    ['is nested without end in YAML', () => `openapi: 3.1.0\nx-deep: ${'['.repeat(20_000)}`, 'nested'],
    [
      'is a list in a list without end',
      () => `openapi: 3.1.0\nx-deep:\n  ${'- '.repeat(20_000)}a\n`,
      'nested',
    ],
    ['has no operation', () => JSON.stringify(smallDocument({})), 'no operation and no webhook'],
    ['has a name twice', () => '{"openapi":"3.1.0","openapi":"3.1.0"}', 'document.json'],
    ['has a bomb of aliases', bomb, 'document.json'],
  ];
  it.each(texts)('%s: it is refused in a sentence, and nothing is written', async (_title, content, said) => {
    const place = importPlace();
    const message = await place.refusal(place.write('document.json', content()));
    expect(message).toContain(said);
    expect(message).not.toMatch(/\n\s+at /);
    expectNothingMade(place);
  });

  it('is not there, or is a folder, or a URL: nothing is fetched', async () => {
    const place = importPlace();
    expect(await place.refusal(join(place.above, 'none.json'))).toContain('there is no such file');
    expect(await place.refusal(place.above)).toContain('it is no file');
    expect(await place.refusal('https://127.0.0.1:9/openapi.json')).toContain('nothing is fetched');
    expectNothingMade(place);
  });
});

describe('a reference', () => {
  it.each([
    ['../outside.json', 'it leads out of the folder'],
    ['/etc/hosts', 'it is an absolute path'],
    ['file:///etc/hosts', 'it is a URL'],
    ['https://127.0.0.1:9/x.json', 'it is a URL'],
    ['//127.0.0.1:9/x.json', 'it is a URL'],
    ['missing.json', 'there is no file missing.json'],
    ['#/components/schemas/Missing', 'has nothing at'],
  ])('%s is left out with its reason, and what it leads to is not read', async (reference, reason) => {
    const place = importPlace();
    writeFileSync(join(place.above, 'outside.json'), '{"const":"outside"}');
    const file = place.write(
      'api.json',
      withSchema({ type: 'object', properties: { far: { $ref: reference } } }),
    );
    await place.import(file);
    expect(place.read('IMPORT.md')).toContain('/properties/far/$ref`');
    expect(place.read('IMPORT.md')).toContain(reason.replace('_', '\\_'));
    expect(place.read('contract/next.yaml')).not.toContain('outside"');
    await checkedFolder(place.folder);
  });

  it('through a link out of the folder is refused', async () => {
    const place = importPlace();
    writeFileSync(join(place.above, 'outside.json'), '{"const":"outside"}');
    const file = place.write('api.json', withSchema({ $ref: 'link.json' }));
    symlinkSync(join(place.above, 'outside.json'), join(place.above, 'documents/link.json'));
    expect(await place.refusal(file)).toContain('link that leads out of the folder');
    expect(existsSync(place.folder)).toBe(false);
  });

  it('in a circle is served where it can be, and left out where nothing would end it', async () => {
    const place = importPlace();
    const file = place.write('api.json', {
      ...withSchema({ $ref: '#/components/schemas/Tree' }),
      components: {
        schemas: {
          Tree: {
            type: 'object',
            properties: {
              left: { $ref: '#/components/schemas/Tree' },
              self: { $ref: '#/components/schemas/Self' },
            },
          },
          Self: { $ref: '#/components/schemas/Other' },
          Other: { $ref: '#/components/schemas/Self' },
        },
      },
    });
    await place.import(file);
    await checkedFolder(place.folder);
  });

  it('of a path to itself is left out', async () => {
    const place = importPlace();
    const file = place.write(
      'api.yaml',
      `openapi: 3.1.0
info: { title: Small, version: "1" }
paths:
  /loop: { $ref: loop.yaml }
  /good: { get: { responses: { "200": { description: It. } } } }
`,
    );
    place.write('loop.yaml', '$ref: loop2.yaml\n');
    place.write('loop2.yaml', '$ref: loop.yaml\n');
    await place.import(file);
    expect(place.read('IMPORT.md')).toContain('`/paths/~1loop');
    await checkedFolder(place.folder);
  });
});

describe('names', () => {
  it('that every object of JavaScript has are left out, and change no object', async () => {
    const place = importPlace();
    const text = JSON.stringify({
      ...withSchema({
        type: 'object',
        required: ['toString', 'a'],
        properties: { toString: { type: 'string' }, a: { type: 'string' } },
      }),
    }).replace('"a":{', '"__proto__":{"polluted":true},"a":{');
    await place.import(place.write('api.json', text));
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const report = place.read('IMPORT.md');
    expect(report).toContain('/properties/\\_\\_proto\\_\\_`'.replaceAll('\\', ''));
    expect(report).toContain('/properties/toString`');
    await checkedFolder(place.folder);
  });

  it('and texts of strangers break neither the configuration nor IMPORT.md', async () => {
    const place = importPlace();
    const evil = "'; process.exit(7); // \u2028 `$` */ \n\\";
    const file = place.write('api.json', {
      ...smallDocument({ '/things': { get: answering({ tags: [evil], operationId: 'a' }) } }),
      info: { title: evil, version: evil },
      servers: [{ url: evil }],
      components: { securitySchemes: { [evil]: { type: 'apiKey', name: 'x', in: 'header' } } },
      security: [{ [evil]: [] }],
    });
    await place.import(file);
    const { config } = await checkedFolder(place.folder);
    expect(config.title).toContain('process.exit(7)');
    expect(Object.keys(config.security ?? {})).toEqual([evil]);
  });
});

describe('the target', () => {
  const file = (place: ImportPlace) =>
    place.write('api.json', smallDocument({ '/things': { get: answering() } }));

  it('that has other content is refused, and stays as it is', async () => {
    const place = importPlace();
    mkdirSync(place.folder);
    writeFileSync(join(place.folder, 'notes.txt'), 'mine');
    expect(await place.refusal(file(place))).toContain('is not empty');
    expect(readdirSync(place.folder)).toEqual(['notes.txt']);
    expect(readdirSync(place.above).sort()).toEqual(['documents', 'made']);
  });

  it('may be an empty folder, and is no file', async () => {
    const place = importPlace();
    mkdirSync(place.folder);
    await place.import(file(place));
    const other = importPlace();
    writeFileSync(other.folder, 'mine');
    expect(await other.refusal(file(other))).toContain('is a file');
  });

  it.skipIf(process.getuid?.() === 0)('that cannot be written to is refused', async () => {
    const place = importPlace();
    chmodSync(place.above, 0o500);
    expect(await place.refusal(file(place))).toContain('cannot be written');
    chmodSync(place.above, 0o700);
  });

  it('below a file cannot be written to', async () => {
    const place = importPlace();
    writeFileSync(join(place.above, 'file'), '');
    const path = file(place);
    expect(await place.refusal(path, '--into', join(place.above, 'file', 'below'))).toContain(
      'cannot be written',
    );
  });
});

/** Nine levels, each of which refers nine times to the one before. */
function bomb(): string {
  const levels = Array.from({ length: 9 }, (_none, index) => {
    const inner = index === 0 ? '"x"' : `*a${index - 1}`;
    return `x-${index}: &a${index} [${Array.from({ length: 9 }, () => inner).join(', ')}]`;
  });
  return `openapi: 3.1.0\n${levels.join('\n')}\n`;
}
