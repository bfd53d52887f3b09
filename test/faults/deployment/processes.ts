import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunningProcess {
  pid: number;
  parent: number;
  command: string;
}

async function allProcesses(): Promise<RunningProcess[]> {
  const { stdout } = await run('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The children of a process, and theirs. */
export async function descendantsOf(pid: number): Promise<RunningProcess[]> {
  const all = await allProcesses();
  const found: RunningProcess[] = [];
  for (const parents = [pid]; parents.length > 0; ) {
    const parent = parents.shift();
    const children = all.filter((one) => one.parent === parent);
    found.push(...children);
    parents.push(...children.map((child) => child.pid));
  }
  return found;
}

/** Sends a signal; a process that has ended meanwhile is no matter. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
