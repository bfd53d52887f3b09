import { Type } from 'typebox';
import type { KnownScopes } from '../../environments/known-scopes.ts';
import { grantTypes, signingAlgorithms } from '../../oauth/types.ts';
import { RETENTION_DAYS } from '../../usage/failures/keep-failures.ts';
import { AnyId, closed, describe, Name, object, oneOf, optional, orNull, Text, Time } from './fields.ts';
import { nameField } from './names.ts';

const Algorithm = oneOf(signingAlgorithms);
const Kind = oneOf(['confidential', 'public', 'resource_server']);
const KIND =
  'confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.';

const termsWith = ({ all }: KnownScopes) => ({
  grant_types: optional(
    Type.Array(Type.Enum(grantTypes), { maxItems: 10 }),
    'How it may get tokens; if left out, what is usual for its kind.',
  ),
  scopes: optional(
    Type.Array(Type.Enum(all), { maxItems: 50 }),
    'What its tokens may be allowed to do; if left out, everything, and nothing for a resource server.',
  ),
  redirect_uris: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { maxItems: 20 }),
    'Where people may be sent back to; compared character by character.',
  ),
  audiences: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 400 }), { maxItems: 20 }),
    'Of a resource server: the aud of the tokens that are meant for it.',
  ),
  require_pkce: optional(
    Type.Boolean(),
    'False lets a client with a secret get codes without PKCE; true if left out.',
  ),
  id_token_signed_response_alg: optional(
    Algorithm,
    'The algorithm that signs its id_tokens; ES256 if left out.',
  ),
});

export const newClientWith = (known: KnownScopes) =>
  object({
    organization_id: describe(AnyId, 'The organization that it belongs to.'),
    name: describe(Name, 'The name that users see on the consent page.'),
    kind: describe(Kind, KIND),
    ...termsWith(known),
  });

export const changesWith = (known: KnownScopes) =>
  Type.Object(
    {
      name: optional(Name, 'The name that users see on the consent page.'),
      ...termsWith(known),
      limits: optional(
        Type.Null(),
        'Null lifts what was set before: the client may change all of its registration again.',
      ),
    },
    { ...closed, minProperties: 1 },
  );

export type NewClient = Type.Static<ReturnType<typeof newClientWith>>;
export type Changes = Type.Static<ReturnType<typeof changesWith>>;

const clientFields = {
  id: describe(Text, 'Begins with cli_.'),
  organization_id: describe(Text, 'The organization that it belongs to.'),
  organization_name: nameField('The name of that organization; null if it is gone.'),
  name: describe(Text, 'The name that users see on the consent page.'),
  kind: describe(Kind, KIND),
  grant_types: describe(Type.Array(Text), 'How it may get tokens.'),
  scopes: describe(Type.Array(Text), 'What its tokens may be allowed to do.'),
  redirect_uris: describe(Type.Array(Text), 'Where people may be sent back to.'),
  audiences: describe(Type.Array(Text), 'Of a resource server: the aud of the tokens that are meant for it.'),
  require_pkce: describe(Type.Boolean(), 'Whether it must use PKCE to get a code.'),
  id_token_signed_response_alg: describe(Algorithm, 'The algorithm that signs its id_tokens.'),
  disabled_at: describe(orNull(Time), 'Since when it is disabled; null if it is not.'),
  created_at: describe(Time, 'When it was created.'),
};
const secretFields = {
  secret_id: describe(Text, 'The id of the new secret; begins with sec_.'),
  client_secret: describe(Text, 'The secret itself. It is shown only in this answer.'),
};
export const LiveSecret = object({
  id: describe(Text, 'Begins with sec_.'),
  created_at: describe(Time, 'When it was made.'),
  last_used_at: describe(orNull(Time), 'When it was last used, to the minute; null if it never was.'),
});

export const Client = object(clientFields);
export const ListedClient = object({
  ...clientFields,
  last_failure: describe(
    orNull(
      object({
        at: describe(Time, 'When it ended.'),
        operation: describe(orNull(Text), 'The operation; null if none matched.'),
        status: describe(Type.Integer(), 'The status; 499 if the caller had gone.'),
        code: describe(orNull(Text), 'The code of the error; null if there is none.'),
      }),
    ),
    `Its last request of the last ${RETENTION_DAYS} days that failed; null if none did. One that only named it, with a wrong secret, counts too. What failed in the last two seconds may be missing.`,
  ),
});
export const CreatedClient = object({
  ...clientFields,
  secret_id: Type.Optional(secretFields.secret_id),
  client_secret: Type.Optional(secretFields.client_secret),
});
const Limits = object({
  name: describe(orNull(Text), 'The name that it has to keep; null if it may choose one.'),
  grant_types: describe(orNull(Type.Array(Text)), 'How it may get tokens at most; null for no limit.'),
  scopes: describe(
    orNull(Type.Array(Text)),
    'What its tokens may be allowed to do at most; null for no limit.',
  ),
  redirect_uris: describe(
    orNull(Type.Array(Text)),
    'Where people may be sent back to at most; null for no limit.',
  ),
  require_pkce: describe(
    orNull(Type.Boolean()),
    'True if PKCE has to stay required; false or null if the client may choose.',
  ),
});
export const ClientWithSecrets = object({
  ...clientFields,
  limits: describe(Limits, 'What an operator has set, and its own registration cannot exceed.'),
  secrets: describe(Type.Array(LiveSecret), 'Its live secrets, by id: never their values.'),
});
export const RotatedSecret = object({
  client_id: describe(Text, 'The client.'),
  ...secretFields,
  revoked_secret_ids: describe(Type.Array(Text), 'Older secrets that this revoked: at most two are live.'),
});
export const RevokedSecret = object({
  client_id: describe(Text, 'The client.'),
  secret_id: describe(Text, 'The secret that was revoked.'),
  revoked: describe(Type.Literal(true), 'It is revoked.'),
});
