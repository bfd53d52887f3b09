import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createAuthority } from '../support/http/certificates.ts';
import { temporaryFolder } from './start-program.ts';

export interface TlsFront {
  url: string;
  /** The authority that its certificate is of, as a PEM file. */
  caFile: string;
}

/** HTTPS in front of the service until the test ends, for programs that take nothing else. */
export async function startTlsFront(target: string, port = 0): Promise<TlsFront> {
  const authority = createAuthority();
  const caFile = join(temporaryFolder(), 'authority.pem');
  writeFileSync(caFile, authority.cert);
  const front = createServer(authority.issue({ name: '127.0.0.1' }), (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const passed = request(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  front.listen(port, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => {
    front.close();
    front.closeAllConnections();
  });
  return { url: `https://127.0.0.1:${(front.address() as AddressInfo).port}`, caFile };
}
