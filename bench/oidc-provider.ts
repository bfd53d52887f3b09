import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startServer } from './start-server.ts';

export interface OidcProvider {
  introspectionUrl: string;
  /** A form for a random one of its tokens. */
  form(): string;
  stop(): Promise<void>;
}

const credentials = 'client_id=bench&client_secret=a-secret-that-is-as-long-as-one-of-ours-would-be';
// Its adapter forgets the oldest when there are more than a thousand things.
const TOKENS = 200;

const SERVER = `
  import { Provider } from 'oidc-provider';
  const [client_id, client_secret] = ${JSON.stringify([...new URLSearchParams(credentials).values()])};
  const provider = new Provider('http://127.0.0.1', {
    clients: [{
      client_id, client_secret, grant_types: ['client_credentials'], redirect_uris: [], response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
    }],
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      devInteractions: { enabled: false },
    },
    ttl: { ClientCredentials: 3600 },
  });
  const server = provider.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** The best known OAuth server on Node, with its in-memory adapter. Null where it cannot be installed. */
export async function startOidcProvider(): Promise<OidcProvider | null> {
  const folder = install();
  if (folder === null) return null;
  const { url, stop } = await startServer(['--input-type=module', '--eval', SERVER], { cwd: folder });
  const tokens: string[] = [];
  while (tokens.length < TOKENS) tokens.push(await newToken(url));
  return {
    introspectionUrl: `${url}/token/introspection`,
    form: () => `token=${tokens[Math.floor(Math.random() * TOKENS)]}&${credentials}`,
    stop,
  };
}

/** From npm, once, and beside our own dependencies: nothing of ours needs it. */
function install(): string | null {
  const folder = resolve('node_modules', '.cache', 'dateline', 'oidc-provider');
  if (existsSync(resolve(folder, 'node_modules', 'oidc-provider'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'package.json'), '{"private":true}');
  const args = ['install', 'oidc-provider@9', '--no-audit', '--no-fund', '--loglevel=error', '--no-save'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  return status === 0 ? folder : null;
}

async function newToken(url: string): Promise<string> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams(`grant_type=client_credentials&${credentials}`),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
