import {
  type Answer,
  type ApiVersion,
  type Ask,
  compileApi,
  type Exchange,
  type SentBody,
} from '@dateline/versions';
import { apiSource } from '../../src/contracts/api.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import { type OpenDatabases, openStage, type Stage } from './stage.ts';

export interface Played {
  /** As recorded on tape. */
  exchange: Exchange;
  /** The body as received, random values included. */
  body: unknown;
}

/** With what is recorded on no tape. */
export interface PlayedOnWire extends Played {
  /** The address that was asked, its query included. */
  path: string;
  /** All headers of the answer. */
  headers: Readonly<Record<string, string>>;
}

/** Plays requests one after the other against a service of their own, and records the answers. */
export async function play(
  version: ApiVersion,
  asks: readonly Ask[],
  openDatabases: OpenDatabases,
): Promise<PlayedOnWire[]> {
  const stage = await openStage(version, openDatabases);
  try {
    const placeholders = createPlaceholders(stage.startedAt);
    for (const [name, value] of Object.entries(stage.cast.variables)) placeholders.name(name, value);
    for (const [index, time] of exampleTimes(version).entries())
      placeholders.name(`example time ${index + 1}`, time);
    placeholders.give('version', version);
    const played: PlayedOnWire[] = [];
    for (const ask of asks) played.push(await playOne(ask, { version, stage, placeholders }));
    return played;
  } finally {
    await stage.close();
  }
}

/** Times that are part of the contract: they are the same whenever it is played. */
function exampleTimes(version: ApiVersion): string[] {
  const events = compileApi(apiSource()).get(version)?.contract.events ?? [];
  const times = JSON.stringify(events.map(({ example }) => example)).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g);
  return [...new Set(times)];
}

interface Playing {
  version: ApiVersion;
  stage: Stage;
  placeholders: Placeholders;
}

async function playOne(ask: Ask, { version, stage, placeholders }: Playing): Promise<PlayedOnWire> {
  try {
    stage.clock.advanceSeconds(ask.waitSeconds ?? 1);
    const {
      path,
      headers,
      body: sent,
    } = placeholders.fill({ path: ask.path, headers: ask.headers, body: ask.body });
    const response = await stage.send(ask.trouble, path, {
      method: ask.method,
      headers: { ...headersOf(version, stage.cast.token(ask.as), sent), ...headers },
      ...(sent === undefined ? {} : { body: textOf(sent) }),
    });
    const text = await response.text();
    const body = readBody(text);
    for (const [name, place] of Object.entries(ask.save ?? {})) placeholders.name(name, valueAt(body, place));
    const shown = isPage(response) ? promisedByPage(text) : body;
    const answer = { status: response.status, headers: promisedHeaders(response.headers), body: shown };
    const exchange = { ...ask, answer: placeholders.mask(answer) as Answer };
    return { exchange, body, path, headers: Object.fromEntries(response.headers) };
  } catch (error) {
    throw new Error(`"${ask.name}" could not be played: ${(error as Error).message}`, { cause: error });
  }
}

function headersOf(
  version: ApiVersion,
  token: string | null,
  sent: SentBody | undefined,
): Record<string, string> {
  return {
    'service-version': version,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(sent === undefined ? {} : { 'content-type': 'json' in sent ? 'application/json' : sent.type }),
  };
}

function textOf(body: SentBody): string {
  if ('json' in body) return JSON.stringify(body.json);
  return 'text' in body ? body.text : 'x'.repeat(body.bytes);
}

// What the API promises at any time. Which versions are maintained when (Deprecation, Sunset, Link) is not part of
// the contract of one of them.
const PROMISED = [
  'allow',
  'cache-control',
  'content-type',
  'location',
  'retry-after',
  'service-version',
  'www-authenticate',
];

function promisedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => PROMISED.includes(name)));
}

/** JSON parsed, so that the order of its members does not matter; null where there is none. */
function readBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') ?? false;
}

/** The look and the text of a page may change any day; the code of an error page stays. */
function promisedByPage(text: string): unknown {
  const [, error] = /Error: <code>(\w+)<\/code>/.exec(text) ?? [];
  return error === undefined ? null : { error };
}

function valueAt(body: unknown, place: string): string {
  const value = place
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], body);
  if (typeof value === 'string') return value;
  throw new Error(`its answer has no text at ${place}: ${JSON.stringify(body)}`);
}
