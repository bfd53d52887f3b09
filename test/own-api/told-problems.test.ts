import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { readBuild } from '../../src/api/build.ts';
import { foundAgain } from '../../src/api/folder/freeze/found-versions.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { edit } from '../support/folder/orders-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const NEXT = 'contract/next.yaml';
const CHANGES = `contract/changes/${next}-to-${current}/index.mjs`;

const contract = `openapi: 3.1.0
info: { title: Told, version: "${next}" }
security: [{ oauth: [things] }]
paths:
  /things:
    get:
      operationId: things:list
      responses:
        "200": { $ref: "#/components/responses/Thing" }
    put:
      operationId: things:put
      responses:
        "200": { $ref: "#/components/responses/Thing" }
  /others:
    get:
      operationId: others:list
      responses:
        "200": { $ref: "#/components/responses/Thing" }
components:
  responses:
    Thing: { description: One., content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }
  schemas:
    Thing:
      type: object
      properties:
        name: { type: string }
  securitySchemes:
    oauth: { type: oauth2, flows: {} }
`;

const config = (scopes: object): string =>
  `export default ${JSON.stringify({
    title: 'Told',
    upstream: { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:8', audience: 'told' },
    scopes,
  })};`;

describe('a problem of an API folder', () => {
  async function newFolder(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-told-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    writeFileSync(join(folder, 'dateline.config.mjs'), config({ things: { consent: 'See things' } }));
    writeFileSync(join(folder, NEXT), contract);
    await foundAgain(folder);
    return folder;
  }
  const run = (folder: string, ...words: string[]) => runCommandLine(['contract', ...words, '--api', folder]);
  const count = (text: string, part: string): number => text.split(part).length - 1;

  it('[folder 48] is told once, and not once for each version', async () => {
    const folder = await newFolder();
    writeFileSync(join(folder, 'dateline.config.mjs'), config({}));
    const { code, err } = await run(folder, 'check');
    expect(code).toBe(1);
    expect(err).toBe(
      `dateline: ${NEXT}:6:5: /paths/~1things/get: things:list and 2 others need the scope things, which has no words: ` +
        'add scopes["things"].consent to dateline.config.mjs.\n' +
        '  5 |   /things:\n> 6 |     get:\n    |     ^\n  7 |       operationId: things:list\n',
    );
  });

  it('[folder 48] is told once where many operations share what differs, with what to do', async () => {
    const folder = await newFolder();
    edit(folder, NEXT, (text) =>
      text.replace('        name: {', '        size: { type: integer }\n        name: {'),
    );
    const { err } = await run(folder, 'check');
    expect(err).toContain(
      `${NEXT}:26:9: /components/schemas/Thing/properties/size: others:list.responses.200`,
    );
    expect(err).toContain('> 26 |         size: { type: integer }\n     |         ^\n');
    expect(err).toContain(`write one in contract/changes/${next}-to-${current}/`);
    expect(err).toContain('"dateline contract found"');
    expect(count(err, 'no change module touches them')).toBe(1);
    // Once something was released, the older versions stay what they are.
    edit(folder, 'contract/frozen/lock.json', (text) => text.replace('"founding": true,', ''));
    expect((await run(folder, 'check')).err).not.toContain('"dateline contract found"');
  });

  it('[folder 48] is told of a document that is nested without end, in YAML of both styles', async () => {
    const folder = await newFolder();
    const deep = '- '.repeat(300);
    for (const text of [
      `a: ${'['.repeat(100_000)}`,
      `a:\n  ${deep}x\n`,
      `a: ${'{b: '.repeat(300)}1${'}'.repeat(300)}`,
    ]) {
      writeFileSync(join(folder, NEXT), text);
      const { code, err } = await run(folder, 'check');
      expect(code).toBe(1);
      expect(err).toContain(`${NEXT}: it is nested more than 250 levels deep.`);
    }
  });

  it('[folder 48] is told in the order of the file, with line and column, in YAML and in JSON', async () => {
    const folder = await newFolder();
    const broken = contract
      .replace('name: { type: string }', 'name: { type: text }')
      .replace('operationId: things:put', 'operationId: things:list')
      .replace('others:list\n', 'others:list\n      sumary: Others\n');
    const inFile = async (text: string): Promise<string[]> => {
      writeFileSync(join(folder, NEXT), text);
      const { err } = await run(folder, 'check');
      return [...err.matchAll(/next\.yaml:(\d+:\d+): (\S+):/g)].map(([, at, path]) => `${at} ${path}`);
    };
    expect(await inFile(broken)).toEqual([
      '11:7 /paths/~1things/put/operationId',
      '17:7 /paths/~1others/get/sumary',
      '27:17 /components/schemas/Thing/properties/name/type',
    ]);
    expect(await inFile(JSON.stringify(parse(broken), null, 2))).toEqual([
      '25:9 /paths/~1things/put/operationId',
      '36:9 /paths/~1others/get/sumary',
      '63:13 /components/schemas/Thing/properties/name/type',
    ]);
    const oneLine = await inFile(JSON.stringify(parse(broken)));
    expect(oneLine.map((line) => line.split(' ')[1])).toEqual([
      '/paths/~1things/put/operationId',
      '/paths/~1others/get/sumary',
      '/components/schemas/Thing/properties/name/type',
    ]);
    writeFileSync(join(folder, NEXT), contract.replace('paths:', 'paths: ['));
    expect((await run(folder, 'check')).err).toMatch(/next\.yaml:\d+:\d+: .*\n.*\n> +\d+ \| .*\n +\| +\^/);
    writeFileSync(join(folder, NEXT), '{ "openapi": "3.1.0",\n  "openapi": "3.1.0" }');
    expect((await run(folder, 'check')).err).toContain('next.yaml:2:3: Map keys must be unique');
  });

  const edits: readonly [string, (folder: string) => void][] = [
    ['of a document', (folder) => edit(folder, NEXT, (text) => text.replace('type: string', 'type: text'))],
    ['of the configuration', (folder) => writeFileSync(join(folder, 'dateline.config.mjs'), config({}))],
    ['of the settings', (folder) => writeFileSync(join(folder, 'dateline.config.mjs'), 'export default {};')],
    [
      'of names that are not free',
      (folder) => edit(folder, NEXT, (text) => text.replace('/others:', '/v1/oauth2/others:')),
    ],
    ['of a module', (folder) => writeFileSync(join(folder, CHANGES), 'export kanst changes = [];')],
  ];

  it.each(edits)(
    '[folder 48] %s is told alike by check, found, release and the start',
    async (_of, spoil) => {
      const folder = await newFolder();
      spoil(folder);
      const before = filesOf(folder);
      const { code, err } = await run(folder, 'check');
      expect(code).toBe(1);
      // What follows from a difference between versions alone is no concern of what makes them the same.
      const sentences = err.split('\n').filter((line) => !/^[ >]|is not in|differ/.test(line));
      expect((await run(folder, 'release', '--dry-run')).err).toBe(err);
      await expect(readBuild(folder)).rejects.toThrow(err.replace('dateline: ', '').trim());
      const found = await run(folder, 'found');
      expect(found.code).toBe(1);
      for (const sentence of sentences) expect(found.err).toContain(sentence.replace('dateline: ', ''));
      expect(filesOf(folder)).toEqual(before);
    },
  );

  it('[folder 48] that keeps versions from being copies of Next leaves them as they were', async () => {
    const folder = await newFolder();
    edit(folder, NEXT, (text) => text.replace('type: string', 'type: integer'));
    writeFileSync(
      join(folder, CHANGES),
      `export const changes = [{ name: 'countNames', kind: 'changed', summary: 'A', why: 'B', upgradeNote: 'C',
        touches: ['things:**', 'others:**'], examples: [{ before: null, after: null }] }];`,
    );
    const before = filesOf(folder);
    const { code, err } = await run(folder, 'found');
    expect([code, err]).toEqual([1, expect.stringContaining('countNames')]);
    expect(err).toContain('where nothing differs');
    expect(filesOf(folder)).toEqual(before);
  });

  it.each([
    ...edits.filter(([of]) => of !== 'of names that are not free'),
    ['of a difference', () => {}] as const,
  ])('[folder 48] %s does not keep diff from showing what there is', async (_of, spoil) => {
    const folder = await newFolder();
    edit(folder, NEXT, (text) =>
      text.replace('        name: {', '        size: { type: integer }\n        name: {'),
    );
    spoil(folder);
    const { code, out, err } = await run(folder, 'diff');
    expect(code).toBe(0);
    expect(out).toContain('things:list.responses.200.schema.properties.size');
    expect(err).toContain('"dateline contract check" names');
  });
});

/** The frozen files and their texts. */
function filesOf(folder: string): Record<string, string> {
  const root = join(folder, 'contract/frozen');
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'utf8'),
    ]),
  );
}
