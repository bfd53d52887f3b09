import { exampleId, type Subject, says } from './prose.ts';

/** Who owns clients and webhook endpoints. */
export const organizationProse: Subject = {
  operations: {
    'organizations:list': {
      says: 'Lists the organizations that the token reaches: those that the person has chosen, or the client’s own.',
      answers: { 200: 'A page of organizations.' },
    },
  },
  events: { 'organization.updated': 'Sent when the name of an organization changes.' },
  fields: {
    'query.cursor': says('The next_cursor of the page before.', exampleId('org')),
    items: says('The organizations.'),
    id: says('The id of the organization.', exampleId('org')),
    name: says('What the organization is called.', 'Bakery'),
    created_at: says('When it was made.', '2026-11-15T12:00:00.000Z'),
  },
};
