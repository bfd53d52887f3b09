import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nextVersion } from '@dateline/versions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readBuild } from '../../src/api/build.ts';
import { reserved } from '../../src/api/compose/reserved.ts';
import { planFolderRelease } from '../../src/api/folder/freeze/release-folder.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { anyEngine, createTestDatabases } from '../support/database/databases.ts';
import { copyOrders, edit } from '../support/folder/orders-folder.ts';
import { afterNext, current, deprecated, next } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';
import { startTestServiceOn } from '../support/service/test-service.ts';

const NEXT = 'contract/next.yaml';
const read = (folder: string) => readApiFolder(folder, reserved());
const check = (folder: string) => runCommandLine(['contract', 'check', '--api', folder]);

describe('an API folder', () => {
  async function newFolder(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-init-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await initFolder(folder, { deprecated, current });
    return folder;
  }

  it('is made by init with two frozen versions and Next, which are the same so far', async () => {
    const folder = await newFolder();
    const own = await read(folder);
    expect(own.frozen).toEqual([deprecated, current]);
    expect(own.next).toBe(next);
    expect(Object.keys(own.config.scopes)).toHaveLength(3);
    const lock = JSON.parse(readFileSync(join(folder, 'contract/frozen/lock.json'), 'utf8'));
    expect(lock).toMatchObject({ founding: true, id: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(existsSync(join(folder, '.gitignore'))).toBe(true);
    const { code, out } = await check(folder);
    expect([code, out]).toEqual([0, expect.stringContaining('unchanged')]);
    await expect(initFolder(folder, { deprecated, current })).rejects.toThrow('is not empty');
  });

  it('may rewrite its first versions as a whole until its first release', async () => {
    const folder = await newFolder();
    edit(folder, NEXT, (text) => text.replace('maximum: 100 }', 'maximum: 200 }'));
    expect((await check(folder)).err).toContain('no change module touches it');
    expect((await runCommandLine(['contract', 'found', '--api', folder])).code).toBe(0);
    expect((await check(folder)).code).toBe(0);
    edit(folder, 'contract/frozen/lock.json', (text) => text.replace('"founding": true,', ''));
    expect((await runCommandLine(['contract', 'found', '--api', folder])).err).toContain('never change');
  });

  it('is released step by step: Next is frozen and its first versions for good, and a version that is no longer maintained leaves with its changes', async () => {
    const folder = await newFolder();
    for (const deleted of [[], [deprecated]]) {
      const release = await planFolderRelease(folder);
      expect(release.deleted).toEqual(deleted);
      for (const step of release.steps) await step.apply();
    }
    expect((await runCommandLine(['contract', 'found', '--api', folder])).err).toContain('never change');
    expect(readdirSync(join(folder, 'contract/changes')).sort()).toEqual([
      `${next}-to-${current}`,
      `${afterNext}-to-${next}`,
      `${nextVersion(afterNext)}-to-${afterNext}`,
    ]);
    expect((await read(folder)).frozen).toEqual([current, next, afterNext]);
  });

  it('is the example too: three versions that differ, with modules in TypeScript and JavaScript', async () => {
    const own = await read('examples/orders');
    // After a release the version that it removed is still there: the release may be undone.
    expect(own.frozen.slice(-2)).toEqual([deprecated, current]);
    const { out } = await runCommandLine(['contract', 'diff', '--api', 'examples/orders']);
    if (next === '2027-01') expect(out).toContain('replaceItemWithLines');
    if (current === '2026-10') expect(out).toContain('replaceCentsWithTotal');
  });

  function replaceChanges(folder: string, name: string, text: string): void {
    const location = join(folder, `contract/changes/${next}-to-${current}`);
    rmSync(location, { recursive: true });
    mkdirSync(location);
    writeFileSync(join(location, name), text);
  }

  const refusals: readonly [string, string, (folder: string) => void, readonly string[]][] = [
    [
      'a change that no module covers',
      NEXT,
      (folder) => edit(folder, NEXT, (text) => text.replace('maximum: 100 }', 'maximum: 200 }')),
      ['orders:list.query.properties.limit.maximum', 'contract/changes/'],
    ],
    [
      'a frozen file that was edited',
      'contract/frozen',
      (folder) =>
        edit(folder, `contract/frozen/${current}/contract.json`, (text) =>
          text.replace('"maximum": 100', '"maximum": 200'),
        ),
      [`${current} is frozen`, NEXT],
    ],
    [
      'a scope without words',
      NEXT,
      (folder) => edit(folder, 'dateline.config.mjs', (text) => text.replace(/ {4}'wishes:read': .*\n/, '')),
      ['wishes:list', 'wishes:read', 'dateline.config.mjs'],
    ],
    [
      'a kind whose scope has no words [outside2 28]',
      NEXT,
      (folder) =>
        edit(folder, NEXT, (text) => text.replace(/(order\.placed:[\s\S]*?)"orders:read"/, '$1"shops:read"')),
      ['order.placed', 'the scope shops:read, which has no words', 'dateline.config.mjs'],
    ],
    [
      'a path of ours',
      NEXT,
      (folder) => edit(folder, NEXT, (text) => text.replace('/wishes:', '/v1/oauth2/wishes:')),
      ['/paths/~1v1~1oauth2~1wishes', 'Dateline'],
    ],
    [
      'a kind without a schema',
      NEXT,
      (folder) =>
        edit(folder, NEXT, (text) =>
          text.replace(/(order\.cancelled:[\s\S]*?application\/json:)\n.*\n/, '$1 {}\n'),
        ),
      ['/webhooks/order.cancelled', 'schema'],
    ],
    [
      'a kind of ours',
      NEXT,
      (folder) => edit(folder, NEXT, (text) => text.replace('order.cancelled:', 'token.cancelled:')),
      ['token.cancelled', 'Dateline'],
    ],
    [
      'an answer of its own to an operation that is not there',
      'handlers.mjs',
      (folder) =>
        writeFileSync(join(folder, 'handlers.mjs'), `export default { 'orders:reed': async () => {} };`),
      ['orders:reed', NEXT],
    ],
    [
      'a reference that leads nowhere',
      NEXT,
      (folder) => edit(folder, NEXT, (text) => text.replace('wish.yaml#/Wish', 'wish.yaml#/Wush')),
      ['Wush'],
    ],
    [
      'YAML that cannot be read',
      NEXT,
      (folder) => edit(folder, NEXT, (text) => text.replace('paths:', 'paths: [')),
      [NEXT],
    ],
    [
      'a module that cannot be built',
      'contract/changes',
      (folder) => replaceChanges(folder, 'index.ts', 'export kanst changes = [];'),
      ['index.ts:1'],
    ],
    [
      'a module that is no list of changes',
      'contract/changes',
      (folder) => replaceChanges(folder, 'index.mjs', 'export const changes = [{ name: 7 }];'),
      ['changes[0].name', 'changes[0].touches'],
    ],
    [
      'a configuration with a mistake',
      'dateline.config.mjs',
      (folder) => edit(folder, 'dateline.config.mjs', (text) => text.replace('audience:', 'audiense:')),
      ['upstream.audience', 'upstream.audiense'],
    ],
    [
      'a share of one client that is more than there is',
      'dateline.config.mjs',
      (folder) =>
        edit(folder, 'dateline.config.mjs', (text) =>
          text.replace('audience:', 'inFlightMax: 10, inFlightPerClientMax: 11, audience:'),
        ),
      ['upstream.inFlightPerClientMax', 'more than upstream.inFlightMax, which is 10'],
    ],
    [
      'a limit that is none',
      'dateline.config.mjs',
      (folder) =>
        edit(folder, 'dateline.config.mjs', (text) =>
          text.replace('audience:', 'idleSeconds: 0, inFlightPerClientMax: 0, audience:'),
        ),
      ['upstream.idleSeconds', 'upstream.inFlightPerClientMax', 'must be >= 1'],
    ],
    [
      'a wish for what no upstream gets',
      'dateline.config.mjs',
      (folder) =>
        edit(folder, 'dateline.config.mjs', (text) =>
          text.replace('audience:', "forward: ['cookie'], audience:"),
        ),
      ['upstream.forward.0'],
    ],
    [
      'one upstream for both environments',
      'dateline.config.mjs',
      (folder) => edit(folder, 'dateline.config.mjs', (text) => text.replace('127.0.0.1:8', '127.0.0.1:9')),
      ['upstream.sandbox'],
    ],
  ];

  it.each(refusals)(
    'with %s is refused at the check and at the start, naming the file and the place',
    async (...row) => {
      const [, file, spoil, locations] = row;
      const folder = copyOrders();
      spoil(folder);
      const { code, err } = await check(folder);
      expect(code).toBe(1);
      for (const location of [file, ...locations]) expect(err).toContain(location);
      expect(err).not.toMatch(/\bat .*\.ts:\d+|TypeError/);
      // The service says the same: what is served is read by the same rules.
      await expect(readBuild(folder)).rejects.toThrow(err.replace('dateline: ', '').trim());
    },
  );

  it('[folder 13] whose Next lacks an operation that nothing serves is refused with what to do, at the check and at the start', async () => {
    const folder = copyOrders();
    edit(folder, NEXT, (text) => text.replace(/ {2}\/open-hours:\n(?: {4}.*\n)+/, ''));
    const problem =
      /^contract\/next\.yaml: shop:open_hours is not in \S+, and nothing serves it.*redirects.*kept/m;
    const checked = await check(folder);
    const started = await runCommandLine(['serve', '--api', folder]);
    for (const { code, err } of [checked, started]) {
      expect([code, err.replace('dateline: ', '')]).toEqual([1, expect.stringMatching(problem)]);
      expect(err).not.toMatch(/\bat .*:\d+:\d+|Error:/);
    }
  });

  it('[folder 41] whose calls may take longer than callers wait is refused at the start, with both settings', async () => {
    const folder = copyOrders();
    edit(folder, 'dateline.config.mjs', (text) => text.replace('audience:', 'timeoutSeconds: 21, audience:'));
    expect((await check(folder)).code).toBe(0);
    const databases = await createTestDatabases(anyEngine);
    onTestFinished(() => databases.close());
    await expect(startTestServiceOn(databases, { DATELINE_API: folder })).rejects.toThrow(
      /^dateline\.config\.mjs: upstream\.timeoutSeconds: it is 21, and after DATELINE_REQUEST_SECONDS, which is 20,/,
    );
  });

  it('is found by the option, the setting, or the folder that a command runs in', async () => {
    const folder = copyOrders();
    expect(loadConfig({ DATELINE_API: folder }).apiFolder).toBe(folder);
    expect((await runCommandLine(['contract', 'check'], { DATELINE_API: folder })).out).toContain(
      'unchanged',
    );
  });

  // The example has a module between frozen versions until its second release.
  it.runIf(current === '2026-10')('notices an edit of what frozen versions are translated with', async () => {
    const folder = copyOrders();
    edit(folder, `contract/changes/${current}-to-${deprecated}/index.mjs`, (text) =>
      text.replace('* 100', '* 1000'),
    );
    const { code, err } = await check(folder);
    expect(code).toBe(1);
    expect(err).toContain('tape.json');
    expect(err).toContain('total_cents');
  });
});
