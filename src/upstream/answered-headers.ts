import type { AnswerHeaders } from '../outbound/exchange.ts';
import { isDeclarable } from './declarable-headers.ts';

/** Headers that say something about the answer itself. */
const PASSED_ON = [
  'content-type',
  'content-disposition',
  'content-language',
  'etag',
  'last-modified',
  'retry-after',
  'cache-control',
  'vary',
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

export type HeaderPicker = (headers: AnswerHeaders) => Record<string, string>;

/** Picks the headers of an answer that the caller gets: the usual ones, and those that the contract declares. */
export function answeredHeadersOf(declared: readonly string[]): HeaderPicker {
  return pickerOf([...new Set([...PASSED_ON, ...declarable(declared)])]);
}

/** Picks those that the contract declares. */
export function declaredHeadersOf(declared: readonly string[]): HeaderPicker {
  return pickerOf(declarable(declared));
}

function declarable(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase()).filter(isDeclarable);
}

function pickerOf(names: readonly string[]): HeaderPicker {
  return (headers) => {
    const picked: Record<string, string> = {};
    for (const name of names) if (Object.hasOwn(headers, name)) picked[name] = oneValue(name, headers[name]);
    return picked;
  };
}

function oneValue(name: string, value: AnswerHeaders[string]): string {
  if (typeof value === 'string') return value;
  const values = value ?? [];
  return SINGLE.has(name) ? (values[0] ?? '') : values.join(', ');
}
