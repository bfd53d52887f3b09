import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

const TICK_US = 10_000;

/** The process that all others of a PostgreSQL server on this machine are children of. */
export async function serverProcess(url: string): Promise<number> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { parent } = statOf(rows[0]?.pid ?? 0);
  await client.end();
  return parent;
}

/** Processor time of a server so far, that of its processes which have ended included. */
export function serverTimeUs(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statIfAlive(Number(name)))
    .filter((stat) => stat !== null && stat.parent === pid);
  const own = statOf(pid);
  const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), own.ticks + own.childTicks);
  return ticks * TICK_US;
}

/** All processes of a server, to be frozen together. */
export function processesOf(pid: number): number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...names.map(Number).filter((one) => statIfAlive(one)?.parent === pid)];
}

interface Stat {
  parent: number;
  ticks: number;
  /** Of children that have ended. */
  childTicks: number;
}

function statIfAlive(pid: number): Stat | null {
  try {
    return statOf(pid);
  } catch {
    return null;
  }
}

function statOf(pid: number): Stat {
  // After the name of the program, which may contain spaces: the 2nd field is the parent, the 12th to 15th are times.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const numbers = fields.split(' ').map(Number);
  const [own = 0, system = 0, children = 0, ofSystem = 0] = numbers.slice(11, 15);
  return { parent: numbers[1] ?? 0, ticks: own + system, childTicks: children + ofSystem };
}
