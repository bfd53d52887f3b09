import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataFolder, refuseIfHeld } from '../../src/storage/data-folder-lock.ts';

describe('the lock of a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dateline-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const lockFile = (): string => join(folder, 'lock');
  const holder = (): Record<string, unknown> => JSON.parse(readFileSync(lockFile(), 'utf8'));
  const holdAs = (change: Record<string, unknown>): void =>
    writeFileSync(lockFile(), JSON.stringify({ ...holder(), token: 'another', ...change }));

  async function deadProcess(): Promise<number> {
    const child = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => child.once('exit', resolve));
    return child.pid as number;
  }

  it('keeps a second one out with a sentence that says who holds it', async () => {
    const lock = await lockDataFolder(folder);
    const sentence = `The data folder ${folder} is in use by process ${process.pid}; stop that process, or set DATELINE_DATA_DIR to another folder.`;
    await expect(lockDataFolder(folder)).rejects.toThrow(sentence);
    lock.release();
  });

  it('is free again after its release, and leaves nothing behind', async () => {
    (await lockDataFolder(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
    (await lockDataFolder(folder)).release();
  });

  it('is taken over from a dead process', async () => {
    (await lockDataFolder(folder)).release();
    const lock = await lockDataFolder(folder);
    holdAs({ pid: await deadProcess() });
    lock.release();
    expect(existsSync(lockFile())).toBe(true);
    const next = await lockDataFolder(folder);
    expect(holder().pid).toBe(process.pid);
    next.release();
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when another process has got the dead one’s number',
    async () => {
      await lockDataFolder(folder);
      holdAs({ startTime: '1' });
      const next = await lockDataFolder(folder);
      expect(holder().token).not.toBe('another');
      next.release();
    },
  );

  it('of another host holds as long as its heart beats', async () => {
    await lockDataFolder(folder);
    holdAs({ host: 'elsewhere', place: 'elsewhere', pid: 1 });
    expect(() => refuseIfHeld(folder)).toThrow('in use by process 1 on host elsewhere');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(lockFile(), longAgo, longAgo);
    expect(() => refuseIfHeld(folder)).not.toThrow();
    (await lockDataFolder(folder)).release();
  });

  it('is taken by one of many that find a dead holder at the same time', async () => {
    await lockDataFolder(folder);
    holdAs({ pid: await deadProcess(), host: hostname() });
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataFolder(folder)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(won).toHaveLength(1);
    won[0]?.value.release();
  });

  it('is taken over when the file is damaged', async () => {
    writeFileSync(lockFile(), 'not json');
    (await lockDataFolder(folder)).release();
  });

  it('is not removed by somebody who has lost it', async () => {
    const lock = await lockDataFolder(folder);
    holdAs({});
    lock.release();
    expect(holder().token).toBe('another');
  });
});
