import pg from 'pg';
import { type PostgresServer, startPostgresServer } from '../test/support/postgres-server.ts';
import { type Bench, type Contender, keepBusy } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

/** More than a turn can use up. */
const STOCK = 50_000;

const revocations = 'revocations';
const commits = 'commits, one after another';

export const bench: Bench = {
  name: 'revoke',
  says: `revoking a fresh token each time over ${CONNECTIONS} kept connections, one node on PostgreSQL that waits for its disk`,
  ratios: [[revocations, commits]],
  latencies: [revocations],
  async prepare() {
    const server = await startPostgresServer({ durable: true });
    const node = await startTokenNode(server.url, 'bench_revoke');
    const { contender, revoked } = revoking(node);
    const committing = await committer(server);
    return {
      contenders: [contender, committing.contender],
      async close() {
        const stored = await node.countRevoked();
        await committing.close();
        await node.close();
        await server.stop();
        // An unknown token is answered like one that was revoked; only the table shows it.
        if (stored !== revoked()) throw new Error(`${revoked()} tokens were revoked, and ${stored} are`);
      },
    };
  },
};

function revoking(node: TokenNode): { contender: Contender; revoked(): number } {
  const stock: string[] = [];
  let taken = 0;
  const form = (): string => {
    const tokenValue = stock.pop();
    if (tokenValue === undefined) throw new Error(`a turn used up ${STOCK} tokens; it needs more`);
    taken += 1;
    return node.formOf(tokenValue);
  };
  return {
    contender: {
      ...caller(revocations, `${node.url}/v1/oauth2/revoke`, { form, expects: '\r\n\r\n{}' }),
      async beforeTurn() {
        stock.push(...(await node.addTokens(STOCK - stock.length)));
      },
    },
    revoked: () => taken,
  };
}

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
