import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors/startup-error.ts';
import { errorCode } from '../kernel/error-facts.ts';

/**
 * Keeps a second process out of a data folder. The embedded database does not: two processes that open one
 * folder destroy it. The lock is a file that names its holder; a dead holder's lock is taken over.
 */
export interface DataFolderLock {
  release(): void;
}

export interface LockOptions {
  /** Called when another process has taken the lock and may write. Nothing may be written after this. */
  onLost(): void;
  /** Called with a message if the check takes a while. */
  say(sentence: string): void;
}

interface Holder {
  /** Distinguishes two holders that have all else in common. */
  token: string;
  pid: number;
  host: string;
  /** The boot and container of the process: process numbers can be compared within one only. */
  place: string;
  /** When the process started, as the system counts it: a new process may get a dead one's number. */
  startTime: string | null;
}

const LOCK_FILE = 'lock';
const HEARTBEAT_MS = 2_000;
// Of a holder on another machine or in another container only the file can be seen. Five missed beats mean that it is gone.
const HEARTBEAT_MISSED_MS = 5 * HEARTBEAT_MS;
const WAIT_MS = 100;
const RETRY_MS = 5;

export async function lockDataFolder(folder: string, { onLost, say }: LockOptions): Promise<DataFolderLock> {
  const path = join(folder, LOCK_FILE);
  const self: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    place: thisHost(),
    startTime: processStat(process.pid)?.startTime ?? null,
  };
  while (!createLock(path, self)) {
    refuseIfHeld(folder);
    if (isSilent(path)) takeAway(path, self);
    else await watchHeartbeat(folder, say);
    await delay(RETRY_MS);
  }
  const heartbeat = setInterval(() => {
    if (readHolder(path)?.token === self.token) return beat(path);
    clearInterval(heartbeat);
    onLost();
  }, HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readHolder(path)?.token === self.token) rmSync(path, { force: true });
    },
  };
}

/** Throws a sentence that names the process of this machine or container that holds the folder, if one does. */
export function refuseIfHeld(folder: string): void {
  const holder = readHolder(join(folder, LOCK_FILE));
  if (holder && holder.place === thisHost() && isRunning(holder)) throw heldBy(holder, folder);
}

function heldBy(holder: Holder, folder: string): StartupError {
  const where = holder.host === hostname() ? '' : ` on host ${holder.host}`;
  return new StartupError(
    `The data folder ${folder} is in use by process ${holder.pid}${where}; stop that process, or set DATELINE_DATA_DIR to another folder.`,
  );
}

/** Creates the lock whole or not at all: a link either makes the name or fails. */
function createLock(path: string, holder: Holder): boolean {
  const draft = `${path}.${holder.token}`;
  try {
    writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
    // Sets the time by this machine's clock, as all later beats do; a file server's may differ.
    beat(draft);
    linkSync(draft, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    throw new StartupError(
      `DATELINE_DATA_DIR: the lock ${path} cannot be created (${code}); the folder must be on a file system with hard links and free space.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes a dead holder's lock. Several processes may want to, and the slowest must not remove the lock that the
 * fastest has created since: so only the process that makes the claim on this holder may.
 */
function takeAway(path: string, self: Holder): void {
  const dead = readHolder(path)?.token ?? 'damaged';
  const claim = `${path}.claim-on-${dead}`;
  if (!createLock(claim, self)) {
    // The process that has the claim is removing the lock now, or died over it.
    if (isSilent(claim)) rmSync(claim, { force: true });
    return;
  }
  if ((readHolder(path)?.token ?? 'damaged') === dead) rmSync(path, { force: true });
  rmSync(claim, { force: true });
}

/** True if the holder is dead: its process on this host is gone, or on another host it has missed its heartbeats. */
function isSilent(path: string): boolean {
  const holder = readHolder(path);
  if (holder && holder.place === thisHost()) return !isRunning(holder);
  return Date.now() - heartbeatMs(path) >= HEARTBEAT_MISSED_MS;
}

/** Waits until a holder on another host beats again, which refuses us, or misses its heartbeats. */
async function watchHeartbeat(folder: string, say: LockOptions['say']): Promise<void> {
  const path = join(folder, LOCK_FILE);
  const holder = readHolder(path);
  const lastBeatMs = heartbeatMs(path);
  say(
    `Waiting to see whether process ${holder?.pid ?? '?'} on ${holder?.host ?? 'another host'} still uses ${folder}`,
  );
  while (!isAbsent(path) && !isSilent(path)) {
    await delay(WAIT_MS);
    if (holder && heartbeatMs(path) > lastBeatMs) throw heldBy(holder, folder);
  }
}

function beat(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The folder was taken away under us; the next beat finds the lock gone.
  }
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null; // No lock, or one that no process of ours wrote.
  }
}

function isAbsent(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) === undefined;
}

function heartbeatMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isRunning({ pid, startTime }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  const stat = processStat(pid);
  if (!stat) return true; // Not Linux: only the number is known.
  // A zombie has ended; only its parent has not noticed.
  const ended = stat.state === 'Z' || stat.state === 'X';
  return !ended && (startTime === null || startTime === stat.startTime);
}

function thisHost(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ');
  } catch {
    return hostname(); // Not Linux: only the name is known.
  }
}

function processStat(pid: number): { state: string; startTime: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces; the third is the state, the 22nd the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return null;
  }
}
