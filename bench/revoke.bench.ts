import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../test/support/database/postgres-server.ts';
import { type Bench, type Contender, keepBusy } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { type PgPeer, startPgPeer } from './pg-peer.ts';
import { siblingPath, startServer } from './start-server.ts';
import { createStock } from './stock.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

const revocations = 'revocations';
const commits = 'commits, one after another';
const bareServer = 'bare node:http with our headers, answering a constant';
const pgPeer = '@node-oauth/oauth2-server on PostgreSQL';

export const bench: Bench = {
  name: 'revoke',
  description: `revoking a fresh token each time over ${CONNECTIONS} kept connections, one node on PostgreSQL that waits for its disk`,
  ratios: [
    [revocations, bareServer],
    [revocations, pgPeer],
    [revocations, commits],
  ],
  latencies: [revocations],
  async prepare() {
    const server = await startPostgresServer({ durable: true });
    const node = await startTokenNode(server.url, 'bench_revoke');
    const bare = await startServer([siblingPath(import.meta.url, 'bare-form-server')]);
    const peer = await startPgPeer(server.url, 'bench_revoke_peer');
    const { contender, revoked } = revoking(node);
    const committing = await committer(server);
    return {
      contenders: [
        contender,
        committing.contender,
        caller(bareServer, bare.url, { form: () => node.formOf('none'), pid: bare.pid }),
        ...(peer ? [revokingAt(peer)] : []),
      ],
      async close() {
        const stored = await node.countRevoked();
        await committing.close();
        await peer?.stop();
        await bare.stop();
        await node.close();
        await server.stop();
        // An unknown token is answered like one that was revoked; only the table shows it.
        if (stored !== revoked()) throw new Error(`${revoked()} tokens were revoked, and ${stored} are`);
      },
    };
  },
};

function revoking(node: TokenNode): { contender: Contender; revoked(): number } {
  const { take, refill, taken } = createStock((count) => node.addTokens(count));
  const form = (): string => node.formOf(take());
  return {
    contender: {
      ...caller(revocations, `${node.url}/v1/oauth2/revoke`, { form, expects: EMPTY, pid: node.pid }),
      beforeTurn: refill,
    },
    revoked: taken,
  };
}

function revokingAt({ url, pid, credentials, addTokens }: PgPeer): Contender {
  const { take, refill } = createStock(addTokens);
  const form = (): string => `token=${take()}&${credentials}`;
  return { ...caller(pgPeer, `${url}/revoke`, { form, expects: EMPTY, pid }), beforeTurn: refill };
}

const EMPTY = '\r\n\r\n{}';

/** How often the disk can be waited for: what every revocation would cost if it were committed alone. */
async function committer({ url }: PostgresServer): Promise<{ contender: Contender; close(): Promise<void> }> {
  const client = new pg.Client(`${url}/postgres`);
  await client.connect();
  await client.query('create table if not exists bench_commits (at timestamptz)');
  const commit = () => client.query({ name: 'commit', text: 'insert into bench_commits values (now())' });
  return {
    contender: { name: commits, work: (forMs) => keepBusy(1, forMs, commit) },
    async close() {
      await client.query('drop table bench_commits');
      await client.end();
    },
  };
}
