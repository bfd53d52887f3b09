import { type AccessTokens, createAccessTokens, type IssuedToken } from './access-tokens.ts';
import { readBaseUrl } from './base-url.ts';
import { buildRequest } from './build-request.ts';
import type { CallData } from './call-data.ts';
import { deprecationIn } from './deprecation.ts';
import { environments } from './environments.ts';
import { UsageError } from './errors.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import { send } from './send.ts';
import { type Patience, unlessAborted, withinLimit } from './time-limit.ts';
import type { CallOptions, DatelineOptions, DeprecationNotice } from './types.ts';

export interface Call {
  data: CallData;
  parameters: readonly string[];
  input: Readonly<Record<string, unknown>>;
  options: CallOptions;
}

export type Caller = (call: Call) => Promise<unknown>;

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const VERSION_HEADER = 'service-version';

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

/** Makes calls in one version, for one client. What it was given stays inside of it. */
export function createCaller(
  version: string,
  options: DatelineOptions,
  warn: (notice: DeprecationNotice) => void,
): Caller {
  const baseUrl = baseUrlOf(options);
  refuseVersionHeader(options.headers);
  const fetchNow = options.fetch ?? ((...args) => globalThis.fetch(...args));
  const tokens = createAccessTokens(issueToken);
  let isWarned = false;

  return async (call) => {
    refuseVersionHeader(call.options.headers);
    // One key for all tries, so that at most one of them takes effect.
    const key = keyOf(call);
    const { bearer, answer } = await callOnce(call, key);
    // A token that has died before its time is got anew, once.
    if (answer.status !== 401 || bearer?.source === undefined) return finish(answer);
    bearer.source.forget(bearer.token);
    return finish((await callOnce(call, key)).answer);
  };

  async function callOnce({ data, parameters, input, options: callOptions }: Call, key?: string) {
    const request = buildRequest(data, parameters, { ...input, ...credentials(data, input) });
    const timeoutMs = callOptions.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
    const { signal } = callOptions;
    const bearer = await bearerOf(data, callOptions.accessToken, { timeoutMs, signal });
    const mayRepeat = data.repeat === 'safe' || key !== undefined;
    const answer = await send({
      fetch: fetchNow,
      url: baseUrl + request.path,
      init: {
        method: data.method,
        headers: {
          ...lowerCased(options.headers),
          ...lowerCased(callOptions.headers),
          accept: 'application/json',
          ...(request.contentType ? { 'content-type': request.contentType } : {}),
          ...(bearer ? { authorization: `Bearer ${bearer.token}` } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
          [VERSION_HEADER]: version,
        },
        body: request.body,
      },
      timeoutMs,
      retries: mayRepeat ? (callOptions.retries ?? options.retries ?? RETRIES) : 0,
      signal,
    });
    return { bearer, answer };
  }

  function finish(answer: Answer): unknown {
    const notice = isWarned ? null : deprecationIn(version, answer.headers);
    if (notice) {
      isWarned = true;
      (options.onDeprecation ?? warn)(notice);
    }
    return readAnswer(version, answer);
  }

  function credentials({ auth }: CallData, input: Call['input']): object {
    const { clientId, clientSecret } = options;
    const isAsked = auth === 'client' || (auth === 'maybe-client' && input.client_id === undefined);
    if (isAsked && clientId && clientSecret) return { client_id: clientId, client_secret: clientSecret };
    if (auth === 'client')
      throw new UsageError('This call needs a client made with clientId and clientSecret.');
    return {};
  }

  /** Getting a token may take as long as a try of the call itself. */
  async function bearerOf(
    { auth }: CallData,
    accessToken: string | undefined,
    patience: Patience,
  ): Promise<{ token: string; source?: AccessTokens } | null> {
    if (accessToken !== undefined) return { token: accessToken };
    if (auth === 'secret') throw new UsageError('This call needs the option accessToken.');
    if (auth !== 'bearer') return null;
    const own = options.accessToken;
    if (typeof own === 'string') return { token: own };
    // A call that is aborted already must not start a renewal that others would share.
    patience.signal?.throwIfAborted();
    const get = async (): Promise<string> => (own ? own() : tokens.get());
    const token = await withinLimit(patience, (limit) => unlessAborted(get(), limit));
    return own ? { token } : { token, source: tokens };
  }

  async function issueToken(): Promise<IssuedToken> {
    if (!options.clientId || !options.clientSecret) {
      throw new UsageError(
        'This call needs a client made with accessToken, or with clientId and clientSecret.',
      );
    }
    const input = { grant_type: 'client_credentials', scope: options.scope };
    const { answer } = await callOnce({ data: tokenCall, parameters: [], input, options: {} });
    return finish(answer) as IssuedToken;
  }
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

/** What makes a call that creates something be done once: the caller's own word, or one that is made up for it. */
function keyOf({ data, options: { idempotencyKey, headers } }: Call): string | undefined {
  if (data.repeat !== 'with-key') return undefined;
  return idempotencyKey ?? lowerCased(headers)['idempotency-key'] ?? newKey();
}

/** Browsers have it in secure contexts only; without a key the call is not repeated. */
function newKey(): string | undefined {
  return globalThis.crypto?.randomUUID?.();
}
