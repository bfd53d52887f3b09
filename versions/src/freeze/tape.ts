import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Difference, differencesBetween } from '../contract/differences.ts';
import { isPart } from '../openapi/plain-data.ts';

/** The body of a request: JSON, any text, or so many bytes of no meaning. */
export type SentBody =
  | { readonly json: unknown }
  | { readonly type: string; readonly text: string }
  | { readonly type: string; readonly bytes: number };

/** The fault of the service while it is asked. */
export type Fault = 'storage_down' | 'bug' | 'hang';

/** One request. `{{name}}` in its path, its headers and its body stands for what an earlier answer held. */
export interface Ask {
  /** Unlike any other in its tape. */
  readonly name: string;
  /** Null where it asks for something that is no operation. */
  readonly operation: string | null;
  /** The caller: one of the player's cast. */
  readonly as: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: SentBody;
  /** Values that later requests need, by name: their places in the body of the answer, such as `items.0.id`. */
  readonly save?: Readonly<Record<string, string>>;
  /** The time that passes before it; one second where it is left out. */
  readonly waitSeconds?: number;
  /** The word of frozen tapes. */
  readonly trouble?: Fault;
}

/** The answer, with placeholders for what is made up anew at every play: ids, secrets, times. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Exchange extends Ask {
  readonly answer: Answer;
}

/** The behaviour of a version: what it answered when it was frozen, and must answer for as long as it is served. */
export interface Tape {
  readonly version: string;
  readonly exchanges: readonly Exchange[];
}

/** The hash of the tape as JSON with sorted keys. Exchange by exchange: the whole text may be larger than all else that is in memory. */
export function tapeHash({ version, exchanges }: Tape): string {
  const hash = createHash('sha256').update('{"exchanges":[');
  exchanges.forEach((exchange, index) => {
    hash.update((index === 0 ? '' : ',') + JSON.stringify(sorted(withoutProse(exchange))));
  });
  return hash.update(`],"version":${JSON.stringify(version)}}`).digest('hex');
}

export interface TapeDifference extends Difference {
  /** The name of the exchange that differs; `path` leads to the difference in it. */
  exchange: string;
}

/** Where the second of two tapes differs from the first. Their order aside, which the hash covers. */
export function tapeDifferences(one: Tape, other: Tape): TapeDifference[] {
  const [before, after] = [byName(one), byName(other)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((exchange) => {
    if (!after.has(exchange)) return [{ exchange, path: '', kind: 'removed' as const }];
    if (!before.has(exchange)) return [{ exchange, path: '', kind: 'added' as const }];
    const [one, other] = [before.get(exchange), after.get(exchange)];
    // Nearly all of them: large tapes are compared at every check.
    if (isDeepStrictEqual(one, other)) return [];
    return differencesBetween(itemsByIndex(one), itemsByIndex(other)).map((difference) => ({
      exchange,
      ...difference,
    }));
  });
}

function byName({ exchanges }: Tape): ReadonlyMap<string, unknown> {
  return new Map(exchanges.map((exchange) => [exchange.name, withoutProse(exchange)]));
}

/** The texts for people in an error: no program branches on them, so they may be mended, like those of a contract. */
const PROSE = new Set(['detail', 'title', 'error_description']);

function withoutProse(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.status < 400 || !isPart(answer.body)) return exchange;
  const members = Object.entries(answer.body).map(([name, value]) => [
    name,
    PROSE.has(name) && typeof value === 'string' ? '(text)' : value,
  ]);
  return { ...exchange, answer: { ...answer, body: Object.fromEntries(members) } };
}

/** Lists as objects, so that a difference names the item it is in. */
function itemsByIndex(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => [`[${index}]`, itemsByIndex(item)] as const);
    return { ...Object.fromEntries(items), length: value.length };
  }
  if (!isPart(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, itemsByIndex(item)]));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPart(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
