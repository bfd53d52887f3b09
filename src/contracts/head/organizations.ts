import { Type } from 'typebox';
import { CursorPagination, closed, Identifier, idCursorQuery, numberedPage, Timestamp } from './fields.ts';
import { bearer, json, operations, query, readErrors } from './operation-parts.ts';

export const Organization = Type.Object(
  { id: Identifier, name: Type.String(), created_at: Timestamp },
  closed,
);

export const organizationOperations = operations({
  'organizations:list': {
    ...numberedPage,
    method: 'GET',
    path: '/v1/organizations/',
    summary: 'List the organizations of the token',
    groups: ['organizations', 'public'],
    security: bearer('organizations:read'),
    query: query(idCursorQuery('org')),
    body: null,
    responses: {
      200: json(Type.Object({ items: Type.Array(Organization), pagination: CursorPagination }, closed)),
    },
    errors: readErrors,
  },
});
