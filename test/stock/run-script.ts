import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';

export interface Script {
  path: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Sends a person to an address; returns where they came back to. */
  comeBack(address: string): Promise<URL>;
}

/**
 * Runs a script that prints one JSON object a line. After `{"open": address}` it reads where a person who was sent there came
 * back to. Returns everything that it printed as `{"tell": value}`.
 */
export async function runScript({ path, args, env, comeBack }: Script): Promise<unknown[]> {
  const child = spawn(path, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const told: unknown[] = [];
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  for await (const line of createInterface(child.stdout)) {
    const { open, tell } = JSON.parse(line);
    if (open === undefined) told.push(tell);
    else child.stdin.write(`${await comeBack(open)}\n`);
  }
  expect(await ended, complaints).toBe(0);
  return told;
}
