import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/database/postgres-server.ts';
import { startServer, temporaryFolder } from './start-program.ts';

const MODULES = '/usr/lib/apache2/modules';

// What every Apache has, and what hands a request on to the application.
const usual = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'proxy', 'proxy_http'];

export interface ApacheOptions {
  /** The path of the program. */
  path: string;
  /** The module under test. */
  module: string;
  /** Lines about this server's own address, and what it protects. */
  config: (url: string) => string | Promise<string>;
  /** The application behind it. */
  appPort: number;
  env?: Readonly<Record<string, string>>;
}

/** An Apache of the test's own, in front of an application. Its address. */
export async function startApache(options: ApacheOptions): Promise<string> {
  const { path, module, config, appPort, env = {} } = options;
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines = [
    `ServerRoot ${folder}`,
    `PidFile ${join(folder, 'pid')}`,
    `ErrorLog ${join(folder, 'error.log')}`,
    `Listen 127.0.0.1:${port}`,
    'ServerName 127.0.0.1',
    // It gives up root, where it has it.
    'User www-data',
    'Group www-data',
    ...[...usual, module].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    `ProxyPass / http://127.0.0.1:${appPort}/`,
    await config(url),
  ];
  const file = join(folder, 'apache.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await startServer({ path, args: ['-X', '-f', file], port, env });
  return url;
}
