import { type AccessTokens, createAccessTokens, type IssuedToken } from './access-tokens.ts';
import { readBaseUrl } from './base-url.ts';
import { buildRequest } from './build-request.ts';
import type { CallData } from './call-data.ts';
import { DatelineError } from './dateline-error.ts';
import { deprecationIn, once } from './deprecation.ts';
import { environments } from './environments.ts';
import { UsageError } from './errors.ts';
import { membersOf } from './members.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { send } from './send.ts';
import { type Patience, unlessAborted, withinLimit } from './time-limit.ts';
import type { CallOptions, DatelineOptions, DeprecationNotice } from './types.ts';

export interface Call {
  data: CallData;
  parameters: readonly unknown[];
  input: Readonly<Record<string, unknown>>;
  options: CallOptions;
}

export type Caller = (call: Call) => Promise<unknown>;

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const VERSION_HEADER = 'service-version';

/** Makes calls in one version, for one client. What it was given stays inside of it. */
export function createCaller(
  version: string,
  options: DatelineOptions,
  warn: (notice: DeprecationNotice) => void,
): Caller {
  const baseUrl = baseUrlOf(options);
  refuseVersionHeader(options.headers);
  const client: Client = {
    version,
    options,
    baseUrl,
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    tokens: createAccessTokens(() => issueToken(client)),
    warn: once(options.onDeprecation ?? warn),
  };
  return (call) => makeCall(client, call);
}

/** The things that all calls of one client share. */
interface Client {
  readonly version: string;
  readonly options: DatelineOptions;
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly tokens: AccessTokens;
  warn(notice: DeprecationNotice): void;
}

async function makeCall(client: Client, call: Call): Promise<unknown> {
  refuseVersionHeader(call.options.headers);
  // One key for all tries, so that at most one of them takes effect.
  const key = keyOf(call);
  const { bearer, answer } = await callOnce(client, call, key);
  // A token that has died before its time is got anew, once.
  if (answer.status !== 401 || bearer?.source === undefined) return finish(client, answer);
  bearer.source.forget(bearer.token);
  return finish(client, (await callOnce(client, call, key)).answer);
}

async function callOnce(client: Client, call: Call, key?: string) {
  const { data, parameters, input, options } = call;
  const credentials = credentialsFor(call, client.options);
  const request = buildRequest(data, parameters, { ...input, ...credentials });
  const timeoutMs = options.timeoutMs ?? client.options.timeoutMs ?? TIMEOUT_MS;
  const { signal } = options;
  const bearer = await bearerFor(call, client, { timeoutMs, signal });
  const mayRepeat = data.repeat === 'safe' || key !== undefined;
  const answer = await send({
    fetch: client.fetch,
    url: client.baseUrl + request.path,
    init: {
      method: data.method,
      headers: {
        ...lowerCased(client.options.headers),
        ...lowerCased(options.headers),
        accept: 'application/json',
        ...(request.contentType ? { 'content-type': request.contentType } : {}),
        ...(bearer ? { authorization: `Bearer ${bearer.token}` } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        [VERSION_HEADER]: client.version,
      },
      body: request.body,
    },
    timeoutMs,
    retries: mayRepeat ? (options.retries ?? client.options.retries ?? RETRIES) : 0,
    signal,
  });
  return { bearer, answer };
}

function finish({ version, warn }: Client, answer: Answer): unknown {
  const notice = deprecationIn(version, answer.headers);
  if (notice) warn(notice);
  return readAnswer(version, answer);
}

function credentialsFor({ data: { auth }, input }: Call, options: DatelineOptions): object {
  const { clientId, clientSecret } = options;
  const isAsked = auth === 'client' || (auth === 'maybe-client' && input.client_id === undefined);
  if (isAsked && clientId && clientSecret) return { client_id: clientId, client_secret: clientSecret };
  if (auth === 'client')
    throw new UsageError('This call needs a client made with clientId and clientSecret.');
  return {};
}

interface Bearer {
  token: string;
  /** Of a token that the client got by its credentials: where it gets another. */
  source?: AccessTokens;
}

/** Getting a token may take as long as a try of the call itself. */
async function bearerFor(
  { data: { auth }, options: { accessToken } }: Call,
  { options: { accessToken: own }, tokens }: Client,
  patience: Patience,
): Promise<Bearer | null> {
  if (accessToken !== undefined) return { token: accessToken };
  if (auth === 'secret') throw new UsageError('This call needs the option accessToken.');
  if (auth !== 'bearer') return null;
  if (typeof own === 'string') return { token: own };
  // A call that is aborted already must not start a renewal that others would share.
  patience.signal?.throwIfAborted();
  const get = async (): Promise<string> => (own ? own() : tokens.get());
  const token = await withinLimit(patience, (limit) => unlessAborted(get(), limit));
  return own ? { token } : { token, source: tokens };
}

const tokenCall: CallData = {
  method: 'POST',
  path: '/v1/oauth2/token',
  parameterCount: 0,
  send: 'form',
  auth: 'client',
  // A token that is lost on its way does no harm.
  repeat: 'safe',
  isPaged: false,
};

async function issueToken(client: Client): Promise<IssuedToken> {
  const { clientId, clientSecret, scope } = client.options;
  if (!clientId || !clientSecret) {
    throw new UsageError(
      'This call needs a client made with accessToken, or with clientId and clientSecret.',
    );
  }
  const input = { grant_type: 'client_credentials', scope };
  const { answer } = await callOnce(client, { data: tokenCall, parameters: [], input, options: {} });
  const { access_token, expires_in } = membersOf(finish(client, answer));
  if (typeof access_token !== 'string')
    throw new DatelineError('The answer of the token endpoint has no token.');
  return { access_token, expires_in: Number(expires_in) };
}

function baseUrlOf({ baseUrl, environment }: DatelineOptions): string {
  if ((baseUrl === undefined) === (environment === undefined)) {
    throw new UsageError(
      "Set where the service is: either baseUrl, or environment: 'production' | 'sandbox'.",
    );
  }
  const url = readBaseUrl(baseUrl ?? new Map(Object.entries(environments)).get(environment ?? ''));
  if (url === null) {
    throw new UsageError(
      'baseUrl has to be an http or https address, environment one of production and sandbox.',
    );
  }
  return url;
}

function refuseVersionHeader(headers: Readonly<Record<string, string>> | undefined): void {
  if (Object.keys(headers ?? {}).some((name) => name.trim().toLowerCase() === VERSION_HEADER)) {
    throw new UsageError('The import sets Service-Version. For another version, import another client.');
  }
}

function lowerCased(headers: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

/** The key of a call that creates something, which is then done once: the caller's, or a new one. */
function keyOf({ data, options: { idempotencyKey, headers } }: Call): string | undefined {
  if (data.repeat !== 'with-key') return undefined;
  return idempotencyKey ?? lowerCased(headers)['idempotency-key'] ?? newKey();
}

/** Browsers have it in secure contexts only; without a key the call is not repeated. */
function newKey(): string | undefined {
  return globalThis.crypto?.randomUUID?.();
}
