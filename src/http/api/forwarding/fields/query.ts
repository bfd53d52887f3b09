import { isDeepStrictEqual } from 'node:util';
import { isJsonType, type Json, type Operation, type ValueStyle } from '@dateline/versions';
import { ApiError } from '../../../../errors/api-error.ts';
import { hasTooManyPairs, PAIRS_MAX } from '../../../../kernel/url.ts';
import { isObject } from '../json-in.ts';
import { decodeText, pairsIn } from './pairs-in.ts';
import {
  createNameCheck,
  createPairReader,
  type PairRules,
  type ReadPairs,
  type SentPair,
} from './read-pairs.ts';

/** Reads the queries of one operation by its contract. */
export function createQueryReader(operation: Operation): (url: string) => ReadPairs {
  const read = createPairReader(rulesOf(operation));
  return (url) => {
    const [, query = ''] = url.includes('?') ? (/^[^?#]*\?([^#]*)/.exec(url) ?? []) : [];
    if (query === '') return { values: {}, pairs: NO_PAIRS, taken: NONE, unknown: NONE };
    if (hasTooManyPairs(query))
      throw new ApiError('invalid_request', { detail: `The query has more than ${PAIRS_MAX} parameters.` });
    return read(pairsIn(query, 'query'));
  };
}

function rulesOf({ query, styles }: Operation): PairRules {
  return { schema: query ?? {}, styles: styles?.query, decode: decodeText };
}

const NO_PAIRS: ReadPairs['pairs'] = new Map();
const NONE: readonly never[] = [];

export type SentQuery = Pick<ReadPairs, 'values' | 'pairs' | 'taken'>;

/**
 * Writes queries for the upstream. What no change has made another value of is sent as it came, in its spelling and with all digits of
 * its numbers; the rest in the style of the upstream's contract. What that contract does not have is left out.
 */
export function createQueryWriter(
  caller: Operation,
  head: Operation,
): (query: Json, sent: SentQuery) => string {
  const isInHead = (name: string): boolean => Object.hasOwn(Object(head.query?.properties ?? {}), name);
  const styleOf = (name: string): ValueStyle | undefined => ownStyle(isInHead(name) ? head : caller, name);
  const isKept = (name: string): boolean => isSameStyle(styleOf(name), ownStyle(caller, name));
  const names = Object.keys(Object(caller.query?.properties ?? {}));
  const areAllKept = names.every((name) => isInHead(name) && isKept(name));
  // It may be what the upstream's contract has as a member of another parameter.
  const meansAnything = createNameCheck(rulesOf(head));
  return (query, sent) => {
    if (areAllKept && query === sent.values) return sent.taken.map(asSent).join('&');
    return Object.keys(query)
      .flatMap((name) => {
        // By value: functions of changes get copies.
        const isSame = isKept(name) && isDeepStrictEqual(query[name], sent.values[name]);
        const pairs = isSame ? sent.pairs.get(name) : undefined;
        const texts = pairs?.map(asSent) ?? written(name, query[name], styleOf(name) ?? USUAL);
        return isInHead(name) ? texts : texts.filter((text) => meansAnything(nameIn(text)));
      })
      .join('&');
  };
}

const USUAL: ValueStyle = { style: 'form', explode: true };

/** Some servers read a semicolon as the end of a pair: a parameter that the contract does not know could stand behind it. */
const asSent = ({ text }: SentPair): string => text.replaceAll(';', '%3B');

function nameIn(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return decodeText(name);
}

function ownStyle({ styles }: Operation, name: string): ValueStyle | undefined {
  return styles?.query && Object.hasOwn(styles.query, name) ? styles.query[name] : undefined;
}

function isSameStyle(one: ValueStyle | undefined, other: ValueStyle | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** As they are sent; RFC 6570 and OpenAPI 3.1 §4.8.12.3. */
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

function written(name: string, value: unknown, style: ValueStyle): string[] {
  if (value === undefined) return [];
  if ('mediaType' in style)
    return [pair(name, isJsonType(style.mediaType) ? JSON.stringify(value) : textOf(value))];
  if (style.style === 'deepObject') return writtenDeep(encoded(name), value);
  if (style.explode) return writtenExploded(name, value);
  const delimiter = DELIMITERS[style.style] ?? ',';
  const parts = isObject(value) ? membersOf(value).flat() : [value].flat();
  return [`${encoded(name)}=${parts.map((part) => encoded(textOf(part))).join(delimiter)}`];
}

/** Without those that a change has left without a value. */
function membersOf(value: Json): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

function writtenExploded(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (isObject(value)) return Object.keys(value).flatMap((member) => writtenExploded(member, value[member]));
  return [value].flat().map((item) => pair(name, textOf(item)));
}

function writtenDeep(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => writtenDeep(`${name}[${index}]`, item));
  if (isObject(value))
    return Object.keys(value).flatMap((member) => writtenDeep(`${name}[${encoded(member)}]`, value[member]));
  return [`${name}=${encoded(textOf(value))}`];
}

const pair = (name: string, text: string): string => `${encoded(name)}=${encoded(text)}`;
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return value === null ? '' : String(value);
}
