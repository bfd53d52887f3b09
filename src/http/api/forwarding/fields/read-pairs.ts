import {
  isJsonType,
  type Json,
  type JsonSchema,
  TextShape,
  type ValueStyle,
  type ValueStyles,
} from '@dateline/versions';
import { type DeepText, deepName, readDeep } from './read-deep.ts';
import { readDelimited } from './read-delimited.ts';
import { jsonOf, readTexts, repeated } from './read-text.ts';

/** A name and a value of a query or a form. */
export interface SentPair {
  name: string;
  /** The value as it was sent: its delimiters are those that are not encoded. */
  raw: string;
  /** The whole pair as it was sent. */
  text: string;
}

export interface ReadPairs {
  values: Json;
  /** The pairs that each value was made of. */
  pairs: ReadonlyMap<string, readonly SentPair[]>;
  /** All of those, in the order in which they were sent. */
  taken: readonly SentPair[];
  /** Names that mean nothing here. */
  unknown: readonly string[];
}

export interface PairRules {
  /** An object schema whose properties are the values. */
  schema: JsonSchema;
  styles?: ValueStyles | undefined;
  /** In a query, an object is sent property by property; in a form it is JSON, unless the contract says otherwise. */
  isForm?: boolean;
  decode(raw: string): string;
}

/** Takes each pair to the value that it belongs to, and reads the values by their schemas and styles. */
export function createPairReader(rules: PairRules): (sent: readonly SentPair[]) => ReadPairs {
  // Made when they are first needed: an API may have thousands of them.
  let made: { readers: Map<string, ValueReader>; owners: OwnerOf } | undefined;
  return (sent) => {
    made ??= make();
    const { readers, owners } = made;
    const pairs = new Map<string, SentPair[]>();
    const taken: SentPair[] = [];
    const unknown = new Set<string>();
    for (const pair of sent) {
      const owner = owners(pair.name);
      if (owner === null) unknown.add(pair.name);
      else addTo(pairs, owner, pair);
      if (owner !== null) taken.push(pair);
    }
    const values = [...pairs].map(([name, own]) => [name, readerFor(readers, name, rules).read(own)]);
    return { values: Object.fromEntries(values), pairs, taken, unknown: [...unknown] };
  };

  function make() {
    const readers = valueReaders(rules);
    return { readers, owners: ownersOf(readers, rules) };
  }
}

/** The value that a name belongs to; null if it means nothing here. */
type OwnerOf = (name: string) => string | null;

/** Says whether a name means anything. */
export function createNameCheck(rules: PairRules): (name: string) => boolean {
  let owners: OwnerOf | undefined;
  return (name) => {
    owners ??= ownersOf(valueReaders(rules), rules);
    return owners(name) !== null;
  };
}

function ownersOf(known: ReadonlyMap<string, ValueReader>, { isForm }: PairRules): OwnerOf {
  const members = new Map(
    [...known].flatMap(([name, { members }]) => members.map((member) => [member, name])),
  );
  const open = [...known].find(([, { takesOthers }]) => takesOthers)?.[0] ?? null;
  return (name) => {
    const reader = known.get(name);
    if (reader && !reader.isSpread) return name;
    const base = deepName(name)?.base;
    if (base !== undefined && known.get(base)?.isDeep) return base;
    return members.get(name) ?? open ?? (isForm ? name : null);
  };
}

function addTo(groups: Map<string, SentPair[]>, name: string, pair: SentPair): void {
  const group = groups.get(name);
  if (group) group.push(pair);
  else groups.set(name, [pair]);
}

/** Reads one value from its pairs. */
interface ValueReader {
  read(pairs: readonly SentPair[]): unknown;
  /** The names by which its properties are sent. */
  members: readonly string[];
  takesOthers: boolean;
  /** True for an object that is sent by the names of its properties alone. */
  isSpread: boolean;
  isDeep: boolean;
}

function valueReaders(rules: PairRules): Map<string, ValueReader> {
  const shape = TextShape.of(rules.schema);
  const names = new Set([...shape.names, ...Object.keys(rules.styles ?? {})]);
  return new Map([...names].map((name) => [name, valueReader(name, shape.property(name), rules)]));
}

/** A form may have fields that its schema does not name. */
function readerFor(
  readers: ReadonlyMap<string, ValueReader>,
  name: string,
  { schema, decode }: PairRules,
): Pick<ValueReader, 'read'> {
  const known = readers.get(name);
  if (known) return known;
  const shape = TextShape.of(schema).property(name);
  return {
    read: (pairs) =>
      readTexts(
        shape,
        pairs.map(({ raw }) => decode(raw)),
        name,
      ),
  };
}

const PLAIN = { members: [], takesOthers: false, isSpread: false, isDeep: false };

function valueReader(
  name: string,
  shape: TextShape,
  { styles = {}, isForm, decode }: PairRules,
): ValueReader {
  const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
  const texts = (pairs: readonly SentPair[]): string[] => pairs.map(({ raw }) => decode(raw));
  const read = (pairs: readonly SentPair[]): unknown => readTexts(shape, texts(pairs), name);
  if (style === undefined) return isForm ? { ...PLAIN, read } : formReader(name, shape, { decode, read });
  if ('mediaType' in style) return { ...PLAIN, read: contentReader(name, style.mediaType, { texts, read }) };
  if (style.style === 'deepObject') return { ...PLAIN, isDeep: true, read: deepReader(name, shape, decode) };
  if (style.style === 'form' && style.explode) return formReader(name, shape, { decode, read });
  return { ...PLAIN, read: delimitedReader(name, shape, { style, decode }) };
}

type ReadPairsOf = (pairs: readonly SentPair[]) => unknown;

/** `?size=5&colour=red` is an object where its schema takes one. */
function formReader(
  name: string,
  shape: TextShape,
  { decode, read }: { decode(raw: string): string; read: ReadPairsOf },
): ValueReader {
  if (shape.isAny || !shape.takes('object')) return { ...PLAIN, read };
  return {
    members: shape.names,
    takesOthers: shape.others !== null,
    isSpread: shape.types.size === 1,
    isDeep: false,
    read(pairs) {
      if (shape.types.size > 1 && pairs.every((pair) => pair.name === name)) return read(pairs);
      const byName = new Map<string, SentPair[]>();
      for (const pair of pairs) addTo(byName, pair.name, pair);
      return Object.fromEntries(
        [...byName].map(([member, own]) => [
          member,
          readTexts(
            shape.property(member),
            own.map(({ raw }) => decode(raw)),
            member,
          ),
        ]),
      );
    },
  };
}

function contentReader(
  name: string,
  mediaType: string,
  { texts, read }: { texts(pairs: readonly SentPair[]): string[]; read: ReadPairsOf },
): ReadPairsOf {
  if (!isJsonType(mediaType)) return read;
  return (pairs) => {
    const [text = '', ...more] = texts(pairs);
    if (more.length > 0) throw repeated(name);
    return jsonOf(text) ?? text;
  };
}

function deepReader(name: string, shape: TextShape, decode: (raw: string) => string): ReadPairsOf {
  return (pairs) => {
    const texts = pairs.map(
      (pair): DeepText => ({ keys: deepName(pair.name)?.keys ?? [], text: decode(pair.raw) }),
    );
    return readDeep(shape, texts, name);
  };
}

/** As a text has them once encoded, too: `%20` and `%7C` are how these two are sent (OpenAPI 3.1 §4.8.12.3). */
const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  simple: /,/,
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /\||%7C/i,
};

function delimitedReader(
  name: string,
  shape: TextShape,
  { style, decode }: { style: Extract<ValueStyle, { style: string }>; decode(raw: string): string },
): ReadPairsOf {
  const delimiter = DELIMITERS[style.style] ?? /,/;
  const encodedDelimiter = style.style === 'form' ? /%2C/i : undefined;
  return (pairs) => {
    const [pair, ...more] = pairs;
    if (more.length > 0) throw repeated(name);
    return readDelimited({ shape, raw: pair?.raw ?? '', delimiter, encodedDelimiter, decode });
  };
}
