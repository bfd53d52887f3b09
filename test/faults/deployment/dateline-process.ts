import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atExit } from './leftovers.ts';
import { signal } from './processes.ts';
import { until } from './until.ts';

/** A process of `dateline serve` or `dateline worker`, which is started again whenever it ends, as a supervisor does. */
export interface DatelineProcess {
  readonly name: string;
  /** Its settings, which it is given at each start. */
  readonly env: Record<string, string>;
  /** Ends it with -9. */
  kill(): void;
  /** Ends it as a supervisor does that restarts it: what is in flight is finished. */
  restart(): void;
  freeze(): void;
  thaw(): void;
  /** Its clock is ahead by so much from now on; behind, if that is less than nothing. */
  shiftClock(ms: number): void;
  /** How often it was started. */
  starts(): number;
  isUp(): boolean;
  untilReady(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProcessOptions {
  name: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Where it writes its log. */
  folder: string;
  /** The tree whose build runs. */
  checkout: string;
  /** Answers 200 at this address once it can work. */
  readyUrl: string;
}

const RESTART_PAUSE_MS = 150;
const READY_MS = 90_000;

export function startDateline(options: ProcessOptions): DatelineProcess {
  const { name, args, folder, checkout, readyUrl } = options;
  const env = { ...options.env };
  const shifter = pathToFileURL(resolve(checkout, 'tools', 'shifted-clock.mjs')).href;
  const log = openSync(join(folder, `${name}.log`), 'a');
  let child: ChildProcess | null = null;
  let isWanted = true;
  let starts = 0;
  let shiftMs = 0;

  function launch(): void {
    starts += 1;
    const launched = spawn(
      process.execPath,
      ['--import', shifter, resolve(checkout, 'bin', 'dateline.mjs'), ...args],
      {
        env: { PATH: process.env.PATH ?? '', CLOCK_SHIFT_MS: String(shiftMs), ...env },
        // The channel is for the clock.
        stdio: ['ignore', 'ignore', log, 'ipc'],
        cwd: folder,
      },
    );
    child = launched;
    launched.once('exit', () => {
      if (child === launched) child = null;
      if (isWanted) setTimeout(() => isWanted && launch(), RESTART_PAUSE_MS);
    });
    launched.on('error', () => {});
  }

  const send = (what: NodeJS.Signals): void => {
    if (child?.pid) signal(child.pid, what);
  };

  launch();
  const forget = atExit(() => send('SIGKILL'));
  return {
    name,
    env,
    kill: () => send('SIGKILL'),
    restart: () => send('SIGTERM'),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    shiftClock(ms) {
      shiftMs = ms;
      if (child?.connected) child.send({ clockShiftMs: ms }, () => {});
    },
    starts: () => starts,
    isUp: () => child !== null,
    async untilReady() {
      await until(() => answers(readyUrl), READY_MS, `${name} is not ready`);
    },
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

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
