import type { Context, Environment, EnvironmentName } from '../environments/environment.ts';
import { StartupError } from '../errors/startup-error.ts';
import { addMember } from '../identity/members.ts';
import { newOperatorKeyValue, storeOperatorKey } from '../identity/operator-keys.ts';
import { createOrganization } from '../identity/organizations.ts';
import { quickstartKeyName } from '../identity/types.ts';
import { createUser, findUserByEmail } from '../identity/users.ts';
import { randomBase62 } from '../kernel/base62.ts';
import { newClientSecretValue, storeClientSecret } from '../oauth/clients/authentication/client-secrets.ts';
import { createClient, findClient } from '../oauth/clients/clients/clients.ts';
import { findLiveGrant, grantToUser } from '../oauth/grants/grants.ts';
import { stillKnown } from '../oauth/scopes/scopes.ts';
import { issueAccessToken, issueRefreshToken } from '../oauth/tokens/issue-token.ts';
import { type Quickstart, readQuickstart, writeQuickstart } from './quickstart-file.ts';
import { isSeeded, markSeeded } from './store.ts';

export type QuickstartOutcome =
  /** Fresh databases: the file was written. */
  | 'created'
  /** The file was there and fits; its demo tokens are new. */
  | 'kept'
  /** The database was seeded from another data folder, which has the file. */
  | 'elsewhere'
  /** The file names a demo client or user that this database does not have. */
  | 'mismatched';

interface QuickstartOptions {
  production: Environment;
  sandbox: Environment;
  path: string;
  /** Where operators are served apart from everybody else. */
  operatorUrls?: OperatorUrls;
}

type OperatorUrls = Readonly<Record<EnvironmentName, string | null>>;

/**
 * Gives fresh databases an operator key each, and the sandbox demo data. Nodes that start together
 * do this one after the other. The file is written before the sandbox commits, and production follows with the key that
 * is in it: every stored secret is in the file, and after a crash in between, the next start uses the file's secrets
 * again. One transaction at a time: on the embedded database both environments share one session.
 */
export async function prepareQuickstart({
  production,
  sandbox,
  path,
  operatorUrls = { production: null, sandbox: null },
}: QuickstartOptions): Promise<QuickstartOutcome> {
  // The sandbox is seeded first: a production that is seeded already was set up from another data folder.
  if (!readQuickstart(path) && (await isSeeded(production.session))) return 'elsewhere';
  const demo = await sandbox.transaction((context) => seedSandboxOnce(context, production, path));
  if (demo === 'elsewhere') return 'elsewhere';
  const keys = await production.transaction((context) => seedProductionOnce(context, path));
  const outcome =
    demo === 'seeded' || keys === 'seeded'
      ? 'created'
      : await sandbox.transaction((context) => renew(context, production, path));
  if (outcome !== 'mismatched') nameOperatorUrls(path, operatorUrls);
  return outcome;
}

/** So that the command line finds them without a setting. */
function nameOperatorUrls(path: string, { production, sandbox }: OperatorUrls): void {
  const file = fileAt(path);
  const isNamed = (one: { operator_url?: string }, url: string | null): boolean =>
    (one.operator_url ?? null) === url;
  if (isNamed(file.production, production) && isNamed(file.sandbox, sandbox)) return;
  const named = (url: string | null) => (url === null ? {} : { operator_url: url });
  const { operator_url: _production, ...ofProduction } = file.production;
  const { operator_url: _sandbox, ...ofSandbox } = file.sandbox;
  writeQuickstart(path, {
    production: { ...ofProduction, ...named(production) },
    sandbox: { ...ofSandbox, ...named(sandbox) },
  });
}

async function seedSandboxOnce(
  sandbox: Context,
  production: Environment,
  path: string,
): Promise<'seeded' | 'already' | 'elsewhere'> {
  await sandbox.session.lock('quickstart');
  const file = readQuickstart(path);
  if (await isSeeded(sandbox.session)) return file ? 'already' : 'elsewhere';
  writeQuickstart(path, {
    production: file?.production ?? {
      base_url: production.issuer,
      operator_key: newOperatorKeyValue(production),
    },
    sandbox: await seedSandbox(sandbox, file),
  });
  return 'seeded';
}

async function seedProductionOnce(production: Context, path: string): Promise<'seeded' | 'already'> {
  await production.session.lock('quickstart');
  if (await isSeeded(production.session)) return 'already';
  const keyValue = fileAt(path).production.operator_key;
  await storeOperatorKey(production, { name: quickstartKeyName, keyValue });
  await markSeeded(production.session, production.clock.now());
  return 'seeded';
}

function fileAt(path: string): Quickstart {
  const file = readQuickstart(path);
  if (file) return file;
  throw new StartupError(`${path} was removed while the service started; start it again.`);
}

async function seedSandbox(context: Context, file: Quickstart | null): Promise<Quickstart['sandbox']> {
  const secrets = {
    operator_key: file?.sandbox.operator_key ?? newOperatorKeyValue(context),
    client_secret: file?.sandbox.client_secret ?? newClientSecretValue(context),
    user_email: file?.sandbox.user_email ?? 'demo@example.com',
    user_password: file?.sandbox.user_password ?? randomBase62(24),
  };
  await storeOperatorKey(context, { name: quickstartKeyName, keyValue: secrets.operator_key });
  const organization = await createOrganization(context, { name: 'Demo organization' });
  const user = await createUser(context, {
    email: secrets.user_email,
    name: 'Demo user',
    password: secrets.user_password,
  });
  await addMember(context, { organizationId: organization.id, userId: user.id });
  const client = await createClient(context, {
    organizationId: organization.id,
    name: 'Demo client',
    kind: 'confidential',
    allowedGrants: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: context.scopes.usual,
    redirectUris: ['http://127.0.0.1/callback'],
    audiences: [],
  });
  await storeClientSecret(context, { clientId: client.id, secretValue: secrets.client_secret });
  const grant = await grantToUser(context, {
    client,
    userId: user.id,
    organizationIds: [organization.id],
    scopes: context.scopes.usual,
  });
  const [access, refresh] = [await issueAccessToken(context, grant), await issueRefreshToken(context, grant)];
  await markSeeded(context.session, context.clock.now());
  return {
    base_url: context.issuer,
    ...secrets,
    organization_id: organization.id,
    client_id: client.id,
    access_token: access.tokenValue,
    refresh_token: refresh.tokenValue,
  };
}

/** Keeps all keys, and stores a fresh access token in the file: of the same grant, or of a new one if that is dead. */
async function renew(
  sandbox: Context,
  production: Environment,
  path: string,
): Promise<'kept' | 'mismatched'> {
  await sandbox.session.lock('quickstart');
  const file = fileAt(path);
  const client = await findClient(sandbox, file.sandbox.client_id);
  const user = await findUserByEmail(sandbox, file.sandbox.user_email);
  if (!client || !user) return 'mismatched';
  let grant = await findLiveGrant(sandbox, file.sandbox.refresh_token);
  let refreshToken = file.sandbox.refresh_token;
  if (!grant) {
    const organizationIds = [client.organizationId];
    const scopes = stillKnown(client.scopes, sandbox.scopes);
    grant = await grantToUser(sandbox, { client, userId: user.id, organizationIds, scopes });
    refreshToken = (await issueRefreshToken(sandbox, grant)).tokenValue;
  }
  const granted = { ...grant, scopes: stillKnown(grant.scopes, sandbox.scopes) };
  const access = await issueAccessToken(sandbox, granted);
  writeQuickstart(path, {
    production: { ...file.production, base_url: production.issuer },
    sandbox: {
      ...file.sandbox,
      base_url: sandbox.issuer,
      access_token: access.tokenValue,
      refresh_token: refreshToken,
    },
  });
  return 'kept';
}
