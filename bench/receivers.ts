import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

// A process of its own: receivers of webhooks on many ports, some of which never answer. The first port it prints reports
// what has arrived since the last request to it: how many, and how old each was.

const HEALTHY = 100;
const HANGING = 10;

let ages: number[] = [];

function answer(body: Buffer): void {
  const { timestamp } = JSON.parse(body.toString()) as { timestamp: string };
  ages.push(Date.now() - Date.parse(timestamp));
}

function receiver(hangs: boolean): Server {
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (hangs) return;
      answer(Buffer.concat(chunks));
      response.end();
    });
  });
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const healthy = await Promise.all(Array.from({ length: HEALTHY }, () => portOf(receiver(false))));
const hanging = await Promise.all(Array.from({ length: HANGING }, () => portOf(receiver(true))));
const control = await portOf(
  createServer((request, response) => {
    if (request.url === '/ports') return void response.end(JSON.stringify({ healthy, hanging }));
    response.end(JSON.stringify(ages));
    ages = [];
  }),
);
console.log(control);
