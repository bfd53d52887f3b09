import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withPort } from './database-way.ts';
import { freePort } from './free-port.ts';

/** PgBouncer on loopback, in transaction mode, for every database of a server. */
export interface PgBouncer {
  readonly port: number;
  /** The address of a database with the pooler in the place of its server. */
  through(databaseUrl: string): string;
  /** Ends it at once, with all connections, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Server connections for each database and role. */
  poolSize: number;
  /** Roles and their passwords, beside that of the server's address. */
  roles?: Readonly<Record<string, string>>;
}

/** PgBouncer refuses to run as root; there it is nobody. */
const NOBODY = 65_534;
const runsAsRoot = process.getuid?.() === 0;

export async function startPgBouncer(
  program: string,
  serverUrl: string,
  { poolSize, roles = {} }: PgBouncerOptions,
): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'dateline-pgbouncer-'));
  const users = { [decodeURIComponent(server.username)]: decodeURIComponent(server.password), ...roles };
  const files = {
    'users.txt': Object.entries(users).map(([name, password]) => `"${name}" "${password}"\n`),
    // Nothing but what the mode needs: `ignore_startup_parameters` is empty by default.
    'pgbouncer.ini': [
      '[databases]\n',
      `* = host=${server.hostname} port=${server.port || '5432'}\n`,
      '[pgbouncer]\n',
      'pool_mode = transaction\n',
      `default_pool_size = ${poolSize}\n`,
      'max_client_conn = 500\n',
      'listen_addr = 127.0.0.1\n',
      `listen_port = ${port}\n`,
      'unix_socket_dir =\n',
      'auth_type = plain\n',
      `auth_file = ${join(folder, 'users.txt')}\n`,
      // A database that is there again is tried at once.
      'server_login_retry = 1\n',
    ],
  };
  for (const [name, lines] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, lines.join(''), { mode: 0o600 });
    if (runsAsRoot) chownSync(path, NOBODY, NOBODY);
  }
  if (runsAsRoot) chownSync(folder, NOBODY, NOBODY);
  const start = () => launch(program, join(folder, 'pgbouncer.ini'), port);
  let running = await start();
  async function end(): Promise<void> {
    const exit = once(running, 'exit');
    running.kill('SIGKILL');
    await exit;
  }
  return {
    port,
    through: (databaseUrl) => withPort(databaseUrl, port),
    async restart() {
      await end();
      running = await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(program: string, config: string, port: number): Promise<ChildProcess> {
  const child = spawn(program, [config], {
    stdio: 'ignore',
    ...(runsAsRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
  }
  return child;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
