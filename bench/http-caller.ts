import { Agent, get } from 'node:http';
import { type Contender, keepBusy } from './harness.ts';

export const CONNECTIONS = 64;

/** Calls one address over kept connections, as fast as it answers. */
export function caller(name: string, url: string, headers: Readonly<Record<string, string>> = {}): Contender {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const call = (): Promise<void> =>
    new Promise((resolve, reject) => {
      get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${name} answered ${response.statusCode}`));
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  return { name, work: (forMs) => keepBusy(CONNECTIONS, forMs, call) };
}
