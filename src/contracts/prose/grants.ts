import { exampleId, type Subject, says } from './prose.ts';

/** What people have allowed clients to do. */
export const grantProse: Subject = {
  operations: {
    'oauth2:list_grants': {
      says: 'A grant is what a person has allowed a client, or a client’s own access. Grants that have ended are not listed.',
      answers: { 200: 'A page of grants.' },
    },
    'oauth2:end_grant': {
      says: 'Ends a grant with all its tokens, at once and for good.',
      answers: { 204: 'It has ended.' },
    },
  },
  events: {},
  fields: {
    'query.cursor': says('The next_cursor of the page before.', exampleId('gra')),
    'path.id': says('The id of the grant.', exampleId('gra')),
    items: says('The grants.'),
    id: says('The id of the grant.', exampleId('gra')),
    client_id: says('The id of the client that has it.', exampleId('cli')),
    client_name: says('What that client is called.', 'Order desk'),
    scopes: says('What the client may do.', ['openid', 'webhooks:read']),
    organizations: says('The ids of the organizations in which it may do so.', [exampleId('org')]),
    audience: says('Who its tokens are for: the client, or a resource server.', exampleId('cli')),
    created_at: says('When it was allowed.', '2026-11-15T12:00:00.000Z'),
    expires_at: says('When it ends by itself.', '2027-02-13T12:00:00.000Z'),
  },
};
