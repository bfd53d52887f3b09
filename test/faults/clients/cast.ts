import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/kernel/clock.ts';
import { issueCode } from '../../../src/oauth/authorize/codes/issue-code.ts';
import { openPostgres } from '../../../src/storage/postgres.ts';
import { next } from '../../support/service/build-versions.ts';
import { environmentOn } from '../../support/service/environment-on.ts';
import { throughWay } from '../deployment/cluster.ts';
import type { Deployment } from '../deployment/deployment.ts';

export interface Credentials {
  client_id: string;
  client_secret: string;
}

export interface Code {
  value: string;
  verifier: string;
  user: string;
}

/** Who plays in all of this: organizations, users, a client, webhook endpoints. */
export interface Cast {
  credentials: Credentials;
  users: readonly string[];
  /** Its events go to all receivers. */
  organization: string;
  /** For creates: a token of a user's client that may make endpoints. */
  scopes: { all: string };
  endpoints: ReadonlyMap<string, string>;
  /** What a user has allowed in a browser. */
  newCode(user: string): Promise<Code>;
  /** The client uses a new secret from now on; the one before works on until the next rotation. */
  rotateSecret(): Promise<void>;
  operate(path: string, body: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export const REDIRECT_URI = 'http://127.0.0.1/callback';
const SCOPES = ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write'];
const USERS = 16;
const OPERATOR_TRIES = 20;
const OPERATOR_PAUSE_MS = 300;

type Body = Record<string, unknown>;

export async function createCast(deployment: Deployment): Promise<Cast> {
  const [first] = deployment.nodes;
  const base = first?.url ?? '';

  /** Asks one node after the other, until one answers. */
  async function operate(path: string, body: unknown): Promise<Body> {
    let told = 'nothing';
    for (let tries = 0; tries < OPERATOR_TRIES; tries += 1) {
      const { url } = deployment.nodes[tries % deployment.nodes.length] ?? { url: base };
      const answer = await operateAt(url, path, body).catch(() => null);
      if (answer?.ok) return answer.body;
      told = answer ? JSON.stringify(answer.body) : told;
      await pause(OPERATOR_PAUSE_MS);
    }
    throw new Error(`${path} was answered with ${told}`);
  }

  async function operateAt(url: string, path: string, body: unknown): Promise<{ ok: boolean; body: Body }> {
    const response = await fetch(`${url}/operator/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${deployment.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    return { ok: response.ok, body: (await response.json()) as Body };
  }

  const organization = String((await operate('organizations', { name: 'Told' })).id);
  const creating = String((await operate('organizations', { name: 'Creating' })).id);
  const users: string[] = [];
  for (let count = 0; count < USERS; count += 1) {
    const user = await operate('users', {
      email: `user-${count}@example.com`,
      name: `User ${count}`,
      password: 'correct horse battery',
    });
    await operate(`organizations/${creating}/members`, { user_id: user.id });
    users.push(String(user.id));
  }
  const newClient = (organization_id: string): Promise<Body> =>
    operate('clients', {
      organization_id,
      name: 'Client',
      kind: 'confidential',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scopes: SCOPES,
      redirect_uris: [REDIRECT_URI],
    });
  const client = await newClient(creating);
  const credentials = { client_id: String(client.id), client_secret: String(client.client_secret) };
  const told = await newClient(organization);
  const endpoints = await subscribe(base, told, deployment);

  const database = openPostgres({
    schema: 'dateline_sandbox',
    url: throughWay(deployment.ownWay),
    poolMax: 4,
    onError() {},
  });
  const environment = environmentOn({ name: 'sandbox', issuer: base, database, clock: systemClock });
  return {
    credentials,
    users,
    organization,
    scopes: { all: SCOPES.join(' ') },
    endpoints,
    async newCode(user) {
      const verifier = randomBytes(32).toString('base64url');
      const value = await issueCode(environment, {
        clientId: credentials.client_id as never,
        userId: user as never,
        organizationIds: [creating as never],
        scopes: SCOPES as never,
        audience: credentials.client_id,
        redirectUri: REDIRECT_URI,
        codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
        nonce: null,
        authenticatedAt: environment.clock.now(),
      });
      return { value, verifier, user };
    },
    async rotateSecret() {
      const rotated = await operate(`clients/${credentials.client_id}/rotate-secret`, {});
      credentials.client_secret = String(rotated.client_secret);
    },
    operate,
    close: () => database.close(),
  };
}

/** One endpoint for each receiver; the ids by their receivers. */
async function subscribe(
  base: string,
  client: Body,
  { receivers }: Deployment,
): Promise<ReadonlyMap<string, string>> {
  const issued = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(client.id),
      client_secret: String(client.client_secret),
      scope: SCOPES.join(' '),
    }),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const made = new Map<string, string>();
  for (const { name, url } of receivers) {
    const response = await fetch(`${base}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'service-version': next,
      },
      body: JSON.stringify({ url, format: 'raw', events: ['order.placed'], api_version: next }),
    });
    const body = (await response.json()) as { id?: string };
    if (!body.id) throw new Error(`no endpoint: ${JSON.stringify(body)}`);
    made.set(name, body.id);
  }
  return made;
}
