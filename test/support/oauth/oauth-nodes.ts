import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../src/environments/environment.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../../src/oauth/clients/authentication/client-secrets.ts';
import { grantToUser } from '../../../src/oauth/grants/grants.ts';
import { issueAccessToken, issueRefreshToken } from '../../../src/oauth/tokens/issue-token.ts';
import { openPostgres } from '../../../src/storage/postgres.ts';
import { environmentOn } from '../service/environment-on.ts';
import { type SpawnedDateline, spawnDateline } from '../service/spawn-dateline.ts';
import { createGrantedUser } from './oauth-fixtures.ts';

export interface Family {
  access: string;
  refresh: string;
}

/** Real processes over one PostgreSQL database, and a client of theirs. */
export interface OAuthNodes {
  environment: Environment;
  credentials: { client_id: string; client_secret: string };
  readonly first: Node;
  /** One more, with settings of its own where it needs some. */
  start(own?: Readonly<Record<string, string>>): Promise<Node>;
  /** A fresh grant with one token of each kind. */
  newFamily(): Promise<Family>;
  close(): Promise<void>;
}

export interface Node {
  url: string;
  process: SpawnedDateline;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface NodeOptions {
  /** The address at which nodes reach the database, where that is another one. */
  through?: string;
  env?: Readonly<Record<string, string>>;
}

export async function createOAuthNodes(
  databaseUrl: string,
  { through = databaseUrl, env: more = {} }: NodeOptions = {},
): Promise<OAuthNodes> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-nodes-'));
  const env = {
    DATABASE_URL: through,
    DATELINE_DATA_DIR: dataDir,
    DATELINE_LOG_LEVEL: 'fatal',
    ...more,
  };
  const nodes: Node[] = [];
  async function start(own: Readonly<Record<string, string>> = {}): Promise<Node> {
    const process = spawnDateline(['serve'], { env: { ...env, ...own } });
    const { sandbox } = await process.ready();
    const node: Node = {
      url: sandbox,
      process,
      async kill(signal) {
        process.child.kill(signal);
        await process.exit;
      },
    };
    nodes.push(node);
    return node;
  }
  // It sets the database up.
  const first = await start();
  const database = openPostgres({ schema: 'dateline_sandbox', url: databaseUrl, poolMax: 8, onError() {} });
  const environment = environmentOn({
    name: 'sandbox',
    issuer: first.url,
    database,
    clock: systemClock,
  });
  const { client, user, organization } = await createGrantedUser(environment);
  const secretValue = newClientSecretValue(environment);
  await storeClientSecret(environment, { clientId: client.id, secretValue });
  const newFamily = async (): Promise<Family> => {
    const { scopes } = client;
    const organizationIds = [organization.id];
    const grant = await grantToUser(environment, { client, userId: user.id, organizationIds, scopes });
    const access = await issueAccessToken(environment, grant);
    const refresh = await issueRefreshToken(environment, grant);
    return { access: access.tokenValue, refresh: refresh.tokenValue };
  };
  return {
    environment,
    credentials: { client_id: client.id, client_secret: secretValue },
    first,
    start,
    newFamily,
    async close() {
      for (const node of nodes) await node.kill('SIGKILL');
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export interface FormAnswer {
  status: number;
  retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  body: any;
}

/** Posts a form; null for a broken connection. */
export async function postForm(
  url: string,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<FormAnswer | null> {
  try {
    const response = await fetch(`${url}/v1/oauth2/${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  } catch {
    return null;
  }
}
