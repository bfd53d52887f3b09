import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { present } from '../../src/kernel/presence.ts';
import { sealBackup, wholeBackup } from '../../src/recovery/backup/backup-format.ts';
import { packEntries } from '../../src/recovery/backup/folder-entries.ts';
import { secretKey } from '../../src/secrets/secret-key.ts';
import { readSecretKeyFile } from '../../src/secrets/secret-key-file.ts';
import { postForm } from '../support/oauth/oauth-nodes.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { newDataDir, startEmbeddedService } from '../support/service/embedded-service.ts';
import { type RunningTestService, useTestService } from '../support/service/test-service.ts';

describe('a backup of the embedded database', () => {
  const dataDir = newDataDir();
  const elsewhere = newDataDir();
  const file = join(elsewhere, 'today.backup');
  let service: RunningTestService;
  let settings: Record<string, string>;
  /** Numbered organizations, each first in production and then in the sandbox: acknowledged when in this list. */
  const acknowledged: string[] = [];
  let acknowledgedBefore: readonly string[] = [];
  let whole: Buffer;
  const small = join(elsewhere, 'small');

  beforeAll(async () => {
    service = await startEmbeddedService(dataDir, { isNew: true });
    settings = { ...operatorSettings(service), DATELINE_DATA_DIR: dataDir };
    await backUpWhileWriting();
    await makeSmallBackup();
  });
  afterAll(async () => {
    await service?.stop();
    for (const folder of [dataDir, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });

  /** Small, and of several frames: it is opened again and again. */
  async function makeSmallBackup(): Promise<void> {
    const contents = join(elsewhere, 'contents');
    mkdirSync(join(contents, 'database', 'base'), { recursive: true });
    writeFileSync(join(contents, 'database', 'PG_VERSION'), '18');
    writeFileSync(join(contents, 'database', 'base', '1'), randomBytes(600_000));
    const [key] = (readSecretKeyFile(join(dataDir, 'secret.key')) ?? []).map(secretKey);
    const facts = { madeAt: new Date().toISOString(), migrations: {} };
    const packed = pipeline(Readable.from(packEntries(contents)), createGzip(), () => {});
    whole = await bytesOf(sealBackup(packed, facts, present(key, 'the key')));
    writeFileSync(small, whole);
  }

  async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of stream) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async function write(number: number): Promise<void> {
    const name = `number ${number}`;
    for (const environment of ['production', 'sandbox'] as const)
      await service.operate(environment, '/operator/organizations', { method: 'POST', body: { name } });
    acknowledged.push(name);
  }

  async function backUpWhileWriting(): Promise<void> {
    for (let number = 0; number < 3; number += 1) await write(number);
    acknowledgedBefore = [...acknowledged];
    let isDone = false;
    const writing = (async () => {
      for (let number = 3; !isDone; number += 1) await write(number);
    })();
    const { code, out, err } = await runCommandLine(['backup', file, '--json'], settings);
    isDone = true;
    await writing;
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { file, made_at: expect.any(String), bytes: statSync(file).size, secret_key_id: expect.any(String) },
    ]);
    expect(err).toContain('is not in the file, and nothing can be restored without it');
  }

  const restore = (into: string, from = file, ...more: string[]) =>
    runCommandLine(['restore', from, ...more], { DATELINE_DATA_DIR: into });

  /** A folder with the secret key alone. */
  function folderWithKey(): string {
    const folder = join(elsewhere, `data-${readdirSync(elsewhere).length}`);
    mkdirSync(folder);
    copyFileSync(join(dataDir, 'secret.key'), join(folder, 'secret.key'));
    return folder;
  }

  it('is whole, readable by its owner only, encrypted, and leaves nothing beside it', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(elsewhere).filter((name) => name.includes('backup'))).toEqual(['today.backup']);
    expect(readdirSync(dataDir).filter((name) => name.includes('backup'))).toEqual([]);
    const bytes = readFileSync(file);
    expect(bytes.includes(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim())).toBe(false);
    expect(bytes.includes(service.quickstart.production.operator_key)).toBe(false);
    const { items } = (await (
      await service.operate('production', '/operator/audit?action=backup.made')
    ).json()) as {
      items: unknown[];
    };
    expect(items).toMatchObject([{ actor_type: 'operator' }]);
  });

  it('comes back as it was at one moment, with what was acknowledged before, and says that something is lost', async () => {
    const folder = folderWithKey();
    const { code, err } = await restore(folder);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /is live again\. Before you start the service, run: dateline restore --lost-from 20\S+Z --yes\n$/,
      ),
    ]);
    expect(readFileSync(join(folder, 'quickstart.json'), 'utf8')).toBe(
      readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
    );
    const restored = await startEmbeddedService(folder, { isNew: false });
    try {
      const [production, sandbox] = [
        await numbersIn(restored, 'production'),
        await numbersIn(restored, 'sandbox'),
      ];
      expect(acknowledgedBefore.filter((name) => !sandbox.includes(name))).toEqual([]);
      // One moment of both: the sandbox has what production has, or all but the newest.
      expect([0, 1]).toContain(production.length - sandbox.length);
      expect(production.slice(0, sandbox.length)).toEqual(sandbox);
      const { client_id, client_secret, refresh_token } = service.quickstart.sandbox;
      const refreshed = await postForm(restored.urls.sandbox, 'token', {
        grant_type: 'refresh_token',
        refresh_token,
        client_id,
        client_secret,
      });
      expect(refreshed?.status).toBe(200);
      await expect
        .poll(async () => {
          const answer = await restored.operate('production', '/operator/audit?action=database.restored');
          return ((await answer.json()) as { items: unknown[] }).items.length;
        })
        .toBe(1);
    } finally {
      await restored.stop();
    }
  });

  async function numbersIn(of: RunningTestService, environment: 'production' | 'sandbox'): Promise<string[]> {
    const names: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await of.operate(environment, `/operator/organizations?limit=100&cursor=${cursor}`);
      const { items, pagination } = (await answer.json()) as {
        items: { name: string }[];
        pagination: { next_cursor: string | null };
      };
      names.push(...items.map(({ name }) => name).filter((name) => name.startsWith('number ')));
      cursor = pagination.next_cursor;
    }
    return names;
  }

  it('does not replace a file, unless told to', async () => {
    const before = readFileSync(file);
    expect(await runCommandLine(['backup', file], settings)).toMatchObject({
      code: 1,
      err: `dateline: ${file} is there already; name another file, or replace it with --force.\n`,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    const other = join(elsewhere, 'other.backup');
    writeFileSync(other, 'old');
    expect((await runCommandLine(['backup', other, '--force'], settings)).code).toBe(0);
    expect(statSync(other).size).toBeGreaterThan(100_000);
    rmSync(other);
  });

  it('is for admins of production: those of the sandbox would get the data of production', async () => {
    const answer = await service.operate('sandbox', '/operator/backup', { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({
        detail: 'A backup holds both environments: ask the operator API of production.',
      }),
    ]);
  });

  it('can be made again after a reader has hung up', async () => {
    const hungUp = new AbortController();
    const response = await service.call('production', '/operator/backup', {
      method: 'POST',
      headers: { authorization: `Bearer ${service.quickstart.production.operator_key}` },
      signal: hungUp.signal,
    });
    expect(response.status).toBe(200);
    hungUp.abort();
    const again = join(elsewhere, 'again.backup');
    await expect.poll(async () => (await runCommandLine(['backup', again], settings)).code).toBe(0);
    rmSync(again);
  });

  it('is not restored while a service holds the folder', async () => {
    expect(await restore(dataDir, file, '--force')).toEqual({
      code: 1,
      out: '',
      err: `dateline: The data folder ${dataDir} is in use by process ${process.pid}; stop that process, or set DATELINE_DATA_DIR to another folder.\n`,
    });
  });

  it('is not restored over data without --force, which puts that data aside', async () => {
    const folder = folderWithKey();
    mkdirSync(join(folder, 'database'));
    writeFileSync(join(folder, 'database', 'PG_VERSION'), 'old');
    expect((await restore(folder)).err).toBe(
      `dateline: There is a database in ${join(folder, 'database')} already; restore with --force, which puts it aside, or set DATELINE_DATA_DIR to an empty folder.\n`,
    );
    expect(readFileSync(join(folder, 'database', 'PG_VERSION'), 'utf8')).toBe('old');
    const { code, out } = await restore(folder, small, '--force', '--json');
    expect(code).toBe(0);
    expect(readFileSync(join(JSON.parse(out).put_aside, 'PG_VERSION'), 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'database', 'PG_VERSION'), 'utf8')).not.toBe('old');
  });

  it('a start is refused where a restore was cut off before the data was in its place', async () => {
    const folder = folderWithKey();
    mkdirSync(join(folder, 'database.restored'));
    const started = await runCommandLine(['serve'], {
      DATELINE_DATA_DIR: folder,
      DATELINE_PORT: '0',
      DATELINE_SANDBOX_PORT: '0',
    });
    expect([started.code, started.err]).toEqual([
      1,
      expect.stringContaining('was cut off before its end; run "dateline restore" again'),
    ]);
    expect(existsSync(join(folder, 'database'))).toBe(false);
    expect((await restore(folder, small)).code).toBe(0);
    expect(existsSync(join(folder, 'database.restored'))).toBe(false);
  });

  describe('that is not as it was written', () => {
    it('is restored as it is', async () => {
      const folder = folderWithKey();
      expect((await restore(folder, small)).code).toBe(0);
      expect(statSync(join(folder, 'database', 'base', '1')).size).toBe(600_000);
    });

    const madeOf = (change: (bytes: Buffer) => Uint8Array): string => {
      const path = join(elsewhere, `wrong-${readdirSync(elsewhere).length}`);
      writeFileSync(path, change(whole));
      return path;
    };
    const withHeader = (change: (header: Record<string, unknown>) => unknown) => (bytes: Buffer) => {
      const end = bytes.indexOf('\n');
      const header = JSON.parse(bytes.toString('utf8', 0, end));
      return Buffer.concat([Buffer.from(JSON.stringify(change(header))), bytes.subarray(end)]);
    };
    const flipped = (at: (bytes: Buffer) => number) => (bytes: Buffer) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed.at(at(bytes)) ?? 0) ^ 1, at(bytes));
      return changed;
    };

    /** Of the same length: both are full. */
    const swapped = (bytes: Buffer) => {
      const first = bytes.indexOf('\n') + 1;
      const length = 4 + (bytes.readUInt32BE(first) & 0x7fff_ffff);
      const [second, third] = [first + length, first + 2 * length];
      return Buffer.concat([
        bytes.subarray(0, first),
        bytes.subarray(second, third),
        bytes.subarray(first, second),
        bytes.subarray(third),
      ]);
    };

    it.each([
      ['is another file', () => Buffer.from('-- PostgreSQL database dump\n'), 'does not begin like a backup'],
      ['is empty', () => Buffer.alloc(0), 'does not begin like a backup'],
      ['is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100_000), 'its end is missing'],
      ['lacks its last byte', (bytes: Buffer) => bytes.subarray(0, -1), 'its end is missing'],
      ['goes on', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')]), 'not those that were written'],
      [
        'has one bit changed',
        flipped((bytes) => Math.floor(bytes.length / 2)),
        'not those that were written',
      ],
      [
        'has one bit of its last frame changed',
        flipped((bytes) => bytes.length - 20),
        'not those that were written',
      ],
      ['has its frames in another order', swapped, 'not those that were written'],
      [
        'has another time in its header',
        withHeader((header) => ({ ...header, madeAt: '2020-01-01T00:00:00.000Z' })),
        'not those that were written',
      ],
    ])('is refused where it %s, and nothing is changed', async (_how, change, reason) => {
      const wrong = madeOf(change);
      const folder = folderWithKey();
      const { code, out, err } = await restore(folder, wrong);
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(`${wrong} is not a whole backup: `)]);
      expect(err).toContain(reason);
      expect(err).toContain('Nothing was changed.');
      expect(readdirSync(folder)).toEqual(['secret.key']);
    });

    it('is not taken from a service either, which has no key to look into it', async () => {
      const read = (...pieces: Uint8Array[]): Promise<Buffer> => bytesOf(wholeBackup(streamOf(pieces)));
      expect((await read(whole.subarray(0, 7), whole.subarray(7))).equals(whole)).toBe(true);
      await expect(read(whole.subarray(0, -1))).rejects.toThrow('its end is missing');
    });

    async function* streamOf(pieces: readonly Uint8Array[]) {
      yield* pieces;
    }

    it('is refused by a build that does not know its newest migration, with a sentence', async () => {
      const newest = migrations.at(-1)?.name;
      const unknown = '9999-of-a-newer-build';
      const newer = madeOf(
        withHeader((header) => ({ ...header, migrations: { production: newest, sandbox: unknown } })),
      );
      const folder = folderWithKey();
      expect((await restore(folder, newer)).err).toBe(
        `dateline: ${newer} was made by a newer build: it holds migration ${unknown}, which this build does not know. Restore it with that build, or a later one.\n`,
      );
    });

    it('is refused without its secret key, which is named by its id', async () => {
      const folder = join(elsewhere, 'without-key');
      mkdirSync(folder);
      expect((await restore(folder)).err).toMatch(
        /is encrypted with the secret key [0-9a-f]{16}, and there is none: set DATELINE_SECRET_KEY to it, or put it into .*secret\.key\. A backup does not contain it\.\n$/,
      );
      const other = Buffer.alloc(32, 7).toString('base64');
      const refused = await runCommandLine(['restore', file], {
        DATELINE_DATA_DIR: folder,
        DATELINE_SECRET_KEY: other,
      });
      expect(refused.err).toMatch(/and there is [0-9a-f]{16}: set/);
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});

describe('a service on a PostgreSQL server', () => {
  const service = useTestService('PostgreSQL');

  it('makes no backup, and names what does', async () => {
    const answer = await service.operate('production', '/operator/backup', { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({
        detail: expect.stringContaining('pg_dump or pg_basebackup (docs/backup.md)'),
      }),
    ]);
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    for (const args of [
      ['backup', 'x'],
      ['restore', 'x'],
    ])
      expect(await runCommandLine(args, env)).toMatchObject({
        code: 1,
        err: expect.stringContaining('docs/backup.md'),
      });
  });
});
