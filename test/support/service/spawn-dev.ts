import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type SpawnedDateline, spawnDateline } from './spawn-dateline.ts';

export interface SpawnedDev extends SpawnedDateline {
  url: string;
  /** The access token of its demo client, and all secrets that it has. */
  token: string;
  secrets: string[];
  /** As the file has it now. */
  freshToken(): string;
  /** Ends it, and removes its data. */
  remove(): Promise<void>;
}

const waiting = { timeout: 60_000, interval: 20 };

/** `dateline dev` in a process of its own, once it listens. */
export async function spawnDev(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<SpawnedDev> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-dev-'));
  const dev = spawnDateline(['dev', '--api', folder, ...args], {
    env: { DATELINE_DATA_DIR: dataDir, ...env },
  });
  const address = (): string | undefined => /^ready sandbox (\S+)$/m.exec(dev.stdout())?.[1];
  await vi.waitUntil(() => address() !== undefined || dev.child.exitCode !== null, waiting);
  const url = address();
  if (url === undefined) throw new Error(`dateline dev ended before it listened: ${dev.stderr()}`);
  const readFile = () => JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8'));
  const { sandbox } = readFile();
  const { access_token: token, refresh_token, client_secret, operator_key, user_password } = sandbox;
  return {
    ...dev,
    ...{ url, token, secrets: [token, refresh_token, client_secret, operator_key, user_password] },
    freshToken: () => readFile().sandbox.access_token,
    async remove() {
      dev.child.kill('SIGKILL');
      await dev.exit;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until something is so: how long that takes is not looked at. */
export async function untilSo(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, waiting);
}
