import { type Config, listenUrl, loadConfig } from '../config/load-config.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import { urlOf } from '../kernel/url.ts';
import { quickstartPath, readQuickstart } from '../quickstart/quickstart-file.ts';
import { CommandError, usageError } from './command-error.ts';
import { type Json, listIn, objectIn } from './json.ts';
import { type Output, printable, withProgress } from './output.ts';

/** The service as the command line sees it: HTTP and nothing else. */
export interface OperatorApi {
  /** Where operators are served. */
  readonly baseUrl: string;
  /** Where everybody is: the same, unless the settings say otherwise. */
  readonly publicUrl: string;
  /** A public route: no key is needed, and none is sent. */
  getPublic(path: string): Promise<Json>;
  get(path: string): Promise<Json>;
  post(path: string, body?: Json): Promise<Json>;
  patch(path: string, body: Json): Promise<Json>;
  delete(path: string): Promise<void>;
  /** An answer that comes line by line, for as long as the service sends. */
  lines(path: string): AsyncIterable<Json>;
  /** The bytes that an action answers with, for as long as the service sends. */
  bytes(path: string): AsyncIterable<Uint8Array>;
  /** Every item of a list, all pages of it. */
  all(path: string): Promise<Json[]>;
}

const TIMEOUT_MS = 30_000;

export interface OperatorApiOptions {
  env: NodeJS.ProcessEnv;
  environment: EnvironmentName;
  output: Output;
  /** Where the service is, if the command line says so. */
  url: string | undefined;
}

export function createOperatorApi({ env, environment, output, url }: OperatorApiOptions): OperatorApi {
  const config = loadConfig(env);
  const { publicUrl, baseUrl } = url === undefined ? findService(env, config, environment) : named(url);

  async function call(method: string, path: string, body?: Json): Promise<Json> {
    const authorization = `Bearer ${findOperatorKey(config, environment)}`;
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    return send(baseUrl, path, {
      method,
      headers: { authorization, ...content },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function ask(at: string, path: string, init: RequestInit): Promise<Response> {
    const setting = at === publicUrl ? urlSetting(environment) : operatorPortSettings[environment];
    const request = fetch(at + path, { ...init, redirect: 'error' }).catch(() => {
      throw new CommandError(
        `No service answers at ${at}; start it with "npm start", or name its address with --url or in ${setting}.`,
      );
    });
    return withProgress(output, `Waiting for ${at}`, request);
  }

  async function* lines(path: string): AsyncGenerator<Json> {
    const authorization = `Bearer ${findOperatorKey(config, environment)}`;
    const response = await ask(baseUrl, path, { headers: { authorization } });
    if (!response.ok) throw refusal(response, await readJson(response, baseUrl), environment);
    for await (const line of linesOf(response)) yield objectIn(JSON.parse(line));
  }

  async function* bytes(path: string): AsyncGenerator<Uint8Array> {
    const authorization = `Bearer ${findOperatorKey(config, environment)}`;
    const response = await ask(baseUrl, path, { method: 'POST', headers: { authorization } });
    if (!response.ok) throw refusal(response, await readJson(response, baseUrl), environment);
    if (response.body) yield* response.body;
  }

  async function send(at: string, path: string, init: RequestInit): Promise<Json> {
    const response = await ask(at, path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answer = response.status === 204 ? {} : await readJson(response, at);
    if (!response.ok) throw refusal(response, answer, environment);
    return answer;
  }

  return {
    baseUrl,
    publicUrl,
    getPublic: (path) => send(publicUrl, path, {}),
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    lines,
    bytes,
    async delete(path) {
      await call('DELETE', path);
    },
    async all(path) {
      const items: Json[] = [];
      let cursor: unknown = '';
      const separator = path.includes('?') ? '&' : '?';
      while (typeof cursor === 'string') {
        const paging = `${separator}limit=100&cursor=${encodeURIComponent(cursor)}`;
        const page = await call('GET', path + paging);
        items.push(...listIn(page.items));
        cursor = objectIn(page.pagination).next_cursor;
        if (items.length % 1_000 === 0 && items.length > 0) output.note(`${items.length} so far …`);
      }
      return items;
    },
  };
}

type Found = Pick<OperatorApi, 'publicUrl' | 'baseUrl'>;

/** By the settings of its addresses; else as it wrote them into the data folder when it was set up. */
function findService(env: NodeJS.ProcessEnv, config: Config, environment: EnvironmentName): Found {
  const { publicUrl, port, operatorPort } = config[environment];
  const operatorUrl = operatorPort ? listenUrl(config.host, operatorPort) : null;
  const both = (url: string, operators = operatorUrl): Found => ({
    publicUrl: url,
    baseUrl: operators ?? url,
  });
  if (publicUrl !== null) return both(publicUrl);
  const listening = listenUrl(config.host, port);
  const portSetting = environment === 'production' ? 'DATELINE_PORT' : 'DATELINE_SANDBOX_PORT';
  const isNamed = [portSetting, 'DATELINE_HOST'].some((name) => env[name]) && port !== 0;
  if (isNamed) return both(listening);
  const file = readQuickstart(quickstartPath(config.dataDir))?.[environment];
  return both(file?.base_url ?? listening, operatorUrl ?? file?.operator_url ?? null);
}

function named(text: string): Found {
  const url = urlOf(text);
  const base = text.replace(/\/+$/, '');
  if (url && /^https?:$/.test(url.protocol)) return { publicUrl: base, baseUrl: base };
  throw usageError('--url must be an address, such as http://127.0.0.1:4001.');
}

function findOperatorKey(config: Config, environment: EnvironmentName): string {
  const file = quickstartPath(config.dataDir);
  const key = config[environment].operatorKey ?? readQuickstart(file)?.[environment].operator_key;
  if (key !== undefined) return key;
  throw new CommandError(
    `No operator key for ${environment}: set ${keySetting(environment)}, or run this where ${file} is.`,
  );
}

/** Without empty ones: those only keep the connection open. */
async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  if (!response.body) return;
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    yield* parts.filter((part) => part !== '');
  }
}

async function readJson(response: Response, baseUrl: string): Promise<Json> {
  try {
    return objectIn(await response.json());
  } catch {
    throw new CommandError(`The server at ${baseUrl} is not Dateline (status ${response.status}, no JSON).`);
  }
}

function refusal(response: Response, answer: Json, environment: EnvironmentName): CommandError {
  if (response.status === 401) {
    return new CommandError(
      `The operator key for ${environment} is not accepted; set ${keySetting(environment)} to a live one.`,
    );
  }
  const requestId = response.headers.get('x-request-id');
  return new CommandError(
    printable(`${answer.detail ?? answer.error} (${response.status} ${answer.error}, request ${requestId})`),
  );
}

function keySetting(environment: EnvironmentName): string {
  return environment === 'production' ? 'DATELINE_OPERATOR_KEY' : 'DATELINE_SANDBOX_OPERATOR_KEY';
}

const operatorPortSettings = {
  production: 'DATELINE_OPERATOR_PORT',
  sandbox: 'DATELINE_SANDBOX_OPERATOR_PORT',
} as const;

function urlSetting(environment: EnvironmentName): string {
  return environment === 'production' ? 'DATELINE_PUBLIC_URL' : 'DATELINE_SANDBOX_PUBLIC_URL';
}
