import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Change, defineChanges } from '@dateline/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeProblems } from '../support/run/type-problems.ts';

/** As `dateline contract types` writes it. */
const STEP = `
export type Line = { sku: string; quantity: number };
export type Newer = { id: string; lines: Line[]; gift?: boolean; parent?: Newer | null };
export type Older = { id: string; item: string; qty: number; parent?: Older | null };
type Create<Body, Answer> = { params: {}; query: {}; headers: {}; body: Body; answers: { 201: Answer }; errors: {} };
type List<Query, Item, Problem> =
  { params: {}; query: Query; headers: {}; body: {}; answers: { 200: { items: Item[] } }; errors: { 404: Problem } };
export interface Step {
  newer: {
    operations: {
      'orders:create': Create<{ lines: Line[]; gift?: boolean }, Newer>;
      'orders:list': List<{ limit?: number }, Newer, { code: string }>;
    };
    events: { 'order.created': Newer };
  };
  older: {
    operations: {
      'orders:create': Create<{ item: string; qty: number }, Older>;
      'orders:list': List<{ max?: number }, Older, { error: string }>;
      'orders:drop': List<{}, Older, { error: string }>;
    };
    events: { 'order.created': Older };
  };
}`;

const BEGINNING = `
import { defineChanges, operation, schema, type Change } from '@dateline/versions';
import type { Newer, Step } from './step.d.ts';
const words = {
  kind: 'changed', summary: 's', why: 'w', upgradeNote: 'u', touches: ['x'], examples: [{ before: null, after: null }], name: 'n',
} as const;
const older = ({ lines, gift: _new, parent: _up, ...rest }: Newer) =>
  ({ ...rest, item: lines.map(({ sku }) => sku).join(), qty: lines.length });
`;

/** Members of a change that compile. */
const RIGHT = [
  `upgradeRequest: {
    'orders:create': ({ body: { item, qty, ...body } }) => ({ body: { ...body, lines: [{ sku: item, quantity: qty }] } }),
    'orders:list': ({ query: { max, ...query } }) => ({ query: { ...query, limit: max } }),
  }`,
  `upgradeRequest: { 'orders:create': ({ body }) => ({ body: { ...body, gift: true }, command: { anything: 1 } }) }`,
  `downgradeResponse: { 'orders:create': older, 'orders:list': (body) => ({ ...body, items: body.items.map(older) }) }`,
  `downgradeResponse: { 'orders:create': (body, { status }) => JSON.parse(body.id + status) }`,
  `downgradeErrorBody: { 'orders:list': ({ code }) => ({ error: code }) }`,
  `downgradeEvent: { 'order.created': ({ kind, data }) => ({ kind, data: older(data) }) }`,
  `downgradeEvent: { 'order.created': () => null }`,
  `redirects: { 'orders:drop': 'orders:list' }, kept: ['orders:drop']`,
];

/** Members with a name in them that no contract has, or with a value of another type. */
const WRONG = [
  `upgradeRequest: { 'orders:create': ({ body: { item, qtty } }) => ({ body: { lines: [] } }) }`,
  `upgradeRequest: { 'orders:create': ({ body: { item, ...body } }) => ({ body: { ...body, linez: [] } }) }`,
  `upgradeRequest: { 'orders:create': ({ body: { item, ...body } }) => ({ body: { ...body, lines: [{ ...{ sku: item, quantitty: 1 } }] } }) }`,
  `upgradeRequest: { 'orders:create': ({ body }) => ({ body: { ...body, lines: [{ sku: 1 }] } }) }`,
  `upgradeRequest: { 'orders:creat': (request: object) => request }`,
  `upgradeRequest: { 'orders:list': (request) => ({ ...request, query: { ...request.query, limt: 1 } }) }`,
  `upgradeRequest: { 'orders:list': (request) => ({ ...request, qery: {} }) }`,
  `upgradeRequst: {}`,
  `downgradeResponse: { 'orders:list': (body) => ({ items: body.itemz }) }`,
  `downgradeErrorBody: { 'orders:list': ({ code }) => ({ ...{ eror: code } }) }`,
  `downgradeEvent: { 'order.create': (event: never) => event }`,
  `downgradeEvent: { 'order.created': ({ kind, data }) => ({ kind, data: { ...data, itm: 1 } }) }`,
  `redirects: { 'orders:drop': 'orders:nowhere' }`,
  `kept: ['orders:nowhere']`,
];

describe('defineChanges', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-changes-'));
  let problems: string[];
  beforeAll(() => {
    writeFileSync(join(folder, 'step.d.ts'), STEP);
    const changes = (members: readonly string[], before = '') =>
      members
        .map((member) => `defineChanges<Step>()([\n${before}{ ...words, ${inOneLine(member)} },\n]);\n`)
        .join('');
    writeFileSync(join(folder, 'right.ts'), BEGINNING + changes(RIGHT));
    writeFileSync(join(folder, 'wrong.ts'), BEGINNING + changes(WRONG));
    const loose = `{ ...words, downgradeResponse: { any: (body) => ({ ...body, more: body.less }) } }`;
    writeFileSync(
      join(folder, 'loose.ts'),
      `${BEGINNING}export const changes: readonly Change[] = defineChanges([${loose}]);`,
    );
    const bySchema = `schema('Order').field('quantity').renamedFrom('qty'), operation('orders:drop').removed()`;
    const typed = `{ ...words, ${inOneLine(RIGHT[2] ?? '')} }`;
    writeFileSync(
      join(folder, 'together.ts'),
      `${BEGINNING}export const one = defineChanges<Step>()([${bySchema}, ${typed}]);\nexport const other = defineChanges([${bySchema}, ${loose}]);`,
    );
    const [, , example = ''] = blocksOf(readFileSync('versions/README.md', 'utf8'));
    writeFileSync(join(folder, 'readme.ts'), `${README_WORDS}${example}`);
    writeFileSync(
      join(folder, 'misread.ts'),
      `${README_WORDS}${example.replaceAll('authors, ...', 'authrs, ...')}`,
    );
    writeFileSync(
      join(folder, 'mistold.ts'),
      `${README_WORDS}${example.replace('author: authors.j', 'autor: authors.j')}`,
    );
    problems = typeProblems(folder, {
      paths: { '@dateline/versions': [resolve('versions/src/index.ts')] },
      typeRoots: [resolve('node_modules/@types')],
      types: ['node'],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The compiler's messages about one of them. */
  const about = (file: string, index: number) => {
    const first = BEGINNING.split('\n').length + 3 * index;
    return problems.filter((problem) => {
      const [, name, line] = /(\w+)\.ts\((\d+),/.exec(problem) ?? [];
      return name === file && Number(line) >= first && Number(line) < first + 3;
    });
  };

  it.each(RIGHT.map((member, index) => [inOneLine(member), index] as const))('takes %s', (_member, index) => {
    expect(about('right', index)).toEqual([]);
  });

  it.each(WRONG.map((member, index) => [member, index] as const))('refuses %s', (_member, index) => {
    expect(about('wrong', index)).not.toEqual([]);
  });

  it('says which name is wrong, also behind a spread', () => {
    expect(about('wrong', 1).join()).toContain('neither version has a field linez here');
    expect(about('wrong', 2).join()).toContain('neither version has a field quantitty here');
    expect(about('wrong', 7).join()).toContain('a change has no member upgradeRequst');
  });

  it('takes what a Change takes where no types were generated', () => {
    expect(problems.filter((problem) => /loose\.ts\(/.test(problem))).toEqual([]);
  });

  it('takes changes by schema in the same list, with and without types', () => {
    expect(problems.filter((problem) => /together\.ts\(/.test(problem))).toEqual([]);
  });

  it('has an example in the README that compiles, and two mistakes that do not', () => {
    const files = ['readme', 'misread', 'mistold'];
    const withProblems = files.filter((file) => problems.some((problem) => problem.includes(`${file}.ts(`)));
    expect(withProblems).toEqual(['misread', 'mistold']);
  });

  it('gives back the list, in both forms', () => {
    const changes: readonly Change[] = [];
    expect(defineChanges(changes)).toBe(changes);
    expect(defineChanges<{ newer: None; older: None }>()([])).toEqual([]);
  });
});

const README_WORDS = `
import { defineChanges } from '@dateline/versions';
const words = {
  kind: 'changed', summary: 's', why: 'w', upgradeNote: 'u', touches: ['x'], examples: [{ before: null, after: null }], name: 'n',
} as const;
`;

function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
}

interface None {
  operations: object;
  events: object;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
