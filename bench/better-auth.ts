import { installed } from './installed.ts';
import { startServer } from './start-server.ts';

/** An OAuth server that many new projects on Node begin with: better-auth and its oauth-provider, with its in-memory adapter. */
export interface BetterAuth {
  pid: number;
  introspectionUrl: string;
  /** A form for a random one of its tokens. */
  form(): string;
  stop(): Promise<void>;
}

const SECRET = 'a-secret-that-is-as-long-as-one-of-ours-would-be';
const credentials = `client_id=bench&client_secret=${SECRET}`;
const TOKEN_FORM = `grant_type=client_credentials&scope=products:read&${credentials}`;
// Its adapter looks through all of them for one.
const TOKENS = 200;

const SERVER = `
  import { createHash } from 'node:crypto';
  import { createServer } from 'node:http';
  import { oauthProvider } from '@better-auth/oauth-provider';
  import { betterAuth } from 'better-auth';
  import { memoryAdapter } from 'better-auth/adapters/memory';
  import { toNodeHandler } from 'better-auth/node';
  import { jwt } from 'better-auth/plugins';
  const now = new Date();
  const client = {
    id: '1', clientId: 'bench', clientSecret: createHash('sha256').update('${SECRET}').digest('base64url'),
    disabled: false, name: 'bench', redirectUris: ['http://127.0.0.1/'], grantTypes: ['client_credentials'], responseTypes: [],
    tokenEndpointAuthMethod: 'client_secret_post', scopes: ['products:read'], clientCredentialsScopes: ['products:read'],
    public: false, type: 'web', createdAt: now, updatedAt: now,
  };
  const database = memoryAdapter({
    user: [], session: [], account: [], verification: [], jwks: [], oauthClient: [client], oauthAccessToken: [],
    oauthRefreshToken: [], oauthConsent: [], oauthResource: [], oauthClientResource: [],
  });
  const auth = betterAuth({
    baseURL: 'http://127.0.0.1', secret: 'a secret that only this process knows', database, disabledPaths: ['/token'],
    rateLimit: { enabled: false }, telemetry: { enabled: false },
    plugins: [jwt(), oauthProvider({ loginPage: '/', consentPage: '/', scopes: ['products:read'] })],
  });
  const server = createServer(toNodeHandler(auth)).listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** Null where it cannot be installed. */
export async function startBetterAuth(): Promise<BetterAuth | null> {
  // The two of them name different releases of what they share.
  const folder = installed(
    'better-auth',
    ['better-auth@1.7.5', '@better-auth/oauth-provider@1.7.5'],
    ['--legacy-peer-deps'],
  );
  if (folder === null) return null;
  const { url, pid, stop } = await startServer(['--input-type=module', '--eval', SERVER], { cwd: folder });
  const tokenUrl = `${url}/api/auth/oauth2/token`;
  const tokens: string[] = [];
  while (tokens.length < TOKENS) tokens.push(await newToken(tokenUrl));
  return {
    pid,
    introspectionUrl: `${url}/api/auth/oauth2/introspect`,
    form: () => `token=${tokens[Math.floor(Math.random() * TOKENS)]}&${credentials}`,
    stop,
  };
}

async function newToken(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(TOKEN_FORM) });
  return ((await response.json()) as { access_token: string }).access_token;
}
