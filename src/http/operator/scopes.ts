import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import type { App } from '../app/create-app.ts';
import { describe, object, pageOf, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const ScopeBody = object({
  name: describe(Text, 'Its name, as clients ask for it.'),
  description: describe(Text, 'What it allows, as users read it on the consent page.'),
  about_people: describe(
    Type.Boolean(),
    'True if it is about a user: a client that acts for itself never gets it.',
  ),
});

/** The scopes that clients may have. */
export function scopeRoutes(app: App, { scopes }: Environment): void {
  operationsOf(app, 'Clients')(
    'GET /operator/scopes',
    {
      id: 'list_scopes',
      needs: 'viewer',
      summary: 'List the scopes that clients may have',
      answer: { description: 'The scopes, all on one page.', body: pageOf(ScopeBody) },
    },
    async () => ({
      items: scopes.all.map((name) => ({
        name,
        description: scopes.wordsFor(name),
        about_people: scopes.ofPeople.includes(name),
      })),
      pagination: { next_cursor: null },
    }),
  );
}
