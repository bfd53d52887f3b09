import { keysOf } from '../kernel/presence.ts';
import {
  type Parser,
  parseColour,
  parseDatabaseUrl,
  parseDatabaseUrls,
  parseHeaders,
  parseInteger,
  parseList,
  parseOneOf,
  parseOperatorKey,
  parsePort,
  parsePorts,
  parseProxy,
  parseRatio,
  parseSecretKeys,
  parseText,
  parseUrl,
} from './parsers.ts';

export type ProcessEnv = Readonly<Record<string, string | undefined>>;

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** As OpenTelemetry calls them. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface Setting<Value> {
  parse: Parser<Value>;
  /** The default, as it would be written in the environment; null means none. */
  fallback: string | null;
  /** One sentence for the table of settings. */
  description: string;
  /** Printed as "set", never in full, and also read from the file that the variable with `_FILE` at its end names. */
  secret?: true;
}

type Definition<Value> = Omit<Setting<Value>, 'fallback'>;

/** A setting that always has a value. */
function withDefault<Value>(fallback: string, definition: Definition<Value>): Setting<Value> {
  return { ...definition, fallback };
}

/** A setting that may have none. */
function optional<Value>(definition: Definition<Value>): Setting<Value | null> {
  return { ...definition, fallback: null };
}

/** Every variable the service reads. The order is the order of the documentation. */
export const settings = {
  DATELINE_HOST: withDefault('127.0.0.1', {
    parse: parseText,
    description: 'Address to listen on.',
  }),
  DATELINE_PORT: withDefault('4000', {
    parse: parsePort,
    description: 'Port of production. 0 takes any free port; the `ready` line names it.',
  }),
  DATELINE_SANDBOX_PORT: withDefault('4001', {
    parse: parsePort,
    description: 'Port of the sandbox. 0 takes any free port.',
  }),
  DATELINE_OPERATOR_PORT: optional({
    parse: parsePort,
    description:
      'Separate port for the operators of production: `/operator`, `/console` and `/metrics` move there from `DATELINE_PORT`. Not set: all on one port. Set it in production.',
  }),
  DATELINE_SANDBOX_OPERATOR_PORT: optional({
    parse: parsePort,
    description: 'The same for the sandbox.',
  }),
  DATELINE_WORKER_PORT: optional({
    parse: parsePort,
    description:
      'Port on which `dateline worker` answers `/healthz`, `/readyz` and `/metrics`, for both environments; `dateline serve` does not use it. 0 takes any free port. Not set: none.',
  }),
  DATELINE_PUBLIC_URL: optional({
    parse: parseUrl,
    description: 'Base address and issuer of production as clients see it. Default: the listen address.',
  }),
  DATELINE_SANDBOX_PUBLIC_URL: optional({
    parse: parseUrl,
    description: 'Base address and issuer of the sandbox as clients see it. Default: the listen address.',
  }),
  DATELINE_API: optional({
    parse: parseText,
    description:
      'Folder of your own API, as `dateline init` makes one. Not set: the working directory if it is one, else none.',
  }),
  DATELINE_DATA_DIR: withDefault('.data', {
    parse: parseText,
    description: 'Folder for the embedded database, `quickstart.json` and `secret.key`.',
  }),
  DATABASE_URL: optional({
    parse: parseDatabaseUrl,
    secret: true,
    description: 'A `postgres://` address. Not set: the embedded database in the data folder.',
  }),
  DATABASE_DIRECT_URL: optional({
    parse: parseDatabaseUrl,
    secret: true,
    description:
      'The same database past a pooler (PgBouncer), where `DATABASE_URL` leads to one: for migrations, and for the notifications that make webhooks and releases start at once. Not set: `DATABASE_URL`; behind a pooler, polling alone.',
  }),
  DATABASE_READ_URLS: optional({
    parse: parseDatabaseUrls,
    secret: true,
    description:
      'Standbys of that server, as `postgres://` addresses separated by commas, each of one server and not of a pooler. This node reads tokens from them, and a revocation is still seen at once everywhere: `docs/scale.md`. Not set: everything is read from the primary.',
  }),
  DATELINE_DATABASE_POOL: withDefault('8', {
    parse: parseInteger(1, 500),
    description:
      'Most PostgreSQL connections for queries, per environment and process; a quarter of them is kept for reads, and one more listens for notifications.',
  }),
  DATELINE_SECRET_KEY: optional({
    parse: parseSecretKeys,
    secret: true,
    description:
      'Key for reversibly encrypted secrets (signing keys, webhook secrets): 32 bytes in base64, the same for all nodes on a database. Not set: the one in `secret.key` in the data folder, created at the first start. To change it: the new key, a comma, the old key.',
  }),
  DATELINE_OPERATOR_KEY: optional({
    parse: parseOperatorKey,
    secret: true,
    description:
      'A key that production accepts as operator key beside the stored ones, and that the command line uses.',
  }),
  DATELINE_SANDBOX_OPERATOR_KEY: optional({
    parse: parseOperatorKey,
    secret: true,
    description: 'The same for the sandbox.',
  }),
  DATELINE_TRUSTED_PROXIES: withDefault('', {
    parse: parseList(parseProxy),
    description:
      'Addresses or CIDR blocks, separated by commas. Only from these are `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Request-Id` believed.',
  }),
  DATELINE_WEBHOOK_PORTS: withDefault('443', {
    parse: parsePorts,
    description:
      'Ports that webhooks may be sent to, separated by commas. The sandbox may also send to any port of this machine, as long as the service is reachable from this machine only: on a loopback address, without a proxy.',
  }),
  DATELINE_WEBHOOK_ENDPOINTS_MAX: withDefault('1000', {
    parse: parseInteger(1, 100_000),
    description: 'Most webhook endpoints of one organization. Existing ones stay.',
  }),
  DATELINE_DELIVER: withDefault('on', {
    parse: parseOneOf(['on', 'off']),
    description:
      'Whether `dateline serve` delivers webhooks too; `off` where processes of `dateline worker` do.',
  }),
  DATELINE_WEBHOOK_RETENTION_DAYS: withDefault('90', {
    parse: parseInteger(1, 3_650),
    description:
      'How long webhook payloads and the log of attempts are kept: as long, an event can be sent again. The event itself is deleted a week later.',
  }),
  DATELINE_ACCESS_TOKEN_SECONDS: withDefault('3600', {
    parse: parseInteger(1, 86_400),
    description: 'Lifetime of an access token.',
  }),
  DATELINE_REFRESH_TOKEN_IDLE_SECONDS: withDefault('2592000', {
    parse: parseInteger(1, 31_536_000),
    description: 'Lifetime of an unused refresh token (30 days).',
  }),
  DATELINE_REFRESH_TOKEN_ABSOLUTE_SECONDS: withDefault('7776000', {
    parse: parseInteger(1, 157_680_000),
    description: 'Lifetime of a grant and of its refresh tokens at most (90 days).',
  }),
  DATELINE_CODE_SECONDS: withDefault('60', {
    parse: parseInteger(1, 600),
    description: 'Lifetime of an authorization code.',
  }),
  DATELINE_SIGN_IN_IDLE_SECONDS: withDefault('7200', {
    parse: parseInteger(60, 2_592_000),
    description: 'How long an idle user stays signed in (2 hours).',
  }),
  DATELINE_SIGN_IN_ABSOLUTE_SECONDS: withDefault('43200', {
    parse: parseInteger(60, 31_536_000),
    description: 'How long a user stays signed in at most (12 hours).',
  }),
  DATELINE_REQUEST_SECONDS: withDefault('20', {
    parse: parseInteger(1, 600),
    description:
      'Time from the arrival of a request until its answer must begin; then it is answered with 503.',
  }),
  DATELINE_DRAIN_SECONDS: withDefault('0', {
    parse: parseInteger(0, 600),
    description:
      'How long a node serves on after SIGTERM while `/readyz` answers 503, before it refuses connections. Behind a load balancer: longer than it takes to notice, such as 10.',
  }),
  DATELINE_SHUTDOWN_SECONDS: withDefault('10', {
    parse: parseInteger(0, 600),
    description: 'How long requests in flight may take after that before they are cut off.',
  }),
  DATELINE_BRAND_NAME: optional({
    parse: parseText,
    description: 'Brand name on pages. Default: the title of your own API, or Dateline.',
  }),
  DATELINE_BRAND_COLOUR: optional({
    parse: parseColour,
    description: 'Colour of the header and the buttons of pages, as `#rrggbb`, dark enough for white text.',
  }),
  DATELINE_BRAND_LOGO: optional({
    parse: parseText,
    description: 'Path of an image for the header of pages: .svg, .png or .webp, at most 100 kB.',
  }),
  DATELINE_LOG_LEVEL: withDefault('info', {
    parse: parseOneOf(logLevels),
    description: `One of ${logLevels.join(', ')}.`,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional({
    parse: parseUrl,
    description:
      'Base address of a receiver of OpenTelemetry traces over HTTP, such as `http://localhost:4318`. Not set: nothing is traced.',
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: withDefault('10000', {
    parse: parseInteger(100, 60_000),
    description:
      'Milliseconds that this receiver may take for what it is sent, with all that is tried again.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: optional({
    parse: parseHeaders,
    secret: true,
    description: 'Headers for that receiver, such as `authorization=Bearer%20…`, separated by commas.',
  }),
  OTEL_TRACES_SAMPLER: withDefault('parentbased_always_on', {
    parse: parseOneOf(samplers),
    description: `Which requests are traced; one of ${samplers.join(', ')}. The caller's decision (\`parentbased_…\`) counts where it is one of \`DATELINE_TRUSTED_PROXIES\`: others could have everything traced.`,
  }),
  OTEL_TRACES_SAMPLER_ARG: withDefault('1', {
    parse: parseRatio,
    description: 'The share of requests that `…traceidratio` traces, such as 0.01.',
  }),
  OTEL_SERVICE_NAME: withDefault('dateline', {
    parse: parseText,
    description: 'Name of this service in traces.',
  }),
  DATELINE_TEST_DATABASE_URL: optional({
    parse: parseDatabaseUrl,
    secret: true,
    description:
      'Tests only: a PostgreSQL server to run them on instead of the one that comes with the development dependencies.',
  }),
};

export type Settings = typeof settings;
export type SettingName = keyof Settings;
export const settingNames = keysOf(settings);
