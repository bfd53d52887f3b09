import { Type } from 'typebox';
import type { Environment } from '../../../environments/environment.ts';
import { searchOrganizations, searchUsers } from '../../../identity/store.ts';
import { searchClients } from '../../../oauth/clients/clients/store.ts';
import { type FailureKeeper, RETENTION_DAYS } from '../../../usage/failures/keep-failures.ts';
import { searchEndpoints } from '../../../webhooks/oversight/store.ts';
import type { App } from '../../app/create-app.ts';
import { describe, object, oneOf, orNull, Printable, Text } from '../fields.ts';
import { operationsOf } from '../operation.ts';
import {
  type Found,
  foundKinds,
  inWords,
  isOurRequestId,
  requestsNamed,
  thingById,
  tokenByValue,
} from './found-things.ts';
import { secretNotice } from './secret-notice.ts';

const LIMIT = 5;

const Asked = object({
  text: describe(
    Type.String({ minLength: 2, maxLength: 2_000, pattern: Printable }),
    'An id, an X-Request-Id, the beginnings of words of a name or an address, a whole redirect URI, or a token.',
  ),
});

const Thing = object({
  kind: describe(oneOf(foundKinds), 'What it is.'),
  id: describe(Text, 'Its id; of a request its X-Request-Id.'),
  name: describe(Text, 'Its name, address or type; of a token or a grant the name of its client.'),
  detail: describe(Text, 'More about it: its state, for example.'),
  by: describe(
    oneOf(['id', 'words']),
    'Whether it was found by its id, or by its words; an X-Request-Id that the caller chose counts as words.',
  ),
});

const Results = object({
  items: describe(
    Type.Array(Thing),
    `What was found, at most ${LIMIT} of each kind. By an id, it is found alone.`,
  ),
  more: describe(Type.Array(oneOf(foundKinds)), 'The kinds of which there are more.'),
  notice: describe(orNull(Text), 'What to do instead, if the text is a secret, for example.'),
});

interface Answer {
  items: Found[];
  more: Found['kind'][];
  notice: string | null;
}

const NOTHING: Answer = { items: [], more: [], notice: null };

/** One search for everything. The text is in the body: it may be a token, and addresses end up in logs. */
export function searchRoutes(app: App, environment: Environment, failures: FailureKeeper): void {
  const operation = operationsOf(app, 'Search');

  operation(
    'POST /operator/search',
    {
      id: 'search',
      needs: 'viewer',
      summary: 'Find a thing by its id, its name or its address',
      description:
        'The text is sent in the body, because addresses end up in logs. A token is found by itself; no other secret is searched for.',
      body: Asked,
      answer: { description: 'What was found.', body: Results },
    },
    async ({ body: { text } }) => search(environment, failures, text.trim().replace(/^Bearer\s+/i, '')),
  );
}

async function search(environment: Environment, failures: FailureKeeper, text: string): Promise<Answer> {
  const token = await tokenByValue(environment, text);
  if (token) return { ...NOTHING, items: [token] };
  const notice = secretNotice(environment.name, text);
  if (notice !== null) return { ...NOTHING, notice };
  // Failed requests are stored a moment later, and somebody may look for one at once.
  if (/^\S{8,}$/.test(text)) await failures.flush();
  const thing = await thingById(environment, text);
  if (thing) return { ...NOTHING, items: [thing] };
  if (isOurRequestId(text)) return { ...NOTHING, notice: NO_SUCH_REQUEST };
  return searchWords(environment, text);
}

const NO_SUCH_REQUEST = `No request with this id has failed in the last ${RETENTION_DAYS} days; those that succeed are only in the log.`;

async function searchWords({ session }: Environment, text: string): Promise<Answer> {
  const found: Found[][] = [
    (await searchClients(session, text, LIMIT)).map(inWords.client),
    (await searchOrganizations(session, text, LIMIT)).map(inWords.organization),
    (await searchUsers(session, text, LIMIT)).map(inWords.user),
    (await searchEndpoints(session, text, LIMIT)).map(inWords.webhook_endpoint),
    await requestsNamed(session, text),
  ];
  return {
    items: found.flatMap((some) => some.slice(0, LIMIT)),
    more: found.flatMap((some) => some.slice(LIMIT).map(({ kind }) => kind)),
    notice: null,
  };
}
