import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { valueAt } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FROZEN_FOLDER } from '../../src/api/folder/folder-files.ts';
import { readFrozenFiles } from '../../src/api/folder/freeze/frozen-files.ts';
import { mergeValues } from '../../src/api/import/again/merge-values.ts';
import { answering, type ImportPlace, importPlace, smallDocument } from '../support/documents/import-here.ts';

const list = (description: string) => answering({ operationId: 'list', description });
const OLD = smallDocument({ '/things': { get: list('Old words.') }, '/gone': { get: answering() } });
const NEWER = smallDocument({
  '/things': { get: list('New words.'), post: answering() },
  '/added': { get: answering({ tags: ['more'] }) },
});

function edit(place: ImportPlace, file: string, from: string, to: string): void {
  const text = place.read(file);
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(join(place.folder, file), text.replace(from, to));
}

const frozenIn = (place: ImportPlace) => {
  const { lock, documents } = readFrozenFiles({ root: place.folder, folder: FROZEN_FOLDER });
  return JSON.stringify({ lock, documents });
};

describe('dateline import, again', () => {
  it('updates next.yaml, shows the difference, and touches nothing that is frozen', async () => {
    const place = importPlace();
    await place.import(place.write('api.json', OLD));
    const frozen = frozenIn(place);
    const { out, err } = await place.import(place.write('api.json', NEWER));
    expect(out).toContain('added:read');
    expect(err).toContain('3 operations');
    expect(Object.keys(place.next().paths as object)).toEqual(['/things', '/added']);
    expect(frozenIn(place)).toBe(frozen);
    expect(place.read('dateline.config.mjs')).toContain('more:read');
  });

  it('keeps edits by hand, and ids that it made before, and names what the new document says otherwise', async () => {
    const place = importPlace();
    await place.import(place.write('api.json', OLD));
    edit(place, 'contract/next.yaml', '"Old words."', '"Words of mine."');
    edit(place, 'contract/next.yaml', '"title": "Small"', '"title": "Of mine"');
    edit(place, 'dateline.config.mjs', 'https://small.example', 'https://things.internal');
    const { err } = await place.import(place.write('api.json', NEWER));
    const next = place.next();
    expect(valueAt(next, '/paths/~1things/get/description')).toBe('Words of mine.');
    expect(valueAt(next, '/info/title')).toBe('Of mine');
    expect(valueAt(next, '/paths/~1things/post/operationId')).toBe('things:create');
    expect(err).toMatch(
      /Conflict: .*next\.yaml#\/paths\/~1things\/get\/description.*Words of mine.*New words/,
    );
    expect(place.read('IMPORT.md')).toContain('## Conflicts');
    expect(place.read('dateline.config.mjs')).toContain('https://things.internal');
    expect(place.read('dateline.config.mjs')).not.toContain('more:read');
    expect(err).toContain("Add to dateline.config.mjs, under scopes: `'more:read'");
    const again = await place.import(place.write('api.json', NEWER));
    expect(again.err).not.toContain('Conflict');
  });

  it('keeps comments of YAML that were written by hand', async () => {
    const place = importPlace();
    const text = `openapi: 3.1.0
info: { title: Small, version: "1" }
paths:
  /things:
    get:
      responses: { "200": { description: Old. } }
`;
    await place.import(place.write('api.yaml', text));
    edit(place, 'contract/next.yaml', '  /things:', '  # Ask Ada.\n  /things:');
    await place.import(place.write('api.yaml', text.replace('Old.', 'New.')));
    expect(place.read('contract/next.yaml')).toContain('# Ask Ada.');
    expect(
      valueAt(parse(place.read('contract/next.yaml')), '/paths/~1things/get/responses/200/description'),
    ).toBe('New.');
  });

  it('follows files that come and go, and keeps one that was edited', async () => {
    const place = importPlace();
    const of = (file: string) =>
      smallDocument({
        '/things': {
          get: {
            responses: {
              '200': { description: 'It.', content: { 'application/json': { schema: { $ref: file } } } },
            },
          },
        },
      });
    place.write('one.json', { type: 'object' });
    place.write('two.json', { type: 'object', title: 'Two' });
    await place.import(place.write('api.json', of('one.json')));
    await place.import(place.write('api.json', of('two.json')));
    expect(existsSync(join(place.folder, 'contract/one.json'))).toBe(false);
    edit(place, 'contract/two.json', 'Two', 'Mine');
    const { err } = await place.import(place.write('api.json', of('one.json')));
    expect(err).toContain('contract/two.json');
    expect(JSON.parse(place.read('contract/two.json')).title).toBe('Mine');
    expect(existsSync(join(place.folder, 'contract/one.json'))).toBe(true);
  });

  it('writes nothing where the new document cannot be taken', async () => {
    const place = importPlace();
    await place.import(place.write('api.json', OLD));
    const before = ['contract/next.yaml', 'IMPORT.md', 'imported/contract/next.yaml'].map(place.read);
    expect(await place.refusal(place.write('api.json', '{'))).toContain('api.json');
    const odd = smallDocument({ '/things': { get: answering(), trace: answering() } });
    await place.refusal(place.write('api.json', odd), '--strict');
    expect(['contract/next.yaml', 'IMPORT.md', 'imported/contract/next.yaml'].map(place.read)).toEqual(
      before,
    );
  });

  it('has the version of the folder after a release, and not that of the first import', async () => {
    const place = importPlace();
    await place.import(place.write('api.json', OLD));
    const version = String(valueAt(place.next(), '/info/version'));
    edit(place, 'contract/next.yaml', `"${version}"`, '"2031-04"');
    rmSync(join(place.folder, 'contract/changes'), { recursive: true });
    const { err } = await place.tryImport(place.write('api.json', NEWER));
    expect(valueAt(place.next(), '/info/version')).toBe('2031-04');
    expect(err).not.toContain('Conflict');
    expect(readFileSync(join(place.folder, 'IMPORT.md'), 'utf8')).toContain('version 2031-04');
  });
});

describe('a merge of three states', () => {
  const states: readonly [string, unknown, unknown, unknown, unknown, readonly string[]][] = [
    ['takes what only the document changed', { a: 1 }, { a: 1 }, { a: 2 }, { a: 2 }, []],
    ['keeps what only a person changed', { a: 1 }, { a: 3 }, { a: 1 }, { a: 3 }, []],
    [
      'takes both where they are about different members',
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 2 },
      [],
    ],
    ['keeps and names what both changed', { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }, ['/a']],
    ['says nothing where both say the same', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }, []],
    ['lets go what the document dropped', { a: 1, b: 1 }, { a: 1, b: 1 }, { a: 1 }, { a: 1 }, []],
    [
      'names what a person edited and the document dropped',
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 1 },
      { a: 1, b: 2 },
      ['/b'],
    ],
    ['keeps gone what a person deleted', { a: 1, b: 1 }, { a: 1 }, { a: 1, b: 1 }, { a: 1 }, []],
    [
      'merges parameters by place and name',
      [{ in: 'query', name: 'a' }],
      [
        { in: 'query', name: 'a', x: 1 },
        { in: 'query', name: 'mine' },
      ],
      [
        { in: 'query', name: 'new' },
        { in: 'query', name: 'a' },
      ],
      [
        { in: 'query', name: 'new' },
        { in: 'query', name: 'a', x: 1 },
        { in: 'query', name: 'mine' },
      ],
      [],
    ],
    ['merges names in lists', ['a', 'b'], ['a', 'b', 'mine'], ['b', 'new'], ['b', 'mine', 'new'], []],
    ['keeps a list whose items have no names', [{}, {}], [{}], [{}, {}, {}], [{}], ['']],
  ];
  it.each(states)('%s', (_title, base, mine, theirs, value, places) => {
    const merged = mergeValues({ base, mine, theirs });
    expect(merged.value).toEqual(value);
    expect(merged.conflicts.map(({ pointer }) => pointer)).toEqual(places);
  });
});
