import { Type } from 'typebox';
import { CursorPagination, closed, cursorQuery, Identifier, Timestamp } from './fields.ts';
import { actionErrors, bearer, internal, json, operations, query, readErrors } from './operation-parts.ts';

const Grant = Type.Object(
  {
    id: Identifier,
    client_id: Identifier,
    client_name: Type.String(),
    scopes: Type.Array(Type.String()),
    organizations: Type.Array(Identifier),
    audience: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  closed,
);

/** Any token will do for its own grant. For the others of its user it needs the scope grants:manage. */
const anyToken = bearer();
const { 403: _noScope, ...listErrors } = readErrors;

/** In older versions any token of a user reaches all of the user's grants to its client. */
const command = internal({ grantsOfClient: Type.Optional(Type.Boolean()) });

export const grantOperations = operations({
  'oauth2:list_grants': {
    method: 'GET',
    path: '/v1/oauth2/grants',
    summary: 'List the grant of the token; with grants:manage all live grants of its user',
    groups: ['oauth2', 'public'],
    security: anyToken,
    query: query(cursorQuery),
    body: null,
    command,
    responses: {
      200: json(Type.Object({ items: Type.Array(Grant), pagination: CursorPagination }, closed)),
    },
    errors: listErrors,
  },
  'oauth2:end_grant': {
    method: 'DELETE',
    path: '/v1/oauth2/grants/{id}',
    summary: 'End a grant and all its tokens; one that is not the token’s own needs grants:manage',
    groups: ['oauth2', 'public'],
    security: anyToken,
    query: null,
    body: null,
    command,
    responses: { 204: null },
    errors: actionErrors,
  },
});
