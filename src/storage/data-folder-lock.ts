import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors/startup-error.ts';

/**
 * Keeps a second process out of a data folder. The embedded database does not: two processes that open one
 * folder destroy it. The lock is a file that names its holder; a dead holder's lock is taken over.
 */
export interface DataFolderLock {
  release(): void;
}

interface Holder {
  /** Tells two holders apart that have all else in common. */
  token: string;
  pid: number;
  host: string;
  /** Within one place, process numbers can be compared: this boot of this machine, this container. */
  place: string;
  /** When the process started, as the system counts it: a new process may get a dead one's number. */
  startTime: string | null;
}

const LOCK_FILE = 'lock';
const HEARTBEAT_MS = 2_000;
// Of a holder in another place we see only the file. Five missed beats mean that it is gone.
const HEARTBEAT_MISSED_MS = 5 * HEARTBEAT_MS;
const SETTLE_MS = 50;

export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  const path = join(folder, LOCK_FILE);
  const self: Holder = {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    place: ownPlace(),
    startTime: startTimeOf(process.pid),
  };
  while (!place(path, self)) {
    refuseIfHeld(folder);
    removeIfDead(path);
  }
  // Two processes may find the same dead holder and take over at once; the one that lost sees it now.
  await delay(SETTLE_MS);
  if (readHolder(path)?.token !== self.token) refuseIfHeld(folder);

  const heartbeat = setInterval(() => beat(path), HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(heartbeat);
      if (readHolder(path)?.token === self.token) rmSync(path, { force: true });
    },
  };
}

/** Throws a sentence that says who holds the folder, if anyone does. */
export function refuseIfHeld(folder: string): void {
  const path = join(folder, LOCK_FILE);
  const holder = readHolder(path);
  if (!holder || !isAlive(holder, path)) return;
  const where = holder.host === hostname() ? '' : ` on host ${holder.host}`;
  throw new StartupError(
    `The data folder ${folder} is in use by process ${holder.pid}${where}; stop that process, or set DATELINE_DATA_DIR to another folder.`,
  );
}

/** Puts the lock there whole or not at all: a link either makes the name or fails. */
function place(path: string, holder: Holder): boolean {
  const draft = `${path}.${holder.token}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeIfDead(path: string): void {
  const dead = readHolder(path);
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // Somebody else has just removed it.
  }
  // Between reading and moving, a new holder may have come; then the lock goes back to it.
  const moved = readHolder(aside);
  if (moved && moved.token !== dead?.token) linkBack(aside, path);
  rmSync(aside, { force: true });
}

function linkBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // A third process is in already; the one we moved finds out when it settles.
  }
}

function beat(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The folder was taken away under us; the database will say so better than we can.
  }
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null; // No lock, or one that no process of ours wrote.
  }
}

function isAlive(holder: Holder, path: string): boolean {
  if (holder.place !== ownPlace()) return heartbeatAgeMs(path) < HEARTBEAT_MISSED_MS;
  if (!processExists(holder.pid)) return false;
  const startTime = startTimeOf(holder.pid);
  return holder.startTime === null || startTime === null || startTime === holder.startTime;
}

function heartbeatAgeMs(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function ownPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return [hostname(), boot, readlinkSync('/proc/self/ns/pid')].join(' ');
  } catch {
    return hostname(); // Not Linux: the name must do.
  }
}

function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces; the 22nd is the start time.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
