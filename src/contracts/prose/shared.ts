import { describe, exampleId, type Fields } from './prose.ts';

/** Fields with the same meaning wherever they occur. */
export const sharedFields: Fields = {
  'query.limit': describe('How many items a page has at most; 50 where it is left out.', 10),
  'query.page': { ...describe('The number of the page; the first is 1.', 1), lastIn: '2026-10' },
  'query.organization_id': describe(
    'Only what belongs to this organization; all organizations of the token where it is left out.',
    exampleId('org'),
  ),
  'header.Idempotency-Key': describe(
    'Makes a retry safe: a second request with the same key gets the answer of the first one, and nothing is done twice. A key is kept for 24 hours; with another body or in another API version it is refused.',
    'order-4711',
  ),
  pagination: describe('Which page this is, and how to get the others.'),
  'pagination.next_cursor': describe('Send it as cursor to get the next page; null on the last one.', null),
  'pagination.page': { ...describe('The number of this page.', 1), lastIn: '2026-10' },
  'pagination.limit': { ...describe('How many items a page has at most.', 50), lastIn: '2026-10' },
  'pagination.total_count': { ...describe('How many items there are on all pages.', 1), lastIn: '2026-10' },
  'pagination.max_page': { ...describe('The number of the last page.', 1), lastIn: '2026-10' },

  'event.type': describe('The kind of the event.'),
  'event.api_version': describe(
    'The version that the payload is written in: the one of the webhook endpoint.',
  ),
  'event.timestamp': describe('When it happened.', '2026-11-15T12:00:00.000Z'),
  'event.data': describe('What it happened to, as it was then.'),
  'event.test': describe('True in an example that was asked for; absent where something has happened.'),
};

/** The fields of error bodies, by the name of their shape. */
export const errorFields: Fields = {
  'plain.error': describe('What is wrong, for programs: a code that stays the same.'),
  'plain.detail': describe('What is wrong, for people. The text may change.'),
  'problem.type': describe('What is wrong, as a URN that ends with the code.'),
  'problem.title': describe('What the code means.'),
  'problem.status': describe('The HTTP status.'),
  'problem.detail': describe('What is wrong, for people. The text may change.'),
  'problem.code': describe('What is wrong, for programs: a code that stays the same.'),
  'oauth.error': describe('What is wrong, for programs: a code of RFC 6749, or of an extension of it.'),
  'oauth.error_description': describe('What is wrong, for people. The text may change.'),
  'version_not_found.error': describe('Tells it apart from a resource that does not exist.'),
  'version_not_found.detail': describe('What is wrong, for people.'),
  'version_not_found.reason': describe(
    'Whether the header is no version, names one that never was, or one that was removed.',
  ),
  'version_not_found.supported': describe('The versions that are served, oldest first.'),
  'version_not_found.current': describe('The version of requests without the header.'),
  'version_not_found.removed_at': describe('When the version was removed, where that is the reason.'),
};
