import { isDeclarable } from './declarable-headers.ts';
import type { AnswerHeaders } from './types.ts';

/** Headers that say something about the answer itself. */
const PASSED_ON = [
  'content-type',
  'content-disposition',
  'content-language',
  'etag',
  'last-modified',
  'retry-after',
  'cache-control',
];

/** Where several came, they are no list (RFC 9110 §5.3): the first one counts, as in Node's own HTTP. */
const SINGLE = new Set([
  'content-type',
  'content-disposition',
  'etag',
  'last-modified',
  'location',
  'retry-after',
]);

/** What the caller gets to see of the headers of an answer: the usual ones, and those that the contract declares. */
export function answeredHeaders(headers: AnswerHeaders, declared: readonly string[]): Record<string, string> {
  const names = new Set([...PASSED_ON, ...declared.map((name) => name.toLowerCase()).filter(isDeclarable)]);
  const came = [...names].filter((name) => Object.hasOwn(headers, name));
  return Object.fromEntries(came.map((name) => [name, oneValue(name, headers)]));
}

function oneValue(name: string, headers: AnswerHeaders): string {
  const values = [headers[name] ?? []].flat();
  return SINGLE.has(name) ? (values[0] ?? '') : values.join(', ');
}
