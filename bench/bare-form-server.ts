import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'node:querystring';
import { introspectionBody } from '../src/http/api/operations/oauth.ts';
import { constantToken } from './constant-token.ts';

// A process of its own: the least that a server on Node can do to introspect. It reads the form and answers a constant.

const body = JSON.stringify(introspectionBody(constantToken, 'http://127.0.0.1:4001'));
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { token } = parse(Buffer.concat(chunks).toString());
    response.writeHead(token ? 200 : 400, headers).end(body);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
