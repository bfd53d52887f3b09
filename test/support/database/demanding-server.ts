import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Authority, createAuthority } from '../http/certificates.ts';
import { startDedicatedPostgresServer } from './postgres-server.ts';

/** A server that takes TLS only. Its certificate is for `localhost`. */
export interface DemandingServer {
  /** Of the role `encrypted`, which needs TLS and a password. */
  passwordUrl: string;
  /** Of the role `certified`, which needs TLS and a certificate with its name. Neither address has parameters of TLS. */
  certificateUrl: string;
  /** Of the administrator, in clear. */
  adminUrl: string;
  /** Has signed the certificate of the server, and signs those of clients. */
  authority: Authority;
  /** Writes a file that only this user reads, and returns its path. */
  file(name: string, content: string): string;
  stop(): Promise<void>;
}

const RULES = `
hostssl all certified localhost cert
hostssl all encrypted localhost password
host all postgres localhost password
`;

export async function startDemandingServer(): Promise<DemandingServer> {
  const server = await startDedicatedPostgresServer();
  const adminUrl = `${server.url}/tls`;
  const authority = createAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'dateline-tls-'));
  await asAdministrator(`${server.url}/postgres`, async (client) => {
    const { rows } = await client.query('show data_directory');
    demandTls(rows[0].data_directory, authority);
    await client.query('create role certified login');
    await client.query("create role encrypted login password 'hunter2'");
    await client.query('create database tls owner certified');
    for (const [name, value] of Object.entries(SETTINGS))
      await client.query(`alter system set ${name} = '${value}'`);
    await client.query('select pg_reload_conf()');
  });
  const { port } = new URL(server.url);
  return {
    passwordUrl: `postgres://encrypted:hunter2@localhost:${port}/tls`,
    certificateUrl: `postgres://certified@localhost:${port}/tls`,
    adminUrl,
    authority,
    file(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content, { mode: 0o600 });
      return path;
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SETTINGS = { ssl: 'on', ssl_cert_file: 'own.crt', ssl_key_file: 'own.key', ssl_ca_file: 'ca.crt' };

/** Its files belong to the user that the server runs as, which it insists on. */
function demandTls(dataFolder: string, authority: Authority): void {
  const { uid, gid } = statSync(dataFolder);
  const own = authority.issue({ name: 'localhost' });
  const files = { 'own.crt': own.cert, 'own.key': own.key, 'ca.crt': authority.cert, 'pg_hba.conf': RULES };
  for (const [name, content] of Object.entries(files)) {
    const path = join(dataFolder, name);
    writeFileSync(path, content);
    chmodSync(path, 0o600);
    chownSync(path, uid, gid);
  }
}

async function asAdministrator(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
