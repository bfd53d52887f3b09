import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { startServer, temporaryFolder } from '../stock/start-program.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { createAuthority } from '../support/http/certificates.ts';

/** The ports of a node, or of what stands for one. */
export interface ProxiedNode {
  production: number;
  sandbox: number;
}

export interface ProxyAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ProxyCall {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** A body of so many bytes is announced and not sent: what is refused is refused before it, and closes the connection under it. */
  announcedBytes?: number;
  /** The name in TLS and in `Host`. */
  name?: string;
  /** The address that the request comes from. */
  from?: string;
  /** Called with each piece of the answer as it comes. */
  onData?(text: string): void;
}

export interface Proxy {
  call(path: string, options?: ProxyCall): Promise<ProxyAnswer>;
}

export type StartProxy = (
  program: string,
  nodes: readonly [ProxiedNode, ProxiedNode] | readonly [ProxiedNode],
) => Promise<Proxy>;

export const API_NAME = 'api.example.com';
export const SANDBOX_NAME = 'sandbox.example.com';
const authority = createAuthority();
const certificate = authority.issue({ name: '*.example.com' });

/** nginx with the shipped configuration; what differs are the values that deploy/README.md says are yours. */
export const startNginx: StartProxy = async (program, [first, second = first]) => {
  const folder = temporaryFolder();
  const port = await freePort();
  const own: Record<string, string> = {
    'listen 443': `listen 127.0.0.1:${port}`,
    '10.0.0.1:4000': `127.0.0.1:${first.production}`,
    '10.0.0.2:4000': `127.0.0.1:${second.production}`,
    '10.0.0.1:4001': `127.0.0.1:${first.sandbox}`,
    '10.0.0.2:4001': `127.0.0.1:${second.sandbox}`,
    '/etc/ssl/dateline/fullchain.pem': join(folder, 'fullchain.pem'),
    '/etc/ssl/dateline/privkey.pem': join(folder, 'privkey.pem'),
    '/var/log/nginx': folder,
  };
  write(join(folder, 'fullchain.pem'), certificate.cert);
  write(join(folder, 'privkey.pem'), certificate.key);
  const shipped = readFileSync('deploy/nginx/dateline.conf', 'utf8');
  write(join(folder, 'conf.d', 'dateline.conf'), withValues(shipped, own));
  write(
    join(folder, 'snippets', 'dateline-node.conf'),
    readFileSync('deploy/nginx/dateline-node.conf', 'utf8'),
  );
  const stores = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  write(
    file,
    `daemon off; pid ${folder}/pid; events {}
     http { ${stores.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')} include conf.d/*.conf; }`,
  );
  await startServer({ path: program, args: ['-c', file, '-e', join(folder, 'error.log')], port });
  return proxyAt(port);
};

/** HAProxy with the shipped configuration as it is. */
export const startHaproxy: StartProxy = async (program, [first, second = first]) => {
  const pem = join(temporaryFolder(), 'dateline.pem');
  write(pem, certificate.cert + certificate.key);
  const port = await freePort();
  const env = {
    BIND: `127.0.0.1:${port}`,
    CERTIFICATE: pem,
    API_NAME,
    SANDBOX_NAME,
    NODE_1: `127.0.0.1:${first.production}`,
    NODE_2: `127.0.0.1:${second.production}`,
    NODE_1_SANDBOX: `127.0.0.1:${first.sandbox}`,
    NODE_2_SANDBOX: `127.0.0.1:${second.sandbox}`,
  };
  await startServer({ path: program, args: ['-f', 'deploy/haproxy/haproxy.cfg'], port, env });
  return proxyAt(port);
};

/** Each value has to be in the file, and in the README's list of what to change. */
function withValues(shipped: string, own: Readonly<Record<string, string>>): string {
  const readme = readFileSync('deploy/README.md', 'utf8');
  return Object.entries(own).reduce((text, [value, replacement]) => {
    if (!text.includes(value)) throw new Error(`deploy/nginx/dateline.conf has no ${value}`);
    if (!readme.includes(`\`${value}\``)) throw new Error(`deploy/README.md does not name ${value}`);
    return text.replaceAll(value, replacement);
  }, shipped);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function proxyAt(port: number): Proxy {
  return {
    call: (path, options = {}) =>
      new Promise((resolve, reject) => {
        const { method = 'GET', headers = {}, body, announcedBytes } = options;
        const { name = API_NAME, from, onData = () => {} } = options;
        const sent = request({
          host: '127.0.0.1',
          port,
          path,
          method,
          ca: authority.cert,
          servername: name,
          headers: { host: name, ...headers },
          agent: false,
          ...(from ? { localAddress: from } : {}),
        });
        sent.once('error', reject);
        sent.once('response', (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
            onData(chunk);
          });
          answer.once('error', reject);
          answer.once('end', () => {
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
            if (announcedBytes !== undefined) sent.destroy();
          });
        });
        if (announcedBytes === undefined) sent.end(body);
        else sent.setHeader('content-length', announcedBytes).flushHeaders();
      }),
  };
}
