import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../../support/database/free-port.ts';
import { atExit } from './leftovers.ts';
import { signal } from './processes.ts';

export type UpstreamMode = 'well' | 'slow' | 'error' | 'cut' | 'torn' | 'hang';

/** The API company's own server, which is started again whenever it ends. */
export interface Upstream {
  readonly url: string;
  kill(): void;
  freeze(): void;
  thaw(): void;
  behave(mode: UpstreamMode): Promise<void>;
  /** The notes of all orders that it took, in their order. */
  taken(): string[];
  stop(): Promise<void>;
}

const PROGRAM = resolve('test', 'faults', 'deployment', 'upstream-process.mjs');
const RESTART_PAUSE_MS = 300;

export async function startUpstream(folder: string): Promise<Upstream> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = join(folder, 'orders.txt');
  let child: ChildProcess | null = null;
  let isWanted = true;

  function launch(): void {
    const launched = spawn(process.execPath, [PROGRAM, String(port), file], { stdio: 'ignore' });
    child = launched;
    launched.once('exit', () => {
      child = null;
      if (isWanted) setTimeout(() => isWanted && launch(), RESTART_PAUSE_MS);
    });
  }

  const send = (what: NodeJS.Signals): void => {
    if (child?.pid) signal(child.pid, what);
  };

  launch();
  const forget = atExit(() => send('SIGKILL'));
  return {
    url,
    kill: () => send('SIGKILL'),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    async behave(mode) {
      await (await fetch(`${url}/mode`, { method: 'POST', body: mode })).arrayBuffer();
    },
    taken: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []),
    async stop() {
      isWanted = false;
      forget();
      if (!child) return;
      const exit = once(child, 'exit');
      send('SIGKILL');
      await exit;
    },
  };
}
