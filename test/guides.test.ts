import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPostgresDatabase } from './support/database/postgres-database.ts';
import { freePort } from './support/database/postgres-server.ts';
import { createVisitor } from './support/http/visitor.ts';
import { itInLongRuns } from './support/run/in-long-runs.ts';
import { blocksOf, GUIDES, type GuideBlock } from './support/service/guide-blocks.ts';
import { spawnDateline } from './support/service/spawn-dateline.ts';

const guides = readdirSync(GUIDES).filter((name) => name.endsWith('.md') && name !== 'README.md');

describe('the guides', () => {
  it('are all listed', () => {
    const list = readFileSync(join(GUIDES, 'README.md'), 'utf8');
    expect(guides.length).toBeGreaterThan(5);
    for (const guide of guides) expect(list).toContain(`](${guide})`);
  });

  it('show what each command prints', () => {
    for (const guide of guides) {
      const kinds = blocksOf(guide).map(({ language, words }) => `${language} ${words}`);
      expect(kinds.filter((kind) => kind.startsWith('sh run')).length, guide).toBeGreaterThan(1);
      expect(kinds.filter((kind) => kind === 'text ').length, guide).toBeGreaterThan(0);
    }
  });

  for (const guide of guides)
    itInLongRuns(`${guide}: every command works as it stands, and prints what is shown`, () => follow(guide));
});

async function follow(guide: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-guide-'));
  const dataDir = join(folder, '.data');
  const database = await createPostgresDatabase({ migrated: true });
  const blocks = blocksOf(guide);
  const own = await startApiFolder(blocks, folder);
  const service = spawnDateline(['serve'], {
    env: { DATELINE_DATA_DIR: dataDir, DATABASE_URL: database.url, ...own.env },
  });
  try {
    const { production, sandbox } = await service.ready();
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    for (const { language, words, text } of blocks)
      if (language === 'js' && words !== '') writeFileSync(join(folder, words), text);
    const script = blocks
      .filter(({ language, words }) => language === 'sh' && words.startsWith('run'))
      .map(({ text }) => text)
      .join('\n')
      .replaceAll('http://127.0.0.1:4001', sandbox)
      .replaceAll('npx dateline', `node ${resolve('bin', 'dateline.mjs')}`);
    const env = {
      DATELINE_DATA_DIR: dataDir,
      DATELINE_PORT: new URL(production).port,
      DATELINE_SANDBOX_PORT: new URL(sandbox).port,
    };
    const { output, status } = await bash(script, { folder, env, sandbox, dataDir });
    expect(status, output).toBe(0);
    for (const expected of blocks.filter(({ language }) => language === 'text'))
      for (const line of expected.text.trimEnd().split('\n')) expect(output).toMatch(asPattern(line));
  } finally {
    service.child.kill('SIGKILL');
    await service.exit;
    own.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For the guide that begins with a folder: does what its first blocks say, with a port of our own. */
async function startApiFolder(
  blocks: readonly GuideBlock[],
  folder: string,
): Promise<{ env: Record<string, string>; stop(): void }> {
  const textOf = (words: string) =>
    blocks
      .filter((block) => block.language === 'sh' && block.words === words)
      .map(({ text }) => text)
      .join('');
  const before = textOf('before');
  if (before === '') return { env: {}, stop() {} };
  symlinkSync(resolve('examples'), join(folder, 'examples'));
  for (const { language, words, text } of blocks)
    if (language === 'js' && words.startsWith('before-')) writeFileSync(join(folder, words), text);
  const run = { cwd: folder, stdio: 'pipe' } as const;
  execFileSync(
    'bash',
    ['-euc', before.replaceAll('npx dateline', `node ${resolve('bin', 'dateline.mjs')}`)],
    run,
  );
  const [, file = ''] = /^node (\S+) 7101$/m.exec(textOf('start')) ?? [];
  const [, named = ''] = /^npx dateline serve --api (\S+)$/m.exec(textOf('start')) ?? [];
  const port = await freePort();
  const upstream = spawn(process.execPath, [file, String(port)], { cwd: folder, stdio: 'ignore' });
  return {
    env: {
      DATELINE_API: join(folder, named),
      LEGACY_SHOP_SANDBOX_UPSTREAM: `http://127.0.0.1:${port}/api/v4`,
    },
    stop: () => void upstream.kill('SIGKILL'),
  };
}

/** A shown line; … stands for what differs. */
function asPattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*?'));
}

interface Followed {
  folder: string;
  env: Record<string, string>;
  sandbox: string;
  dataDir: string;
}

/** Runs a script. Where it asks the person to open an address, the demo user opens it, signs in and allows. */
async function bash(
  script: string,
  { folder, env, sandbox, dataDir }: Followed,
): Promise<{ output: string; status: number | null }> {
  const child: ChildProcess = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be ended.
    detached: true,
  });
  let output = '';
  let isOpened = false;
  const hear = (chunk: Buffer): void => {
    output += chunk.toString();
    const [, address] = /Open (http\S+)\n/.exec(output) ?? [];
    if (address === undefined || isOpened) return;
    isOpened = true;
    signInAndAllow(sandbox, dataDir, address).catch((error: unknown) => {
      output += String(error);
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    });
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const status = await new Promise<number | null>((done) => child.once('close', done));
  return { output, status };
}

async function signInAndAllow(sandbox: string, dataDir: string, address: string): Promise<void> {
  const { user_email: email, user_password: password } = JSON.parse(
    readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
  ).sandbox;
  const browser = createVisitor(sandbox);
  const page = await browser.visit(address);
  const asked = await browser.submit(page, '/account/sign-in', { email, password });
  const { url } = await browser.submit(asked, '/account/consent', { decision: 'allow' });
  expect((await fetch(url)).status).toBe(200);
}
