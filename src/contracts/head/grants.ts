import { Type } from 'typebox';
import { closed, Identifier, Timestamp } from './fields.ts';
import { actionErrors, bearer, json, operations, query, readErrors } from './operation-parts.ts';
import { CursorPagination, cursorQuery } from './pagination.ts';

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

/** Any token will do, without a scope: users may list and revoke what was granted in their name. */
const anyToken = bearer();
const { 403: _noScope, ...listErrors } = readErrors;
const { 403: _noScopeEither, ...endErrors } = actionErrors;

/** The same in every version, paging included. */
export const grantOperations = operations({
  'oauth2:list_grants': {
    method: 'GET',
    path: '/v1/oauth2/grants',
    summary: 'List the live grants of the token’s subject',
    groups: ['oauth2', 'public'],
    security: anyToken,
    query: query(cursorQuery),
    body: null,
    responses: {
      200: json(Type.Object({ items: Type.Array(Grant), pagination: CursorPagination }, closed)),
    },
    errors: listErrors,
  },
  'oauth2:end_grant': {
    method: 'DELETE',
    path: '/v1/oauth2/grants/{id}',
    summary: 'End a grant and all its tokens',
    groups: ['oauth2', 'public'],
    security: anyToken,
    query: null,
    body: null,
    responses: { 204: null },
    errors: endErrors,
  },
});
