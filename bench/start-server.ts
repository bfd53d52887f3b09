import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface StartedServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a Node process that prints the port it listens on. Its log is thrown away. */
export async function startServer(
  nodeArguments: readonly string[],
  { cwd = process.cwd() } = {},
): Promise<StartedServer> {
  const child = spawn(process.execPath, nodeArguments, {
    cwd,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exit = once(child, 'exit');
  const port = await Promise.race([
    once(child.stdout, 'data').then(([printed]) => String(printed).trim()),
    exit.then(([code]) => Promise.reject(new Error(`a server ended with ${code} before it listened`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    // A process that prints has an id.
    pid: child.pid as number,
    async stop() {
      child.kill();
      await exit;
    },
  };
}

/** A program beside a bench, compiled or not as that is. */
export function siblingPath(benchUrl: string, name: string): string {
  return fileURLToPath(benchUrl.replace(/[\w-]+\.bench/, name));
}
