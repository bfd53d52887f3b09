import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { startService } from '../../src/main.ts';
import { lockDataFolder as lockWith } from '../../src/storage/data-folder-lock.ts';
import { createLog } from '../../src/telemetry/log.ts';

const lockDataFolder = (folder: string, onLost = () => {}) => lockWith(folder, { onLost, say() {} });

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

  it('refuses a second process with a sentence that names the holder', async () => {
    const lock = await lockDataFolder(folder);
    const sentence = `The data folder ${folder} is in use by process ${process.pid}; stop that process, or set DATELINE_DATA_DIR to another folder.`;
    await expect(lockDataFolder(folder)).rejects.toThrow(sentence);
    lock.release();
  });

  it('is what a second service reports, whose ports are taken too', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const lock = await lockDataFolder(folder);
    const second = startService({
      config: loadConfig({ DATELINE_DATA_DIR: folder, DATELINE_PORT: port, DATELINE_SANDBOX_PORT: '0' }),
      log: createLog('fatal'),
      say() {},
      abort() {},
    });
    await expect(second).rejects.toThrow(`The data folder ${folder} is in use`);
    lock.release();
    other.close();
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
    'is taken over when another process has the dead one’s pid',
    async () => {
      await lockDataFolder(folder);
      holdAs({ startTime: '1' });
      const next = await lockDataFolder(folder);
      expect(holder().token).not.toBe('another');
      next.release();
    },
  );

  const beatAt = (at: Date): void => utimesSync(lockFile(), at, at);

  it('of another host is refused while its heartbeat goes on', async () => {
    await lockDataFolder(folder);
    holdAs({ host: 'elsewhere', place: 'elsewhere', pid: 1 });
    beatAt(new Date());
    const attempt = lockWith(folder, {
      onLost() {},
      // It beats once more while we watch.
      say: () => beatAt(new Date(Date.now() + 1_000)),
    });
    await expect(attempt).rejects.toThrow('in use by process 1 on host elsewhere');
  });

  it('of another host is taken over when its heartbeat has stopped', async () => {
    await lockDataFolder(folder);
    holdAs({ host: 'elsewhere', place: 'elsewhere', pid: 1 });
    beatAt(new Date(Date.now() - 60_000));
    (await lockDataFolder(folder)).release();
  });

  it('notifies its holder when another process has taken it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let lost = 0;
    const lock = await lockDataFolder(folder, () => {
      lost += 1;
    });
    vi.advanceTimersByTime(10_000);
    expect(lost).toBe(0);
    holdAs({});
    vi.advanceTimersByTime(10_000);
    expect(lost).toBe(1);
    lock.release();
    vi.useRealTimers();
  });

  it.runIf(process.platform === 'linux')(
    'is taken over from a process that has ended as a zombie',
    async () => {
      // The shell becomes `sleep` while its child still runs; when the child ends, no process waits for it.
      const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [output] = (await once(parent.stdout, 'data')) as [Buffer];
      const zombie = Number(output.toString());
      await expect.poll(() => readFileSync(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z ');
      await lockDataFolder(folder);
      holdAs({ pid: zombie, startTime: null });
      (await lockDataFolder(folder)).release();
      parent.kill();
    },
  );

  it('is not removed by a slow process that saw the dead holder before a fast one took over', async () => {
    await lockDataFolder(folder);
    holdAs({ pid: await deadProcess() });
    // The slow one has made its claim and pauses; no other process may take the lock away meanwhile.
    writeFileSync(
      join(folder, 'lock.claim-on-another'),
      readFileSync(lockFile(), 'utf8')
        .replace(/"pid":\d+/, `"pid":${process.ppid}`)
        .replace(/"startTime":"\d+"/, '"startTime":null'),
    );
    const waiting = lockDataFolder(folder);
    await new Promise((resolve) => setImmediate(resolve));
    expect(holder().token).toBe('another');
    rmSync(join(folder, 'lock.claim-on-another'));
    (await waiting).release();
  });

  it('[outside2 28] is not removed by a slow process that makes its claim after a fast one took over', async () => {
    await lockDataFolder(folder);
    holdAs({ pid: await deadProcess() });
    const link = fs.linkSync;
    // The slow one has read who is dead, and pauses before its claim: the fast one is done by then.
    const paused = vi.spyOn(fs, 'linkSync').mockImplementation((draft, path) => {
      if (String(path).endsWith('.claim-on-another'))
        holdAs({ token: 'fast', pid: process.ppid, startTime: null });
      link(draft, path);
    });
    syncBuiltinESMExports();
    try {
      await expect(lockDataFolder(folder)).rejects.toThrow(`in use by process ${process.ppid}`);
    } finally {
      paused.mockRestore();
      syncBuiltinESMExports();
    }
    expect(holder().token).toBe('fast');
    expect(readdirSync(folder)).toEqual(['lock']);
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
    beatAt(new Date(Date.now() - 60_000));
    (await lockDataFolder(folder)).release();
  });

  it('is not removed by a process that has lost it', async () => {
    const lock = await lockDataFolder(folder);
    holdAs({});
    lock.release();
    expect(holder().token).toBe('another');
  });
});
