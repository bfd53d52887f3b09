import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from './create-database.ts';
import { installed } from './installed.ts';
import { startServer } from './start-server.ts';

/** What many teams run: Express, `@node-oauth/oauth2-server`, and a model with a query for each thing, on the same PostgreSQL. */
export interface PgPeer {
  url: string;
  pid: number;
  /** The client, as fields of a form. */
  credentials: string;
  addTokens(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

const TABLES = `
  create table clients (id text primary key, secret text not null, grants text[] not null);
  create table tokens (
    access_token text primary key, client_id text not null references clients, user_id text not null,
    scope text[] not null, expires_at timestamptz not null, revoked_at timestamptz
  );
  insert into clients values ('bench', 'a-secret-that-is-as-long-as-one-of-ours-would-be', '{client_credentials}')`;

const ADD_TOKENS = `
  insert into tokens (access_token, client_id, user_id, scope, expires_at)
  select value, 'bench', 'user', '{products:read}', now() + interval '1 day' from unnest($1::text[]) as value`;

const CHUNK = 10_000;

const program = (databaseUrl: string): string => `
  import OAuth2Server from '@node-oauth/oauth2-server';
  import express from 'express';
  import pg from 'pg';
  const pool = new pg.Pool({ connectionString: '${databaseUrl}', max: 10 });
  const one = async (text, values) => (await pool.query(text, values)).rows[0];
  const model = {
    async getClient(id, secret) {
      return one('select id, grants from clients where id = $1 and ($2::text is null or secret = $2)', [id, secret]);
    },
    async getUserFromClient({ id }) {
      return { id };
    },
    async validateScope(_user, _client, scope) {
      return scope ?? ['products:read'];
    },
    async saveToken(token, client, user) {
      await pool.query(
        'insert into tokens (access_token, client_id, user_id, scope, expires_at) values ($1, $2, $3, $4, $5)',
        [token.accessToken, client.id, user.id, token.scope, token.accessTokenExpiresAt],
      );
      return { ...token, client, user };
    },
    async getAccessToken(value) {
      return one('select * from tokens where access_token = $1 and revoked_at is null', [value]);
    },
  };
  const server = new OAuth2Server({ model });
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  const withClient = (handle) => async (request, response) => {
    const { client_id, client_secret } = request.body;
    const client = await model.getClient(client_id, client_secret);
    if (!client) return response.status(401).json({ error: 'invalid_client' });
    response.set('cache-control', 'no-store');
    await handle(request.body, response, client);
  };
  app.post('/introspect', withClient(async ({ token }, response) => {
    const found = await model.getAccessToken(token);
    if (!found || found.expires_at < new Date()) return response.json({ active: false });
    const { client_id, user_id, scope, expires_at } = found;
    response.json({
      active: true, client_id, sub: user_id, scope: scope.join(' '), token_type: 'access_token',
      exp: Math.floor(expires_at / 1000),
    });
  }));
  app.post('/revoke', withClient(async ({ token }, response, client) => {
    await pool.query('update tokens set revoked_at = now() where access_token = $1 and client_id = $2', [token, client.id]);
    response.json({});
  }));
  app.post('/token', async (request, response) => {
    const answer = new OAuth2Server.Response(response);
    await server.token(new OAuth2Server.Request(request), answer);
    response.set(answer.headers).status(answer.status).json(answer.body);
  });
  const listening = app.listen(0, '127.0.0.1', () => console.log(listening.address().port));
`;

/** Null where it cannot be installed. */
export async function startPgPeer(serverUrl: string, databaseName: string): Promise<PgPeer | null> {
  const folder = installed('pg-peer', ['@node-oauth/oauth2-server@5', 'express@5', 'pg@8']);
  if (folder === null) return null;
  const databaseUrl = await createDatabase(serverUrl, databaseName);
  const session = new pg.Client(databaseUrl);
  await session.connect();
  await session.query(TABLES);
  const { url, pid, stop } = await startServer(['--input-type=module', '--eval', program(databaseUrl)], {
    cwd: folder,
  });
  return {
    url,
    pid,
    credentials: 'client_id=bench&client_secret=a-secret-that-is-as-long-as-one-of-ours-would-be',
    async addTokens(count) {
      const values = Array.from({ length: count }, () => randomBytes(20).toString('hex'));
      for (let from = 0; from < count; from += CHUNK)
        await session.query(ADD_TOKENS, [values.slice(from, from + CHUNK)]);
      await session.query('vacuum (analyze) tokens');
      return values;
    },
    async stop() {
      await stop();
      await session.end();
    },
  };
}
