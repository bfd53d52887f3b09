import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reserved } from '../../src/api/compose/reserved.ts';
import { foundAgain } from '../../src/api/folder/freeze/found-versions.ts';
import { planFolderRelease } from '../../src/api/folder/freeze/release-folder.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const changesOf = (newer: string, older: string): string => `contract/changes/${newer}-to-${older}/index.mjs`;

const document = (field: string): string => `
openapi: 3.1.0
info: { title: Books, version: "${next}" }
paths:
  /books:
    post:
      operationId: books/create
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
      responses:
        "201": { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /authors:
    get:
      operationId: authors.list
      responses: { "200": { description: All., content: { application/json: { schema: { type: array, items: { type: string } } } } } }
webhooks:
  book.made:
    post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
components:
  schemas:
    Book: { type: object, required: [${field}], properties: { ${field}: { type: string, examples: [Emma] } } }
`;

const module = (parts: { up?: string; down?: string; event?: string }): string => `
export const changes = [{
  name: 'renameTitle', kind: 'changed', summary: 'A book has a name.', why: 'So.', upgradeNote: 'Read name.',
  examples: [{ before: null, after: { event: 'book.made', data: { name: 'Emma' } } }],
  touches: ['books/create', 'book.made'],
  upgradeRequest: { 'books/create': ({ body }) => ({ body: ${parts.up ?? '{ name: body.title }'} }) },
  downgradeResponse: { 'books/create': (body) => (${parts.down ?? '{ title: body.name }'}) },
  downgradeEvent: { 'book.made': ({ kind, data }) => ({ kind, data: ${parts.event ?? '{ title: data.name }'} }) },
}];`;

async function folderWith(parts: Parameters<typeof module>[0]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-proved-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await initFolder(folder, { deprecated, current });
  const config = {
    title: 'Books',
    upstream: {
      production: 'http://127.0.0.1:9',
      sandbox: 'http://127.0.0.1:8',
      audience: 'https://books.example',
    },
    scopes: {},
    open: '*',
  };
  writeFileSync(join(folder, 'dateline.config.mjs'), `export default ${JSON.stringify(config)};`);
  writeFileSync(join(folder, 'contract/next.yaml'), document('title'));
  await foundAgain(folder);
  writeFileSync(join(folder, 'contract/next.yaml'), document('name'));
  writeFileSync(join(folder, changesOf(next, current)), module(parts));
  return folder;
}

const check = (folder: string) => runCommandLine(['contract', 'check', '--api', folder]);

const bad: readonly [what: string, parts: Parameters<typeof module>[0], operation: string, part: string][] = [
  ['a wrong name in a request', { up: '{ naem: body.title }' }, 'books/create', 'upgradeRequest'],
  ['no required field in an answer', { down: '{}' }, 'books/create', 'downgradeResponse'],
  ['a wrong type in an event', { event: '{ title: data.name.length }' }, 'book.made', 'downgradeEvent'],
  ['an error', { down: 'body.title.toUpperCase()' }, 'books/create', 'downgradeResponse'],
];

describe('the changes of an API folder', () => {
  it('pass where samples of both versions do', async () => {
    const { code, out } = await check(await folderWith({}));
    expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`${next} +open +${current} +9 +1`))]);
  });

  it('are checked though an example of an event does not fit its schema, which is warned about', async () => {
    const folder = await folderWith({});
    const path = join(folder, 'contract/next.yaml');
    const wrong = 'application/json: { example: { name: 7 }, schema: ';
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(book\.made:[\s\S]*?)application\/json: \{ schema: /, `$1${wrong}`));
    const { code, out, err } = await check(folder);
    expect([code, `${out}${err}`]).toEqual([
      0,
      expect.stringContaining(
        '/webhooks/book.made: its example does not fit its schema (/name must be string)',
      ),
    ]);
    const { api } = await readApiFolder(folder, reserved());
    expect(api.get(next)?.contract.events[0]?.example).toEqual({ name: 'Emma' });
  });

  it.each(bad)(
    '[folder 2] [folder 3] are refused by check with module, operation, version and sample: %s',
    async (_what, parts, operation, part) => {
      const { code, err } = await check(await folderWith(parts));
      expect(code).toBe(1);
      expect(err).toContain(`contract/changes/${next}-to-${current}: ${operation}: `);
      expect(err).toMatch(
        new RegExp(`(a request of ${current}|an answer 201 of ${next}|an event of ${next}), \\{.*"Emma"`),
      );
      expect(err).toContain(`correct ${part} of renameTitle`);
      expect(err.match(/does not fit/g)).toHaveLength(1);
    },
  );

  it.each(bad)('[folder 17] keep a version from being frozen: %s', async (_what, parts) => {
    const folder = await folderWith(parts);
    const lock = readFileSync(join(folder, 'contract/frozen/lock.json'), 'utf8');
    const { steps } = await planFolderRelease(folder);
    await expect(steps[0]?.apply()).rejects.toThrow('does not fit');
    expect(existsSync(join(folder, 'contract/frozen', next))).toBe(false);
    expect(readFileSync(join(folder, 'contract/frozen/lock.json'), 'utf8')).toBe(lock);
  });

  it('[folder 17] are on the tape with what was validated, and one that lies later is found by it', async () => {
    const folder = await folderWith({});
    const { steps } = await planFolderRelease(folder);
    for (const step of steps) await step.apply();
    const tape = JSON.parse(readFileSync(join(folder, `contract/frozen/${next}/tape.json`), 'utf8'));
    const bodies = Object.fromEntries(
      tape.exchanges.map(({ name, answer }: { name: string; answer: { body: unknown } }) => [
        name,
        answer.body,
      ]),
    );
    expect(bodies[`an answer 201 of books/create in ${current}`]).toEqual({ title: 'Emma' });
    expect(bodies[`a request to books/create of ${current}`]).toMatchObject({ body: { name: 'Emma' } });
    // What is allowed, but another value, no sample can tell from a right one: the tape does.
    writeFileSync(join(folder, changesOf(next, current)), module({ down: "{ title: 'Persuasion' }" }));
    const { code, err } = await check(folder);
    expect([code, err]).toEqual([1, expect.stringContaining('what frozen versions answer never changes')]);
  });

  it('of frozen versions are warned about, as nothing can be done about them', async () => {
    const folder = await folderWith({});
    for (const step of (await planFolderRelease(folder)).steps) await step.apply();
    // Not on the tape, whose sample is another one.
    const lies = "{ title: body.name === 'Emma' ? 'Emma' : 7 }";
    writeFileSync(join(folder, changesOf(next, current)), module({ down: lies }));
    const { code, out, err } = await check(folder);
    expect([code, `${out}${err}`]).toEqual([
      0,
      expect.stringMatching(/Warning: contract\/changes\/.*: books\/create: an answer 201/),
    ]);
    expect(readdirSync(join(folder, 'contract/frozen'))).toContain(next);
  });
});
