import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import { introspectionBody } from '../src/http/api/operations/oauth.ts';
import { HEADERS_FOR_SCRIPTS } from '../src/http/edge/cors.ts';
import { digestOf } from '../src/kernel/digest.ts';
import { constantToken } from './constant-token.ts';

// A process of its own: the least that a server on Node can do to introspect. It reads the form, digests the token and the
// secret, and answers a constant with the headers that ours has.

const body = JSON.stringify(introspectionBody(constantToken, 'http://127.0.0.1:4001'));
const headers = {
  'service-version': '2026-10',
  vary: 'Service-Version',
  ...HEADERS_FOR_SCRIPTS,
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
};

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { token, client_secret: secret } = parse(Buffer.concat(chunks).toString());
    const isWhole = digestOf(String(token)).length + digestOf(String(secret)).length === 64;
    response.writeHead(isWhole ? 200 : 400, { ...headers, 'x-request-id': randomUUID() }).end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
