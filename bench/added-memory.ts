import { readFileSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Measured, measured } from './harness.ts';

export interface Streaming {
  url: string;
  pid: number;
  headers?: Readonly<Record<string, string>>;
}

const ROUNDS = 3;
const MIB = 2 ** 20;

/** How far above what it held before a process comes while somebody reads one long answer of it, in MiB. Not a number where the system does not tell. */
export async function addedMemory({ url, pid, headers = {} }: Streaming, path: string): Promise<Measured> {
  const read = () => readSlowly(url + path, headers);
  await read();
  const added: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) added.push(await growth(pid, read));
  return measured(added);
}

async function readSlowly(address: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(address, { headers });
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
  // Slower than what it reads from.
  for await (const _chunk of response.body ?? []) await setImmediate();
}

async function growth(pid: number, work: () => Promise<void>): Promise<number> {
  try {
    // From here on the highest point is counted anew (proc(5), clear_refs).
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const before = residentBytes(pid, 'VmRSS');
    await work();
    return (residentBytes(pid, 'VmHWM') - before) / MIB;
  } catch (error) {
    if (process.platform === 'linux') throw error;
    return Number.NaN;
  }
}

function residentBytes(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const [, kib] =
    new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
