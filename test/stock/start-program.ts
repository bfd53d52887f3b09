import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { TestService } from '../support/service/test-service.ts';

export interface ServerProgram {
  path: string;
  args: readonly string[];
  /** Where it is told to listen. */
  port: number;
  env?: Readonly<Record<string, string>>;
}

/** Starts a server that is not ours, and waits until it takes connections. It ends with its test. */
export async function startServer({ path, args, port, env = {} }: ServerProgram): Promise<void> {
  const child = spawn(path, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const ended = new Promise<void>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const listens = vi.waitFor(() => reach(port), { timeout: 60_000 }).then(() => true);
  const isListening = await Promise.race([listens, ended.then(() => false)]);
  listens.catch(() => {});
  if (!isListening) throw new Error(`${path} ended before it listened: ${said}`);
}

/** Lets a program begin at a time of the service, which is not that of the machine (libfaketime). */
export function atTimeOf({ clock }: Pick<TestService, 'clock'>): Record<string, string> {
  const [date, time] = clock.now().toISOString().split(/[T.]/);
  return {
    TZ: 'UTC',
    FAKETIME: `@${date} ${time}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // The loader puts the folder of the machine's architecture for $LIB.
    LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1',
  };
}

/** A folder that is gone after the test. Servers that give up root read it as another user. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-stock-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
