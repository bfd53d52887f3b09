import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadConfig } from '../src/config/load-config.ts';
import { secretPrefix } from '../src/environments/environment.ts';
import { newCheckedSecret } from '../src/kernel/checked-secret.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { digestOf } from '../src/kernel/digest.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../src/oauth/clients/authentication/client-secrets.ts';
import type { TokenKind } from '../src/oauth/types.ts';
import { openPostgres } from '../src/storage/postgres.ts';
import { createGrantedUser } from '../test/support/oauth/oauth-fixtures.ts';
import { environmentOn } from '../test/support/service/environment-on.ts';
import { type SpawnOptions, spawnDateline, startOptions } from '../test/support/service/spawn-dateline.ts';
import { createDatabase } from './create-database.ts';

/** A node over a PostgreSQL database of its own, and a client that may have any number of tokens there. */
export interface TokenNode {
  /** Of the sandbox. */
  url: string;
  pid: number;
  /** Makes tokens, each with a grant of its own, and answers with the values of those that are to be known. */
  addTokens(count: number, options?: { kind?: TokenKind; knownOneIn?: number }): Promise<string[]>;
  /** Makes authorization codes of the owner, and answers with their values; `codeForm` asks for their exchange. */
  addCodes(count: number): Promise<string[]>;
  codeForm(codeValue: string): string;
  /** How many tokens of the table are revoked. */
  countRevoked(): Promise<number>;
  /** The client that owns them, as fields of a form. */
  credentials: string;
  /** What is asked about a token. */
  formOf(tokenValue: string): string;
  /** After many rows were added: what the server does by itself when it has the time. */
  tidy(): Promise<void>;
  /** Of the tokens and grants with their indexes, to read. */
  size(): Promise<string>;
  close(): Promise<void>;
}

const SCHEMA = 'dateline_sandbox';
const CHUNK = 10_000;
const MILLION = 1_000_000;

export async function startTokenNode(
  serverUrl: string,
  databaseName: string,
  {
    settings = {},
    ...options
  }: Pick<SpawnOptions, 'runtime' | 'checkout'> & { settings?: Record<string, string> } = {},
): Promise<TokenNode> {
  const databaseUrl = await createDatabase(serverUrl, databaseName);
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-bench-'));
  const env = {
    DATABASE_URL: databaseUrl,
    DATELINE_DATA_DIR: dataDir,
    NODE_OPTIONS: startOptions(),
    ...settings,
  };
  const service = spawnDateline(['serve'], { env, ignoreLog: true, ...options });
  const { sandbox: url } = await service.ready();
  const owner = await createOwner(databaseUrl, url);
  const session = new pg.Client(databaseUrl);
  await session.connect();
  let made = 0;

  async function addChunk(size: number, kind: TokenKind, knownOneIn: number): Promise<string[]> {
    const prefix = secretPrefix('sandbox', kind === 'access_token' ? 'at' : 'rt');
    const values = Array.from({ length: Math.floor(size / knownOneIn) }, () => newCheckedSecret(prefix));
    await session.query(ADD_TOKENS, [values.map(digestOf), made, owner.grantId, kind, size, knownOneIn]);
    made += size;
    return values;
  }

  return {
    url,
    // A service that is ready has one.
    pid: service.child.pid as number,
    async addTokens(count, { kind = 'access_token', knownOneIn = 1 } = {}) {
      const values: string[] = [];
      for (let left = count; left > 0; left -= CHUNK) {
        values.push(...(await addChunk(Math.min(CHUNK, left), kind, knownOneIn)));
        if (left > MILLION && left % MILLION === 0) console.error(`${left.toLocaleString('en')} to go`);
      }
      return values;
    },
    async addCodes(count) {
      const values = Array.from({ length: count }, () => newCheckedSecret(secretPrefix('sandbox', 'ac')));
      for (let from = 0; from < count; from += CHUNK)
        await session.query(ADD_CODES, [values.slice(from, from + CHUNK).map(digestOf), owner.grantId]);
      return values;
    },
    codeForm: (codeValue) =>
      `grant_type=authorization_code&code=${codeValue}&code_verifier=${VERIFIER}&${owner.credentials}`,
    async countRevoked() {
      const counted = await session.query<{ count: number }>(COUNT_REVOKED);
      return counted.rows[0]?.count ?? 0;
    },
    credentials: owner.credentials,
    formOf: (tokenValue) => `token=${tokenValue}&${owner.credentials}`,
    async tidy() {
      await session.query(`vacuum (analyze) ${SCHEMA}.oauth_tokens, ${SCHEMA}.oauth_grants`);
      await session.query('checkpoint');
    },
    async size() {
      const { rows } = await session.query<{ size: string }>(SIZE);
      return rows[0]?.size ?? '';
    },
    async close() {
      await session.end();
      service.child.kill();
      await service.exit;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

// RFC 7636, appendix B.
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const ADD_CODES = `
  insert into ${SCHEMA}.oauth_codes
    (digest, client_id, user_id, organization_ids, scopes, audience, redirect_uri, redirect_uri_omitted, code_challenge,
     authenticated_at, expires_at)
  select given.digest, client_id, user_id, organization_ids, scopes, audience, 'https://app.test/', true, '${CHALLENGE}',
         now(), now() + interval '1 day'
  from unnest($1::bytea[]) as given(digest), ${SCHEMA}.oauth_grants model where model.id = $2`;

const COUNT_REVOKED = `select count(*)::int as count from ${SCHEMA}.oauth_tokens where revoked_at is not null`;

const SIZE = `
  select pg_size_pretty(sum(pg_total_relation_size(name::regclass))) as size
  from unnest('{${SCHEMA}.oauth_tokens,${SCHEMA}.oauth_grants}'::text[]) as name`;

/**
 * Grants like the first one of the same owner, and an access token for each. Ids grow as ours do. Those whose digests are not
 * given are of tokens that nobody knows.
 */
const ADD_TOKENS = `
  with made as (
    select coalesce(digest, sha256(gen_random_uuid()::text::bytea)) as digest,
           lpad((number + $2)::text, 22, '0') as serial
    from generate_series(1, $5::int) as number
    left join unnest($1::bytea[]) with ordinality as given(digest, place) on place * $6::int = number
  ), granted as (
    insert into ${SCHEMA}.oauth_grants
      (id, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at)
    select 'gra_' || made.serial, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at
    from made, ${SCHEMA}.oauth_grants model where model.id = $3
  )
  insert into ${SCHEMA}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
  select made.digest, 'tok_' || made.serial, $4, 'gra_' || made.serial, model.scopes, model.created_at,
         model.expires_at
  from made, ${SCHEMA}.oauth_grants model where model.id = $3`;

async function createOwner(databaseUrl: string, issuer: string) {
  const database = openPostgres({ schema: SCHEMA, url: databaseUrl, poolMax: 1, onError() {} });
  const { lifetimes } = loadConfig({});
  const sandbox = environmentOn({ name: 'sandbox', issuer, database, clock: systemClock, lifetimes });
  const { client, grant } = await createGrantedUser(sandbox);
  const secretValue = newClientSecretValue(sandbox);
  await storeClientSecret(sandbox, { clientId: client.id, secretValue });
  await database.close();
  return { grantId: grant.id, credentials: `client_id=${client.id}&client_secret=${secretValue}` };
}
