import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serveOwnApi } from '../support/package/own-api.ts';
import {
  installInto,
  type Packed,
  pack,
  publishedPackages,
  runScript,
  serveInstalled,
  tourScript,
} from '../support/package/packing.ts';

interface Nodes {
  installNode(major: number): string;
}

const { installNode } = (await import('../../tools/install-node.mjs' as string)) as Nodes;
const folder = mkdtempSync(join(tmpdir(), 'dateline-package-'));
let packed: Packed[];

beforeAll(() => {
  packed = publishedPackages().map((one) => pack(one, folder));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a folder outside of this repository: what is missing in a package is found nowhere else. */
describe.each([20, 24, 26])('the packages, installed from their tarballs with Node %i alone', (major) => {
  const empty = join(folder, `node-${major}`);
  let installed: ReturnType<typeof installInto>;

  beforeAll(() => {
    mkdirSync(empty);
    const node = process.version.startsWith(`v${major}.`) ? process.execPath : installNode(major);
    installed = installInto(
      empty,
      packed.map(({ tarball }) => tarball),
      node,
    );
  });

  it('serve on the embedded database, with the console and every line of the tour, and stop', async () => {
    const service = await serveInstalled(installed);
    onTestFinished(async () => {
      await service.stop();
    });
    const page = await (await fetch(`${service.sandbox}/console`)).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, path]) => path);
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets)
      expect([path, (await fetch(service.sandbox + path)).status]).toEqual([path, 200]);
    expect(await runScript(tourScript(installed.readme, service), installed)).toContain(
      '"name":"Demo organization"',
    );
    expect(await service.stop()).toBe(0);
  });

  it.runIf(process.platform === 'linux' && major > 20)('bound their memory as `npm start` does', async () => {
    const service = await serveInstalled(installed);
    onTestFinished(async () => {
      await service.stop();
    });
    const command = readFileSync(`/proc/${service.pid}/cmdline`, 'utf8').split('\0');
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(scripts.start).toContain(command[1]);
    expect(command[1]).toMatch(/^--max-semi-space-size=\d+$/);
  });

  it('serve an API of one’s own in front of its server', async () => {
    await serveOwnApi(installed);
  });

  it('bring the engine and the client, with their versions', () => {
    const program = `
      const { apiVersion } = await import('@dateline/versions');
      const same = await import('dateline/versions');
      const { Dateline } = await import('@dateline/client/2026-10');
      console.log(String(apiVersion('2026-10')), String(same.apiVersion('2026-10')), typeof Dateline);`;
    const args = ['--input-type=module', '-e', program];
    const output = execFileSync('node', args, { cwd: empty, env: installed.env, encoding: 'utf8' });
    expect(output).toBe('2026-10 2026-10 function\n');
  });
});

describe('npm run release', () => {
  const release = (...args: string[]) =>
    spawnSync('npm', ['run', 'release', '--', ...args], {
      encoding: 'utf8',
      env: { ...process.env, CI: '1' },
    });

  it('-- --dry-run installs the packages, runs the tour, and says what would be published', () => {
    const { status, stdout, stderr } = release('--dry-run');
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('release:')]);
    for (const { name, version, files } of packed)
      expect(stdout).toMatch(new RegExp(`^  ${name} ${version}: .*, ${files.length} files$`, 'm'));
  });

  it('publishes nothing from a tree that is not tagged', () => {
    const tags = execFileSync('git', ['tag', '--points-at', 'HEAD'], { encoding: 'utf8' });
    expect(tags, 'this test is for a commit without a tag').toBe('');
    const { status, stderr, stdout } = release();
    expect(status).toBe(1);
    expect(stderr).toContain('nothing was published');
    expect(stdout).not.toContain('Packing');
  });
});
