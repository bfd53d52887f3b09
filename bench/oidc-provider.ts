import { installed } from './installed.ts';
import { startServer } from './start-server.ts';

export interface OidcProvider {
  pid: number;
  introspectionUrl: string;
  tokenUrl: string;
  /** A form for a random one of its tokens. */
  form(): string;
  /** A form for a new one. */
  tokenForm: string;
  stop(): Promise<void>;
}

const credentials = 'client_id=bench&client_secret=a-secret-that-is-as-long-as-one-of-ours-would-be';
const TOKEN_FORM = `grant_type=client_credentials&${credentials}`;
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
  const folder = installed('oidc-provider', ['oidc-provider@9']);
  if (folder === null) return null;
  const { url, pid, stop } = await startServer(['--input-type=module', '--eval', SERVER], { cwd: folder });
  const tokens: string[] = [];
  while (tokens.length < TOKENS) tokens.push(await newToken(url));
  return {
    pid,
    introspectionUrl: `${url}/token/introspection`,
    tokenUrl: `${url}/token`,
    tokenForm: TOKEN_FORM,
    form: () => `token=${tokens[Math.floor(Math.random() * TOKENS)]}&${credentials}`,
    stop,
  };
}

async function newToken(url: string): Promise<string> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams(TOKEN_FORM),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
