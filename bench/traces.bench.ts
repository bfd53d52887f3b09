import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { startServer } from './start-server.ts';
import { startTokenNode } from './token-node.ts';

const TOKENS = 10_000;

const off = 'introspection, not traced';
const some = 'introspection, one request in a hundred traced';
const all = 'introspection, all requests traced';

/** Takes traces and forgets them. */
const RECEIVER = `
  const server = require('node:http').createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

export const bench: Bench = {
  name: 'traces',
  description: `introspecting random tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL: what traces cost`,
  ratios: [
    [some, off],
    [all, off],
  ],
  mainThreads: [
    [some, off],
    [all, off],
  ],
  async prepare() {
    const server = await startPostgresServer();
    const receiver = await startServer(['--eval', RECEIVER]);
    const traced = (share: string) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    });
    const nodes = [
      await startTokenNode(server.url, 'bench_untraced'),
      await startTokenNode(server.url, 'bench_some_traced', { settings: traced('0.01') }),
      await startTokenNode(server.url, 'bench_all_traced', { settings: traced('1') }),
    ] as const;
    return {
      contenders: [
        await introspecting(off, nodes[0], TOKENS),
        await introspecting(some, nodes[1], TOKENS),
        await introspecting(all, nodes[2], TOKENS),
      ],
      async close() {
        for (const node of nodes) await node.close();
        await receiver.stop();
        await server.stop();
      },
    };
  },
};
