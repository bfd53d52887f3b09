import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { databaseOpener } from '../../src/storage/open-database.ts';
import { driverAddress } from '../../src/storage/postgres/tls.ts';
import { statement } from '../../src/storage/statement.ts';
import { type DemandingServer, startDemandingServer } from '../support/database/demanding-server.ts';
import { createAuthority } from '../support/http/certificates.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const CONNECTIONS = statement(
  'connections',
  `select a.application_name as name, s.ssl, s.client_dn as subject
   from pg_stat_activity a join pg_stat_ssl s using (pid) where a.usename = current_user`,
);

interface Connection {
  name: string;
  ssl: boolean;
  subject: string;
}

describe('a PostgreSQL server that demands TLS', () => {
  let server: DemandingServer;
  let files: Record<'authority' | 'stranger' | 'cert' | 'key', string>;
  const opened: Database[] = [];
  const errors: Error[] = [];
  let node: SpawnedDateline | undefined;

  beforeAll(async () => {
    server = await startDemandingServer();
    const client = server.authority.issue({ name: 'certified' });
    files = {
      authority: server.file('authority.pem', server.authority.cert),
      stranger: server.file('stranger.pem', createAuthority('another authority').cert),
      cert: server.file('client.pem', client.cert),
      key: server.file('client.key', client.key),
    };
  }, 120_000);
  afterAll(async () => {
    node?.child.kill('SIGKILL');
    await node?.exit;
    for (const database of opened) await database.close();
    await server?.stop();
  });

  const at = (url: string, parameters: Record<string, string>) => `${url}?${new URLSearchParams(parameters)}`;
  const numeric = (url: string) => url.replace('@localhost:', '@127.0.0.1:');

  /** As a start opens a database. */
  async function open(databaseUrl: string): Promise<Database> {
    const onError = (_name: string, error: Error): void => void errors.push(error);
    const database = await databaseOpener({ databaseUrl, dataDir: '/nowhere', poolMax: 2, onError })(
      'sandbox',
    );
    opened.push(database);
    return database;
  }
  /** The sentence with which a start ends. */
  async function refusal(databaseUrl: string): Promise<string> {
    return open(databaseUrl).then(
      () => 'none',
      (error: Error) => {
        expect(error.name).toBe('StartupError');
        return error.message;
      },
    );
  }

  it.each([
    ['without sslmode', {}],
    ['with sslmode=disable', { sslmode: 'disable' }],
  ])('refuses a start %s, which says what to add', async (_, parameters) => {
    expect(await refusal(at(server.passwordUrl, parameters))).toMatch(
      /^DATABASE_URL: the database at localhost:\d+\/tls refuses \(.*no encryption\); .*; if it demands TLS, add sslmode=verify-full to the address\.$/,
    );
  });

  it.each([
    ['require', 'no authority', {}, 'none'],
    ['require', 'the right authority', { sslrootcert: 'authority' }, 'none'],
    ['require', 'another authority', { sslrootcert: 'stranger' }, /no TLS connection to the database/],
    ['no-verify', 'no authority', {}, 'none'],
    ['verify-ca', 'the right authority', { sslrootcert: 'authority' }, 'none'],
    ['verify-ca', 'another authority', { sslrootcert: 'stranger' }, /no TLS connection to the database/],
    ['verify-full', 'another authority', { sslrootcert: 'stranger' }, /no TLS connection to the database/],
    ['verify-full', 'those of Node', {}, /no TLS connection to the database/],
    ['verify-full', 'those of Node, by name', { sslrootcert: 'system' }, /no TLS connection to the database/],
  ] as const)(
    'is reached by a wrong name with sslmode=%s and %s, or not, as with libpq',
    async (sslmode, _, named, expected) => {
      const paths = Object.entries(named).map(([name, file]) => [
        name,
        files[file as keyof typeof files] ?? file,
      ]);
      const said = await refusal(at(numeric(server.passwordUrl), { sslmode, ...Object.fromEntries(paths) }));
      expect(said).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    },
  );

  it('is reached with sslmode=verify-full by the name in its certificate only', async () => {
    const parameters = { sslmode: 'verify-full', sslrootcert: files.authority };
    expect(await refusal(at(server.passwordUrl, parameters))).toBe('none');
    expect(await refusal(at(numeric(server.passwordUrl), parameters))).toMatch(
      /^DATABASE_URL: no TLS connection to the database at 127\.0\.0\.1:\d+\/tls \(.*does not match certificate's altnames.*\); see sslmode/s,
    );
    // Files without a mode are meant to be verified by.
    expect(await refusal(at(numeric(server.passwordUrl), { sslrootcert: files.authority }))).toContain(
      'altnames',
    );
  });

  it('that demands a certificate refuses a client without one, with another name, or from another authority', async () => {
    const sslmode = { sslmode: 'verify-full', sslrootcert: files.authority };
    expect(await refusal(at(server.certificateUrl, sslmode))).toMatch(
      /refuses \(connection requires a valid client certificate\); .*add sslcert and sslkey to the address\.$/,
    );
    for (const signer of [server.authority, createAuthority('another authority')]) {
      const other = signer.issue({ name: 'somebody' });
      const [sslcert, sslkey] = [server.file('other.pem', other.cert), server.file('other.key', other.key)];
      expect(await refusal(at(server.certificateUrl, { ...sslmode, sslcert, sslkey }))).toMatch(
        signer === server.authority
          ? /refuses \(certificate authentication failed/
          : /no TLS connection|no database answers/,
      );
    }
  });

  const certified = () =>
    at(server.certificateUrl, {
      sslmode: 'verify-full',
      sslrootcert: files.authority,
      sslcert: files.cert,
      sslkey: files.key,
    });

  const subjectsOf = async (database: Database) =>
    (await database.run<Connection>(CONNECTIONS, [])).map(({ name, ssl, subject }) => [name, ssl, subject]);

  it('gets TLS and the certificate from the pool, from a migration, and from what listens', async () => {
    const database = await open(certified());
    let heard: (payload: string) => void = () => {};
    const notified = new Promise<string>((resolve) => {
      heard = resolve;
    });
    await database.listen('tls', heard);
    await database.notify('tls', 'over TLS');
    expect(await notified).toBe('over TLS');
    const pair = await database.migration(() => subjectsOf(database));
    expect(pair.length).toBeGreaterThanOrEqual(3);
    expect(pair).toEqual(pair.map(() => ['dateline dateline_sandbox', true, '/CN=certified']));
  });

  itInLongRuns(
    'is used by a node whose address is in a file, and whose log shows nothing of it',
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'dateline-tls-data-'));
      const env = {
        DATABASE_URL_FILE: server.file('address', `${certified()}\n`),
        DATELINE_DATA_DIR: dataDir,
      };
      node = spawnDateline(['serve'], { env });
      await node.ready();
      const subjects = await subjectsOf(await open(certified()));
      expect(new Set(subjects.map(([name]) => name))).toEqual(
        new Set(['dateline dateline_production', 'dateline dateline_sandbox']),
      );
      expect(new Set(subjects.map(([, ssl, subject]) => `${ssl} ${subject}`))).toEqual(
        new Set(['true /CN=certified']),
      );
      node.child.kill('SIGTERM');
      expect(await node.exit).toBe(0);
      expect(node.stdout() + node.stderr()).not.toMatch(/PRIVATE KEY|WARNING|sslkey/);
      rmSync(dataDir, { recursive: true });
    },
    300_000,
  );

  it('is sent the certificate that is in the file when a connection is opened, or the last good one', async () => {
    const later = server.authority.issue({ name: 'certified' });
    const path = { cert: server.file('renewed.pem', later.cert), key: server.file('renewed.key', later.key) };
    const url = at(server.certificateUrl, { sslmode: 'require', sslcert: path.cert, sslkey: path.key });
    const migrates = (database: Database) => database.migration(async () => 'a new connection');
    const database = await open(url);
    rmSync(path.key);
    expect(await migrates(database)).toBe('a new connection');
    const wrong = server.authority.issue({ name: 'somebody' });
    server.file('renewed.pem', wrong.cert);
    server.file('renewed.key', wrong.key);
    await expect(migrates(database)).rejects.toThrow('certificate authentication failed');
  });

  it('is reached with a key that is encrypted', async () => {
    const { cert, key } = server.authority.issue({ name: 'certified' });
    const encrypted = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'hunter2',
    });
    const named = {
      sslmode: 'require',
      sslcert: server.file('encrypted.pem', cert),
      sslkey: server.file('encrypted.key', String(encrypted)),
    };
    expect(await refusal(at(server.certificateUrl, { ...named, sslpassword: 'hunter2' }))).toBe('none');
    const refused = await refusal(at(server.certificateUrl, { ...named, sslpassword: 'hunter3' }));
    expect(refused).toMatch(/^DATABASE_URL: its files of TLS cannot be used together \(ERR_\w+\); look at/);
    expect(refused).not.toMatch(/hunter|PRIVATE/);
  });
});

describe('the parameters of TLS in DATABASE_URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-tls-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const missing = join(folder, 'none.pem');

  it.each([
    ['sslmode=prefer', /^sslmode must be disable, require, verify-ca or verify-full; "prefer" is not/],
    ['sslmode=allow', /^sslmode must be disable/],
    ['sslmode=verify-ca', /^sslmode=verify-ca needs sslrootcert/],
    ['sslmode=require&sslrootcert=system', /^sslrootcert=system needs sslmode=verify-full/],
    [`sslmode=require&sslcert=${missing}`, /^sslcert and sslkey belong together/],
    [`sslmode=verify-full&sslrootcert=${missing}`, `sslrootcert ${missing} cannot be read (ENOENT)`],
    [`sslkey=${missing}&sslcert=${missing}`, `sslcert ${missing} cannot be read (ENOENT)`],
  ])('are refused at the start where they are %s', (parameters, sentence) => {
    expect(() => driverAddress(`postgres://me:hunter2@db/x?${parameters}`)).toThrow(sentence);
    expect(() => driverAddress(`postgres://me:hunter2@db/x?${parameters}`)).not.toThrow('hunter2');
  });

  it('leave the rest of the address as it is', () => {
    expect(driverAddress('postgres://me:a%20b@db/x?sslmode=disable&host=%2Frun%2Fpostgresql')).toEqual({
      connectionString: 'postgres://me:a%20b@db/x?host=%2Frun%2Fpostgresql',
      ssl: false,
    });
    expect(driverAddress('postgres://db/x?application_name=y')).toEqual({
      connectionString: 'postgres://db/x?application_name=y',
    });
  });

  it('do not show what is in the files where a pool is printed', () => {
    const { ssl } = driverAddress('postgres://me@db/x?sslmode=require&sslpassword=hunter2');
    expect(JSON.stringify(ssl)).not.toContain('hunter2');
  });

  it('are refused before a connection is tried', async () => {
    const start = databaseOpener({
      databaseUrl: 'postgres://db/x?sslmode=prefer',
      dataDir: folder,
      poolMax: 2,
      onError() {},
    })('sandbox');
    await expect(start).rejects.toThrow(/^DATABASE_URL: sslmode must be disable, .*\.$/);
  });
});
