import type { Kysely } from 'kysely';
import type { Columns, Session } from '../../../storage/database.ts';
import { expectOne, oneByOne, statement } from '../../../storage/statement.ts';
import type { ClientSecret, ClientSecretId, OAuthClient, OAuthClientId } from '../../types.ts';

interface Tables {
  oauth_client_secrets: Columns<ClientSecret> & {
    client_id: OAuthClientId;
    digest: Uint8Array;
    revoked_at: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

/** A client that is neither disabled nor deleted. */
export interface LiveClient extends OAuthClient {
  organizationSuspendedAt: Date | null;
  secretDigests: readonly Uint8Array[];
}

const LIVE_CLIENTS = statement(
  'live_clients',
  `select c.id, c.organization_id as "organizationId", c.name, c.kind, c.allowed_grants as "allowedGrants", c.scopes,
          c.redirect_uris as "redirectUris", c.audiences, c.requires_pkce as "requiresPkce",
          c.id_token_algorithm as "idTokenAlgorithm", c.disabled_at as "disabledAt", c.created_at as "createdAt",
          o.suspended_at as "organizationSuspendedAt",
          array(select encode(s.digest, 'hex') from {schema}.oauth_client_secrets s
                where s.client_id = c.id and s.revoked_at is null) as secrets
   from unnest($1::text[]) as asked(id)
   cross join lateral (${oneByOne('oauth_clients', 'id = asked.id')}) c
   cross join lateral (${oneByOne('organizations', 'id = c.organization_id')}) o
   where c.disabled_at is null and c.deleted_at is null`,
);

/** In the order of the ids; null for a client that is unknown, disabled or deleted. */
export async function selectLiveClients(
  session: Session,
  ids: readonly OAuthClientId[],
): Promise<(LiveClient | null)[]> {
  type Row = Omit<LiveClient, 'secretDigests'> & { secrets: string[] };
  const rows = await session.run<Row>(LIVE_CLIENTS, [[...new Set(ids)]]);
  const clients = new Map<OAuthClientId, LiveClient>();
  for (const { secrets, ...client } of rows)
    clients.set(client.id, { ...client, secretDigests: secrets.map((hex) => Buffer.from(hex, 'hex')) });
  return ids.map((id) => clients.get(id) ?? null);
}

export async function insertClientSecret(
  session: Session,
  secret: { id: ClientSecretId; clientId: OAuthClientId; digest: Buffer; createdAt: Date },
): Promise<void> {
  await tables(session)
    .insertInto('oauth_client_secrets')
    .values({
      id: secret.id,
      client_id: secret.clientId,
      digest: secret.digest,
      created_at: secret.createdAt,
    })
    .execute();
}

/** The live secrets of a client, oldest first. */
export async function selectSecrets(session: Session, clientId: OAuthClientId): Promise<ClientSecret[]> {
  return tables(session)
    .selectFrom('oauth_client_secrets')
    .select(['id', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function updateSecretsRevoked(
  session: Session,
  ids: readonly ClientSecretId[],
  revokedAt: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await tables(session)
    .updateTable('oauth_client_secrets')
    .set({ revoked_at: revokedAt })
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
}

// Rows are locked in one order, so that two nodes never wait for each other.
const CLIENT_OF_SECRET = statement(
  'client_of_secret',
  'select client_id as "clientId" from {schema}.oauth_client_secrets where id = $1',
);

/** The client whose secret this is, also if it was revoked. */
export async function selectClientOfSecret(
  session: Session,
  id: ClientSecretId,
): Promise<OAuthClientId | null> {
  const [row] = await session.run<{ clientId: OAuthClientId }>(CLIENT_OF_SECRET, [id]);
  return row?.clientId ?? null;
}

const NOTE_SECRET_USE = statement(
  'note_secret_use',
  `update {schema}.oauth_client_secrets s set last_used_at = used.at
   from (select digest, ($2::timestamptz[])[array_position($1::bytea[], digest)] as at
         from {schema}.oauth_client_secrets
         where digest = any($1::bytea[]) order by digest ${expectOne('$1')} for update) used
   where s.digest = used.digest and (s.last_used_at is null or s.last_used_at < used.at)`,
);

export async function noteSecretUse(
  session: Session,
  uses: readonly { digest: Uint8Array; at: Date }[],
): Promise<void> {
  await session.run(NOTE_SECRET_USE, [uses.map(({ digest }) => digest), uses.map(({ at }) => at)]);
}
