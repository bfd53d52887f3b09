import {
  apiVersion,
  type Change,
  type Contract,
  compileApi,
  type Operation,
  toOpenApi,
} from '@dateline/versions';

const [older, newer] = [apiVersion('2026-01'), apiVersion('2026-04')];

// The newest contract: a book has a list of authors.
const readBook: Operation = {
  id: 'books:read',
  method: 'GET',
  path: '/books/{id}',
  summary: 'Read a book',
  groups: ['books'],
  security: { scheme: 'none' },
  query: null,
  body: null,
  responses: {
    200: {
      mediaType: 'application/json',
      schema: bookWith({ authors: { type: 'array', items: { type: 'string' } } }),
    },
  },
  errors: { 404: ['not_found'] },
};

const newest: Contract = {
  version: newer,
  errorShape: { name: 'plain', mediaType: 'application/json', schema: { type: 'object' } },
  operations: [readBook],
  events: [],
};

// The one before it, as it was frozen: a book has one author.
const frozen: Contract = {
  ...newest,
  version: older,
  operations: [
    {
      ...readBook,
      responses: { 200: { mediaType: 'application/json', schema: bookWith({ author: { type: 'string' } }) } },
    },
  ],
};

// The difference, and the code that bridges it.
export const replaceAuthorWithAuthors: Change = {
  name: 'replaceAuthorWithAuthors',
  kind: 'changed',
  summary: 'A book has a list of authors instead of one author.',
  why: 'Many books have several.',
  upgradeNote: 'Read authors[0] where you read author.',
  examples: [
    {
      before: { answerTo: 'GET /books/{id}', status: 200, body: { author: 'Terry Pratchett' } },
      after: { answerTo: 'GET /books/{id}', status: 200, body: { authors: ['Terry Pratchett'] } },
    },
  ],
  touches: ['books:read.responses.200.schema'],
  downgradeResponse: {
    'books:read': ({ authors, ...book }) => ({ ...book, author: (authors as string[]).join(' and ') }),
  },
};

/** The API of a library, in two versions. */
export function compileLibrary(changes: readonly Change[]) {
  return compileApi({
    documents: [frozen, newest].map((contract) => toOpenApi(contract, 'Library')),
    changeSets: [{ newer, older, changes }],
  });
}

function bookWith(author: object) {
  const properties = { id: { type: 'string' }, title: { type: 'string' }, ...author };
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}
