import { describe, exampleId, type Subject } from './prose.ts';

export const grantProse: Subject = {
  operations: {
    'oauth2:list_grants': {
      description:
        'A grant is what a person has allowed a client, or a client’s own access. Grants that have ended are not listed.',
      answers: { 200: 'A page of grants.' },
    },
    'oauth2:end_grant': {
      description: 'Ends a grant with all its tokens, at once and for good.',
      answers: { 204: 'It has ended.' },
    },
  },
  events: {},
  fields: {
    'query.cursor': describe('The next_cursor of the page before.', exampleId('gra')),
    'path.id': describe('The id of the grant.', exampleId('gra')),
    items: describe('The grants.'),
    id: describe('The id of the grant.', exampleId('gra')),
    client_id: describe('The id of the client that has it.', exampleId('cli')),
    client_name: describe('What that client is called.', 'Order desk'),
    scopes: describe('What the client may do.', ['openid', 'webhooks:read']),
    organizations: describe('The ids of the organizations in which it may do so.', [exampleId('org')]),
    audience: describe('Who its tokens are for: the client, or a resource server.', exampleId('cli')),
    created_at: describe('When it was allowed.', '2026-11-15T12:00:00.000Z'),
    expires_at: describe('When it ends by itself.', '2027-02-13T12:00:00.000Z'),
  },
};
