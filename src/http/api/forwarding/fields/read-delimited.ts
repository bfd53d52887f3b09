import type { TextShape } from '@dateline/versions';
import { readText } from './read-text.ts';

/** A list or an object in one text. */
export interface Delimited {
  shape: TextShape;
  /** As it was sent. Beside one that is not encoded, a delimiter that is encoded is part of an item. */
  raw: string;
  delimiter: RegExp;
  encodedDelimiter?: RegExp | undefined;
  /** True where names and values of an object are joined by `=`. */
  explode?: boolean;
  decode(raw: string): string;
}

/** `a,b`, `a%20b`, `a|b`, or `name,value,name,value`. Nothing is an empty list. */
export function readDelimited(sent: Delimited): unknown {
  const { shape, raw, delimiter, encodedDelimiter, decode } = sent;
  if (!shape.takes('array', 'object')) return readText(shape, decode(raw));
  if (!delimiter.test(raw) && encodedDelimiter?.test(raw)) {
    // Many clients encode all of them: a query or a form that is made of `a,b` has no other way to say it.
    const value = readParts(sent, raw.split(encodedDelimiter).map(decode));
    if (shape.fits(value)) return value;
  }
  const parts = raw === '' ? [] : raw.split(delimiter).map(decode);
  if (parts.length < 2 && shape.takes('string', 'integer', 'number', 'boolean', 'null')) {
    const value = readText(shape, decode(raw));
    if (shape.fits(value)) return value;
  }
  return readParts(sent, parts);
}

function readParts({ shape, explode }: Delimited, parts: readonly string[]): unknown {
  if (shape.takes('array')) return parts.map((part) => readText(shape.items, part));
  const pairs = explode ? parts.map(splitPair) : pairsOf(parts);
  return Object.fromEntries(pairs.map(([name, text]) => [name, readText(shape.property(name), text)]));
}

function splitPair(part: string): [string, string] {
  const [name = '', ...value] = part.split('=');
  return [name, value.join('=')];
}

function pairsOf(parts: readonly string[]): [string, string][] {
  return parts.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, parts[at + 1] ?? '']] : []));
}
