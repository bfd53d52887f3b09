import { migrations } from '../src/compose/migrations.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { digestOf } from '../src/kernel/digest.ts';
import { findTokens } from '../src/oauth/tokens/store.ts';
import { createTokenVerifier } from '../src/oauth/tokens/verify-token.ts';
import type { Database } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrate.ts';
import { openPGlite } from '../src/storage/pglite.ts';
import { openPostgres } from '../src/storage/postgres.ts';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { createGrantedUser } from '../test/support/oauth/oauth-fixtures.ts';
import { environmentOn } from '../test/support/service/environment-on.ts';
import { type Bench, type Contender, keepBusy } from './harness.ts';

const CONCURRENCY = 64;
const TOKENS = 50;

export const bench: Bench = {
  name: 'verify-token',
  description: `checking access tokens, ${CONCURRENCY} at once: micro-batched, and with one statement each`,
  ratios: [
    ['PostgreSQL, batched', 'PostgreSQL, one by one'],
    ['PGlite, batched', 'PGlite, one by one'],
  ],
  async prepare() {
    const server = await startPostgresServer();
    const schema = 'dateline_sandbox';
    const postgres = openPostgres({ schema, url: `${server.url}/postgres`, poolMax: 8, onError() {} });
    const pglite = (await openPGlite({ folder: null })).database(schema);
    return {
      contenders: [
        ...(await contendersOn('PostgreSQL', postgres)),
        ...(await contendersOn('PGlite', pglite)),
      ],
      async close() {
        await postgres.close();
        await pglite.close();
        await server.stop();
      },
    };
  },
};

async function contendersOn(engine: string, database: Database): Promise<Contender[]> {
  await migrate(database, migrations);
  const environment = environmentOn({
    name: 'sandbox',
    issuer: 'https://sandbox.bench',
    database,
    clock: systemClock,
  });
  const tokens: string[] = [];
  while (tokens.length < TOKENS) tokens.push((await createGrantedUser(environment)).access.tokenValue);
  const verify = createTokenVerifier(environment, () => {});
  let next = 0;
  const anyToken = (): string => {
    next = (next + 1) % TOKENS;
    return tokens[next] as string;
  };
  return [
    { name: `${engine}, batched`, work: (forMs) => keepBusy(CONCURRENCY, forMs, () => verify(anyToken())) },
    {
      name: `${engine}, one by one`,
      work: (forMs) => keepBusy(CONCURRENCY, forMs, () => findTokens(database, [digestOf(anyToken())])),
    },
  ];
}
