import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

// Relative to the folder that npm runs everything in: benches run this file from their build folder.
const launcher = 'bin/dateline.mjs';

/** The NODE_OPTIONS of the script `start`; docs/operating.md tells those who start it in another way to set them. */
export function startOptions(): string {
  const { scripts } = JSON.parse(readFileSync(resolve('package.json'), 'utf8'));
  return scripts.start.match(/--\S+/g)?.join(' ') ?? '';
}

export interface SpawnedDateline {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code, or null after a signal. */
  exit: Promise<number | null>;
  /** The addresses of the two `ready` lines, once both are there; rejects if the process ends before. */
  ready(): Promise<{ production: string; sandbox: string }>;
}

export interface SpawnOptions {
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  input?: string;
  /** The program that runs it, if not the one that runs this. */
  runtime?: string;
  /** The folder of another checkout, built before: its command line is run. */
  checkout?: string;
  /** Discards the log unread: for measuring. */
  ignoreLog?: true;
}

/** The real command line in a process of its own, with free ports by default. */
export function spawnDateline(
  args: readonly string[],
  { env = {}, cwd, input, runtime = process.execPath, checkout = '', ignoreLog }: SpawnOptions = {},
): SpawnedDateline {
  const child = spawn(runtime, [resolve(checkout, launcher), ...args], {
    env: { ...inherited(), DATELINE_PORT: '0', DATELINE_SANDBOX_PORT: '0', ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['pipe', 'pipe', ignoreLog ? 'ignore' : 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const watch of watchers) watch();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin?.end(input ?? '');
  const exit = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exit,
    ready: () =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const [, production] = /^ready production (\S+)$/m.exec(stdout) ?? [];
          const [, sandbox] = /^ready sandbox (\S+)$/m.exec(stdout) ?? [];
          if (production && sandbox) resolve({ production, sandbox });
        };
        watchers.add(look);
        look();
        void exit.then((code) =>
          reject(new Error(`dateline ended with ${code} before it was ready: ${stderr}`)),
        );
      }),
  };
}

/** Of this process’s environment only what every process needs, and the shifted time of the run. */
function inherited(): Record<string, string> {
  const names = ['PATH', 'NODE_OPTIONS', 'CLOCK_SHIFT_MS'];
  return Object.fromEntries(names.flatMap((name) => [[name, process.env[name] ?? '']]));
}

/** Runs a command to its end. */
export async function runDateline(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const dateline = spawnDateline(args, options);
  const code = await dateline.exit;
  return { code, stdout: dateline.stdout(), stderr: dateline.stderr() };
}
