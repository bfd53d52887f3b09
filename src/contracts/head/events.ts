import type { EventKind } from '@dateline/versions';
import { type TSchema, Type } from 'typebox';
import { closed, Identifier, NOON, Timestamp } from './fields.ts';
import { plain, type Wire } from './operation-parts.ts';
import { Organization } from './organizations.ts';
import { exampleProduct, Product } from './products.ts';
import { DisabledReason } from './webhooks.ts';

/** The raw body of a webhook: the same frame for every kind. */
export function eventKind<Data extends TSchema>(
  kind: string,
  version: string,
  summary: string,
  data: Data,
  example: Wire<Data>,
): EventKind {
  const scope = scopeToRead(kind);
  const schema = Type.Object(
    {
      type: Type.Literal(kind),
      api_version: Type.Literal(version),
      timestamp: Timestamp,
      data,
      // An example that was asked for: nothing has happened.
      test: Type.Optional(Type.Literal(true)),
    },
    closed,
  );
  return {
    kind,
    summary,
    ...(scope ? { scopes: [scope] } : {}),
    schema: plain(schema),
    example: { type: kind, api_version: version, timestamp: NOON, data: example },
  };
}

/** The scope that a subscriber to each kind needs: the one that reads what its events carry. */
const scopesToRead: Readonly<Record<string, string | null>> = {
  product: 'products:read',
  organization: 'organizations:read',
  // No operation reads these; they are part of what webhooks show.
  token: 'webhooks:read',
  grant: 'webhooks:read',
  client: 'webhooks:read',
  webhook_endpoint: 'webhooks:read',
  // Public: see /versions.
  api_version: null,
};

function scopeToRead(kind: string): string | null {
  const scope = scopesToRead[kind.split('.', 1)[0] ?? ''];
  if (scope === undefined) throw new Error(`name the scope that reads what ${kind} carries, or null`);
  return scope;
}

export const productEvents = (version: string): EventKind[] => [
  eventKind('product.created', version, 'A product was created', Product, exampleProduct),
  eventKind('product.updated', version, 'A product was changed', Product, exampleProduct),
  eventKind('product.archived', version, 'A product was archived', Product, {
    ...exampleProduct,
    visibility: 'archived',
  }),
  eventKind('product.deleted', version, 'A product was deleted', Product, exampleProduct),
];

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const grantFields = {
  grant_id: Identifier,
  client_id: Identifier,
  sub_type: Type.Union([Type.Literal('user'), Type.Literal('organization')]),
  sub: Identifier,
  revoked_at: Timestamp,
};
const RevokedGrant = Type.Object(grantFields, closed);
const RevokedToken = Type.Object(
  { token_id: Identifier, token_sha256: Type.String(), ...grantFields },
  closed,
);
const RotatedSecret = Type.Object(
  {
    client_id: Identifier,
    secret_id: Identifier,
    revoked_secret_ids: Type.Array(Identifier),
    rotated_at: Timestamp,
  },
  closed,
);
const DisabledEndpoint = Type.Object(
  {
    endpoint_id: Identifier,
    organization_id: Identifier,
    reason: DisabledReason,
    disabled_at: Timestamp,
  },
  closed,
);
const MovedEndpoint = Type.Object(
  {
    endpoint_id: Identifier,
    organization_id: Identifier,
    pinned_version: Type.String(),
    api_version: Type.String(),
    released_version: Type.String(),
    moved_at: Timestamp,
    rehearsal: Type.Boolean(),
  },
  closed,
);
const RemovalNotice = Type.Object(
  {
    version: Type.String(),
    removed_at: Timestamp,
    days_left: Type.Integer(),
    successor: Type.String(),
    rehearsal: Type.Boolean(),
  },
  closed,
);
const Release = Type.Object(
  {
    version: Type.String(),
    released_at: Timestamp,
    deprecated_version: Type.String(),
    removed_version: orNull(Type.String()),
    rehearsal: Type.Boolean(),
  },
  closed,
);
const UndoneRelease = Type.Object(
  {
    version: Type.String(),
    undone_at: Timestamp,
    current_version: Type.String(),
    deprecated_version: Type.String(),
    rehearsal: Type.Boolean(),
  },
  closed,
);

const organizationId = 'org_0000000000000000000001';
const grant: Wire<typeof RevokedGrant> = {
  grant_id: 'gra_0000000000000000000001',
  client_id: 'cli_0000000000000000000001',
  sub_type: 'user',
  sub: 'usr_0000000000000000000001',
  revoked_at: NOON,
};
const endpoint = { endpoint_id: 'whe_0000000000000000000001', organization_id: organizationId };

/** Events about the service itself, the same in every version. */
export const serviceEvents = (version: string): EventKind[] => [
  eventKind('token.revoked', version, 'An access token was revoked', RevokedToken, {
    token_id: 'tok_0000000000000000000001',
    token_sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    ...grant,
  }),
  eventKind('grant.revoked', version, 'A grant was revoked, with all its tokens', RevokedGrant, grant),
  eventKind('client.secret_rotated', version, 'A client was given a new secret', RotatedSecret, {
    client_id: grant.client_id,
    secret_id: 'sec_0000000000000000000002',
    revoked_secret_ids: ['sec_0000000000000000000001'],
    rotated_at: NOON,
  }),
  eventKind('organization.updated', version, 'An organization was changed', Organization, {
    id: organizationId,
    name: 'Bakery',
    created_at: NOON,
  }),
  eventKind('webhook_endpoint.disabled', version, 'A webhook endpoint was disabled', DisabledEndpoint, {
    ...endpoint,
    reason: 'failing',
    disabled_at: NOON,
  }),
  eventKind(
    'webhook_endpoint.version_moved',
    version,
    'The version of a webhook endpoint was removed, and another one counts now',
    MovedEndpoint,
    {
      ...endpoint,
      pinned_version: '2026-07',
      api_version: '2026-10',
      released_version: '2027-01',
      moved_at: '2027-01-05T17:00:00.000Z',
      rehearsal: false,
    },
  ),
  eventKind('api_version.removal_notice', version, 'A version in use will be removed', RemovalNotice, {
    version: '2026-07',
    removed_at: '2027-01-05T17:00:00.000Z',
    days_left: 30,
    successor: '2026-10',
    rehearsal: false,
  }),
  eventKind('api_version.released', version, 'A version became Current', Release, {
    version: '2027-01',
    released_at: '2027-01-05T17:00:00.000Z',
    deprecated_version: '2026-10',
    removed_version: '2026-07',
    rehearsal: false,
  }),
  eventKind('api_version.release_undone', version, 'A release was taken back', UndoneRelease, {
    version: '2027-01',
    undone_at: '2027-01-05T18:00:00.000Z',
    current_version: '2026-10',
    deprecated_version: '2026-07',
    rehearsal: false,
  }),
];
