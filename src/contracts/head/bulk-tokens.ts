import { Type } from 'typebox';
import { AnyIdentifier, closed, Timestamp } from './fields.ts';
import { clientErrors, Introspection, oauthErrors } from './oauth.ts';
import { json, operations } from './operation-parts.ts';

/** As at the operations for one token, but in JSON. RFC 6749, appendix A: an id is printable ASCII. */
const ClientFields = {
  client_id: Type.String({ minLength: 1, pattern: '^[ -~]*$' }),
  client_secret: Type.String({ minLength: 1 }),
};

/** Text of any length that is no token is unknown, not invalid; only the size of the body is limited. */
const Token = Type.String({ minLength: 1 });

// Unknown fields are refused: a selector that is mistyped must not select more.
const Introspections = Type.Object(
  { ...ClientFields, tokens: Type.Array(Token, { minItems: 1, maxItems: 100 }) },
  closed,
);

/** At least one of subject, organization_id and issued_before; the server checks it. */
const Revocation = Type.Object(
  {
    ...ClientFields,
    subject: Type.Optional(AnyIdentifier),
    organization_id: Type.Optional(AnyIdentifier),
    issued_before: Type.Optional(Timestamp),
    dry_run: Type.Optional(Type.Boolean()),
    cursor: Type.Optional(AnyIdentifier),
  },
  closed,
);

const Revoked = Type.Object(
  {
    dry_run: Type.Boolean(),
    grants: Type.Integer(),
    tokens: Type.Integer(),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
);

const { 401: _noClient, ...openErrors } = clientErrors;

const shared = {
  method: 'POST',
  security: { scheme: 'none' },
  query: null,
  errorShape: oauthErrors,
} as const;

export const bulkTokenOperations = operations({
  'oauth2:introspect_tokens': {
    ...shared,
    path: '/v1/oauth2/introspections',
    summary: 'Introspect up to 100 tokens',
    groups: ['OpenID Connect'],
    body: json(Introspections),
    responses: { 200: json(Type.Object({ introspections: Type.Array(Introspection) }, closed)) },
    errors: clientErrors,
  },
  'oauth2:revoke_tokens': {
    ...shared,
    path: '/v1/oauth2/revocations',
    summary: 'Revoke all tokens of a subject, of an organization or from before a time',
    groups: ['oauth2', 'public'],
    body: json(Revocation),
    responses: { 200: json(Revoked) },
    errors: clientErrors,
  },
  'oauth2:report_leak': {
    ...shared,
    path: '/v1/oauth2/report-leak',
    summary: 'Report a token that has leaked',
    groups: ['oauth2', 'public'],
    body: json(Type.Object({ token: Token }, closed)),
    responses: { 200: json(Type.Object({}, closed)) },
    errors: openErrors,
  },
});
