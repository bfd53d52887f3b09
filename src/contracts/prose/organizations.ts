import { describe, exampleId, type Subject } from './prose.ts';

export const organizationProse: Subject = {
  operations: {
    'organizations:list': {
      description:
        'Lists the organizations that the token reaches: those that the person has chosen, or the client’s own.',
      answers: { 200: 'A page of organizations.' },
    },
  },
  events: { 'organization.updated': 'Sent when the name of an organization changes.' },
  fields: {
    'query.cursor': describe('The next_cursor of the page before.', exampleId('org')),
    items: describe('The organizations.'),
    id: describe('The id of the organization.', exampleId('org')),
    name: describe('What the organization is called.', 'Bakery'),
    created_at: describe('When it was made.', '2026-11-15T12:00:00.000Z'),
  },
};
