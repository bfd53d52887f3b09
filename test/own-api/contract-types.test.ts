import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { planFolderRelease } from '../../src/api/folder/freeze/release-folder.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { versionTypes } from '../../src/api/folder/types/version-types.ts';
import { copyOrders, edit } from '../support/folder/orders-folder.ts';
import { typeProblems } from '../support/run/type-problems.ts';
import { afterNext, current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

/** Where the compiler finds our packages, from any folder. */
const OURS = {
  paths: {
    '@dateline/versions': [resolve('versions/src/index.ts')],
    'dateline/versions': [resolve('versions/src/index.ts')],
    'dateline/folder': [resolve('src/folder.ts')],
  },
  typeRoots: [resolve('node_modules/@types')],
  types: ['node'],
};

/** The schema of a component, a value that its type takes, and one that it does not take. */
interface Kind {
  schema: unknown;
  right: string;
  wrong: string;
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const KINDS: Readonly<Record<string, Kind>> = {
  Text: { schema: { type: 'string', format: 'date-time' }, right: `'a'`, wrong: '1' },
  Whole: { schema: { type: 'integer' }, right: '1', wrong: `'1'` },
  Number: { schema: { type: 'number' }, right: '1.5', wrong: 'true' },
  Flag: { schema: { type: 'boolean' }, right: 'true', wrong: 'null' },
  Nothing: { schema: { type: 'null' }, right: 'null', wrong: '{}' },
  Several: { schema: { type: ['string', 'integer', 'null'] }, right: 'null', wrong: 'true' },
  Nullable: { schema: { type: 'string', nullable: true }, right: 'null', wrong: '1' },
  NullableReference: { schema: { ...ref('Text'), nullable: true }, right: 'null', wrong: '1' },
  Values: {
    schema: { enum: ['a', 'it\'s "b"', 1, -2, null, { c: [1] }] },
    right: '{ c: [1] }',
    wrong: `'b'`,
  },
  Constant: { schema: { const: 'only' }, right: `'only'`, wrong: `'other'` },
  Anything: { schema: {}, right: '{ any: [Symbol()] }', wrong: '' },
  True: { schema: true, right: '1', wrong: '' },
  Never: { schema: false, right: '', wrong: '1' },
  Record: {
    schema: object({ a: { type: 'string' } }, { required: ['a'] }),
    right: `{ a: 'a' }`,
    wrong: '{}',
  },
  Optional: { schema: object({ a: { type: 'string' } }), right: '{}', wrong: '{ b: 1 }' },
  WithoutType: { schema: { properties: { a: { type: 'string' } } }, right: `{ a: 'a' }`, wrong: '{ a: 1 }' },
  AnyObject: { schema: { type: 'object' }, right: '{ a: 1 }', wrong: '1' },
  Empty: { schema: { type: 'object', additionalProperties: false }, right: '{}', wrong: '{ a: 1 }' },
  Dictionary: {
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    right: '{ a: 1, b: 2 }',
    wrong: `{ a: 'a' }`,
  },
  MembersAndMore: {
    schema: object({ a: { type: 'string' } }, { additionalProperties: { type: 'integer' } }),
    right: `{ a: 'a', b: 1 }`,
    wrong: '{ a: 1 }',
  },
  List: { schema: { type: 'array', items: { enum: ['a', 'b'] } }, right: `['a', 'b']`, wrong: `['c']` },
  ListOfAnything: { schema: { type: 'array' }, right: `[1, 'a']`, wrong: '{}' },
  Tuple: {
    schema: { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 1 },
    right: `['a']`,
    wrong: `['a', 1, 2]`,
  },
  OneOf: { schema: { oneOf: [ref('Record'), ref('Whole')] }, right: '1', wrong: `'a'` },
  AnyOf: { schema: { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, right: 'false', wrong: '1' },
  AllOf: {
    schema: { allOf: [ref('Record'), object({ b: { type: 'integer' } }, { required: ['b'] })] },
    right: `{ a: 'a', b: 1 }`,
    wrong: `{ a: 'a' }`,
  },
  AllOfAndOneOf: {
    schema: {
      ...object({ k: { type: 'string' } }, { required: ['k'] }),
      oneOf: [ref('Record'), ref('Dictionary')],
    },
    right: `{ k: 'k', a: 'a' }`,
    wrong: `{ a: 'a' }`,
  },
  /** Rules without a type change nothing. */
  Rules: {
    schema: { ...object({ a: {}, b: {} }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    right: '{}',
    wrong: '{ c: 1 }',
  },
  Cycle: {
    schema: object({
      next: { oneOf: [ref('Cycle'), { type: 'null' }] },
      all: { type: 'array', items: ref('Cycle') },
    }),
    right: '{ next: { next: null }, all: [{}] }',
    wrong: '{ next: { next: 1 } }',
  },
  /** It names itself where a type cannot. */
  Tight: { schema: { anyOf: [{ type: 'string' }, ref('Tighter')] }, right: `'a'`, wrong: '' },
  Tighter: { schema: { anyOf: [{ type: 'integer' }, ref('Tight')] }, right: '1', wrong: '' },
  Value: {
    schema: {
      oneOf: [
        { type: 'string' },
        { type: 'array', items: ref('Value') },
        { type: 'object', additionalProperties: ref('Value') },
      ],
    },
    right: `{ a: [{ b: 'c' }] }`,
    wrong: '{ a: [1] }',
  },
  OddNames: {
    schema: object(
      {
        'two words': { type: 'string' },
        'it\'s "x"': { type: 'string' },
        '1st': { type: 'string' },
        constructor: { type: 'string' },
        toString: { type: 'string' },
        new: { type: 'string' },
        get: { type: 'string' },
        readonly: { type: 'string' },
        '+1': { type: 'integer' },
      },
      { required: ['two words', 'constructor', 'toString'] },
    ),
    right: `{ 'two words': '', constructor: '', toString: '', 'it\\'s "x"': '', '1st': '', new: '', get: '', readonly: '', '+1': 1 }`,
    wrong: `{ 'two words': '', constructor: '', toString: 1 }`,
  },
  /** Its words hold the end of a comment. */
  Words: {
    schema: { type: 'string', description: 'Ends */ here.\nAnd `goes` on.' },
    right: `'a'`,
    wrong: '1',
  },
  'simple-user': { schema: { type: 'string' }, right: `'a'`, wrong: '1' },
  'simple.user': { schema: { type: 'integer' }, right: '1', wrong: `'a'` },
  string: { schema: { type: 'boolean' }, right: 'true', wrong: `'a'` },
  constructor: { schema: { type: 'boolean' }, right: 'true', wrong: `'a'` },
  'a/b~c': { schema: { type: 'boolean' }, right: 'true', wrong: `'a'` },
  Operations: { schema: { type: 'boolean' }, right: 'true', wrong: `'a'` },
  日本: { schema: { type: 'boolean' }, right: 'true', wrong: `'a'` },
};

/** The pointer of a component, in which `/` and `~` are written another way. */
const pointerTo = (name: string) => ref(name.replaceAll('~', '~0').replaceAll('/', '~1'));

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** A document in which every kind is the answer of an operation of that name. */
const kindsDocument = {
  openapi: '3.1.0',
  info: { title: 'Kinds', version: '2027-01' },
  paths: Object.fromEntries(
    Object.keys(KINDS).map((name, index) => [
      `/${index}`,
      { get: { operationId: name, responses: { 200: { description: 'It.', ...json(pointerTo(name)) } } } },
    ]),
  ),
  components: {
    schemas: Object.fromEntries(Object.entries(KINDS).map(([name, { schema }]) => [name, schema])),
  },
};

describe('the type of a schema', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-types-'));
  let problems: string[];
  beforeAll(() => {
    writeFileSync(join(folder, 'kinds.ts'), versionTypes(kindsDocument));
    const values = Object.entries(KINDS).map(([name, { right, wrong }], index) => {
      const type = `Operations[${JSON.stringify(name)}]['answers'][200]`;
      const taken = right === '' ? '' : `export const right${index}: ${type} = ${right};`;
      const refused =
        wrong === '' ? '' : `// @ts-expect-error ${name}\nexport const wrong${index}: ${type} = ${wrong};`;
      return `${taken}\n${refused}\n`;
    });
    writeFileSync(
      join(folder, 'values.ts'),
      `import type { Operations } from './kinds.ts';\n${values.join('')}`,
    );
    problems = typeProblems(folder, { exactOptionalPropertyTypes: true, skipLibCheck: false });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.keys(KINDS))('takes what the schema takes, and not what it refuses: %s', (name) => {
    const index = Object.keys(KINDS).indexOf(name);
    const lines = readFileSync(join(folder, 'values.ts'), 'utf8').split('\n');
    const about = problems.filter((problem) => {
      const line = Number(/values\.ts\((\d+),/.exec(problem)?.[1]);
      return (
        [line, line - 1, line + 1].some((number) =>
          new RegExp(`(right|wrong)${index}:|expect-error ${name.replaceAll(/\W/g, '.')}$`).test(
            lines[number - 1] ?? '',
          ),
        ) && problem.includes('values.ts')
      );
    });
    expect(about).toEqual([]);
  });

  it('is TypeScript as a whole', () => {
    expect(problems).toEqual([]);
  });

  it('keeps the names of components, or has one near to them', () => {
    const names = [...versionTypes(kindsDocument).matchAll(/^export type (\S+) =/gm)].map(([, name]) => name);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining(['Text', 'AllOf', 'SimpleUser', 'SimpleUser2', 'String', 'ABC', 'Operations2']),
    );
  });

  it('has the words of the document', () => {
    expect(versionTypes(kindsDocument)).toContain(
      '/**\n * Ends *\\/ here.\n * And `goes` on.\n */\nexport type Words',
    );
  });
});

describe('the types of a version', () => {
  const operation = {
    operationId: 'things:create',
    summary: 'Make a thing',
    deprecated: true,
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'view', in: 'path', required: true, schema: { enum: ['full', 'short'] } },
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
      { name: 'X-Mode', in: 'header', required: true, schema: { enum: ['a', 'b'] } },
      { name: 'Authorization', in: 'header', schema: { type: 'string' } },
    ],
    requestBody: json(ref('Thing')),
    responses: {
      '201': { description: 'The thing.', ...json(ref('Thing')) },
      '204': { description: 'Nothing.' },
      '2XX': { description: 'Bytes.', content: { 'image/png': {} } },
      '404': json(ref('Problem')),
      default: json(ref('Problem')),
    },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '2027-01' },
    paths: {
      '/things/{id}/{view}': {
        parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'string' } }],
        post: operation,
        get: { responses: { 200: { description: 'None.' } } },
      },
    },
    webhooks: { 'thing.made': { post: { summary: 'A thing was made', requestBody: json(ref('Thing')) } } },
    components: {
      schemas: {
        Thing: object(
          { id: { type: 'string', readOnly: true }, secret: ref('Secret'), name: { type: 'string' } },
          { required: ['id', 'secret', 'name'] },
        ),
        Secret: { type: 'string', writeOnly: true },
        Problem: object({ code: { type: 'string' } }),
      },
    },
  };

  it('say for each operation and event what goes in and out', () => {
    expect(versionTypes(document)).toBe(`export interface Operations {
  "GET /things/{id}/{view}": {
    params: {};
    query: {
      limit: string;
    };
    headers: {};
    body: {};
    answers: {
      /** None. */
      200: undefined;
    };
    errors: {};
  };
  /**
   * Make a thing
   *
   * @deprecated
   */
  "things:create": {
    params: {
      id: string;
      view: "full" | "short";
    };
    query: {
      limit?: number;
    };
    headers: {
      "x-mode": "a" | "b";
    };
    body: Partial<ThingRequest>;
    answers: {
      /** The thing. */
      201: Thing;
      /** Nothing. */
      204: undefined;
      /** Bytes. */
      "2XX": Uint8Array;
    };
    errors: {
      404: Problem;
      "default": Problem;
    };
  };
}

export interface Events {
  /** A thing was made */
  "thing.made": Thing;
}

export type Problem = {
  code?: string;
};

export type Secret = string;

export type SecretRequest = string;

export type Thing = {
  id: string;
  secret?: Secret;
  name: string;
};

export type ThingRequest = {
  id?: string;
  secret: SecretRequest;
  name: string;
};
`);
  });
});

describe('dateline contract types', () => {
  const types = (folder: string) => runCommandLine(['contract', 'types', '--api', folder]);
  const check = (folder: string) => runCommandLine(['contract', 'check', '--api', folder]);
  const files = (folder: string) => readdirSync(join(folder, 'contract/types')).sort();
  const STALE =
    'Warning: contract/types: it does not say what the contracts say; run "dateline contract types".';

  it('writes a file for each version and each step, and the same again', async () => {
    const folder = copyOrders();
    const { code, err } = await types(folder);
    expect([code, err]).toEqual([0, expect.stringContaining(`contract/types/${next}.d.ts`)]);
    expect(files(folder)).toEqual(
      [
        ...[deprecated, current, next].map((version) => `${version}.d.ts`),
        `${current}-to-${deprecated}.d.ts`,
        `${next}-to-${current}.d.ts`,
        'next.d.ts',
      ].sort(),
    );
    expect(await types(folder)).toMatchObject({ code: 0, err: expect.stringContaining('is up to date') });
  });

  it('is asked for by contract check where a contract has moved on, and not where nobody wants types', async () => {
    const folder = copyOrders();
    expect((await check(folder)).err).not.toContain(STALE);
    await types(folder);
    edit(folder, 'contract/next.yaml', (text) =>
      text.replace('The newest orders first.', 'The newest ones.'),
    );
    expect(await check(folder)).toMatchObject({ code: 0, err: expect.stringContaining(STALE) });
    await types(folder);
    expect((await check(folder)).err).not.toContain(STALE);
  });

  it('removes types of versions that are gone, and nothing else', async () => {
    const folder = copyOrders();
    await types(folder);
    const own = '// ours\n';
    writeFileSync(join(folder, 'contract/types/own.d.ts'), own);
    writeFileSync(
      join(folder, 'contract/types/2020-01.d.ts'),
      '// Written by "dateline contract types". Gone.\n',
    );
    await types(folder);
    expect(existsSync(join(folder, 'contract/types/2020-01.d.ts'))).toBe(false);
    expect(readFileSync(join(folder, 'contract/types/own.d.ts'), 'utf8')).toBe(own);
  });

  it('works while changes cannot be loaded yet: they may need the types', async () => {
    const folder = copyOrders();
    writeFileSync(join(folder, `contract/changes/${next}-to-${current}/index.ts`), 'export kanst changes;');
    expect((await types(folder)).code).toBe(0);
  });

  it('needs a folder, and tells what is wrong with it by place', async () => {
    expect((await runCommandLine(['contract', 'types'])).err).toContain('Name an API folder with --api');
    const folder = copyOrders();
    edit(folder, 'contract/next.yaml', (text) => text.replace('paths:', 'paths: ['));
    expect(await types(folder)).toMatchObject({
      code: 1,
      err: expect.stringContaining('contract/next.yaml:'),
    });
    expect(existsSync(join(folder, 'contract/types'))).toBe(false);
  });

  it('is repeated by a release, which opens the next step with types', async () => {
    const folder = await typedFolder();
    for (const { apply } of (await planFolderRelease(folder)).steps) await apply();
    expect(files(folder)).toContain(`${afterNext}-to-${next}.d.ts`);
    const opened = readFileSync(join(folder, `contract/changes/${afterNext}-to-${next}/index.ts`), 'utf8');
    expect(opened).toContain(`from '../../types/${afterNext}-to-${next}.d.ts'`);
    expect((await check(folder)).err).not.toContain(STALE);
  });
});

/** What `dateline init --typescript` writes. */
async function typedFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-typed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await initFolder(folder, { deprecated, current, isTypeScript: true });
  return folder;
}

describe('a folder in TypeScript', () => {
  /** The compiler's messages for all of its modules, by its own options. */
  function problemsIn(folder: string): string[] {
    const { compilerOptions, include } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'));
    return typeProblems(folder, { ...compilerOptions, ...OURS }, include);
  }

  it('is made by init, is checked, and compiles', async () => {
    const folder = await typedFolder();
    const { code, out } = await runCommandLine(['contract', 'check', '--api', folder]);
    expect([code, out]).toEqual([0, expect.stringContaining('unchanged')]);
    expect(existsSync(join(folder, 'dateline.config.mjs'))).toBe(false);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toContain('dateline.config.mjs');
    expect(problemsIn(folder)).toEqual([]);
  });

  it('has types for its changes and handlers, where a misspelt name does not compile', async () => {
    const folder = await typedFolder();
    edit(folder, 'contract/next.yaml', (text) =>
      text.replace('        state: {', '        gift: { type: boolean }\n        state: {'),
    );
    expect((await runCommandLine(['contract', 'types', '--api', folder])).code).toBe(0);
    writeFileSync(join(folder, `contract/changes/${next}-to-${current}/index.ts`), GIFT);
    writeFileSync(join(folder, 'handlers.ts'), HANDLERS);
    expect(problemsIn(folder)).toEqual([]);
    expect(await runCommandLine(['contract', 'check', '--api', folder])).toMatchObject({ code: 0 });
    edit(folder, `contract/changes/${next}-to-${current}/index.ts`, (text) =>
      text.replace('gift: _new', 'gfit: _new'),
    );
    edit(folder, 'handlers.ts', (text) => text.replace("state: 'placed'", "state: 'plaecd'"));
    edit(folder, 'dateline.config.ts', (text) => text.replace('audience:', 'audiense:'));
    const wrong = problemsIn(folder).join('\n');
    for (const name of ['gfit', 'plaecd', 'audiense']) expect(wrong).toContain(name);
  });
});

const GIFT = `import { defineChanges } from 'dateline/versions';
import type { newer, Step } from '../../types/${next}-to-${current}.d.ts';

const withoutGift = ({ gift: _new, ...order }: newer.Order) => order;

export const changes = defineChanges<Step>()([
  {
    name: 'addGift',
    kind: 'added',
    summary: 'An order says whether it is a present.',
    why: 'Presents are wrapped.',
    upgradeNote: 'Nothing to do.',
    examples: [{ before: null, after: { event: 'order.created', data: { gift: true } } }],
    touches: ['orders:**.gift', 'order.**.gift'],
    downgradeResponse: {
      'orders:list': (body) => ({ ...body, items: body.items.map(withoutGift) }),
      'orders:create': withoutGift,
      'orders:read': withoutGift,
      'orders:refund': withoutGift,
    },
    downgradeEvent: {
      'order.created': ({ kind, data }) => ({ kind, data: withoutGift(data) }),
      'order.refunded': ({ kind, data }) => ({ kind, data: withoutGift(data) }),
    },
  },
]);
`;

const HANDLERS = `import { defineHandlers } from 'dateline/folder';
import type { Operations } from './contract/types/next.d.ts';

export default defineHandlers<Operations>({
  'orders:create': async ({ request: { body } }) => ({
    status: 201,
    body: { id: 'ord-1', item: body.item, quantity: body.quantity, state: 'placed' },
  }),
  'orders:read': async ({ request: { params } }) =>
    params.id === '1' ? { status: 200, body: { id: params.id, item: '', quantity: 1, state: 'placed' } } : { status: 404 },
});
`;
