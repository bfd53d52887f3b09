import type { Config } from '../../config/load-config.ts';
import type { Environment, EnvironmentName } from '../../environments/environment.ts';
import type { OperatorKey } from '../../identity/types.ts';
import { quickstartKeyName } from '../../identity/types.ts';
import { isThisMachine } from '../../kernel/addresses.ts';
import type { Finding } from '../finding.ts';

/** Where the key of the stored secrets is. */
export function secretKey({ secretKeys, databaseUrl, dataDir }: Config): Finding {
  const check = 'secret-key';
  if (secretKeys.length > 0)
    return { check, state: 'ok', message: 'DATELINE_SECRET_KEY is set; keep a copy apart from the backups.' };
  const why =
    databaseUrl === null
      ? 'beside the data that it protects: whoever copies the folder has both'
      : 'and other nodes need the same one: without it a node on another machine is refused, and what it protects is lost with this folder';
  return {
    check,
    state: 'warning',
    message: `The secret key was made in ${dataDir}/secret.key, ${why}. Set DATELINE_SECRET_KEY to what is in that file, or DATELINE_SECRET_KEY_FILE to a copy of it.`,
  };
}

/** The keys of operators, of which the first start has made one. */
export function operatorKeys(name: EnvironmentName, live: readonly OperatorKey[]): Finding {
  const check = 'operator-keys';
  const first = live.find((key) => key.name === quickstartKeyName);
  if (first)
    return {
      check,
      state: name === 'production' ? 'problem' : 'warning',
      message: `The key of the first start, ${first.id}, is still accepted, and may do everything; create others with "dateline operator-key create", then run "dateline operator-key revoke ${first.id}" and delete quickstart.json.`,
    };
  const admins = live.filter(({ role }) => role === 'admin').length;
  if (live.length > 1 && admins === live.length)
    return {
      check,
      state: 'warning',
      message: `All ${live.length} live keys have the role admin; give dashboards, the support desk and publishers one with less ("dateline operator-key create --role viewer").`,
    };
  return {
    check,
    state: 'ok',
    message: `${live.length} stored ${live.length === 1 ? 'key is' : 'keys are'} live, ${admins} of them with the role admin.`,
  };
}

/** The address by which clients know the service. It speaks plain HTTP: https means that something in front of it speaks TLS. */
export function publicAddress({ name, issuer }: Pick<Environment, 'name' | 'issuer'>): Finding {
  const check = 'public-address';
  const setting = name === 'production' ? 'DATELINE_PUBLIC_URL' : 'DATELINE_SANDBOX_PUBLIC_URL';
  const { protocol, hostname } = new URL(issuer);
  if (isThisMachine(hostname))
    return {
      check,
      state: 'problem',
      message: `The issuer ${issuer} is this machine; set ${setting} to the https address that clients use. It cannot change later without all clients.`,
    };
  if (protocol !== 'https:')
    return {
      check,
      state: 'problem',
      message: `The issuer ${issuer} is not https: tokens and secrets can be read in transit; put a proxy with TLS in front, and set ${setting} to its address.`,
    };
  return { check, state: 'ok', message: `The issuer is ${issuer}.` };
}

/** Where operators are served. */
export function operatorPort(name: EnvironmentName, config: Config): Finding {
  const check = 'operator-port';
  const setting = name === 'production' ? 'DATELINE_OPERATOR_PORT' : 'DATELINE_SANDBOX_OPERATOR_PORT';
  const port = config[name].operatorPort;
  if (port === null)
    return {
      check,
      state: name === 'production' ? 'problem' : 'warning',
      message: `Whoever reaches the service reaches the operator API, the console and the metrics too; set ${setting} to a port that only operators reach.`,
    };
  return {
    check,
    state: 'ok',
    message: `Operators are served apart, on ${config.host}; let only your own network reach that port.`,
  };
}

/** Who is believed about the address of a caller. */
export function proxies({ trustedProxies }: Config): Finding {
  const check = 'proxies';
  const everybody = trustedProxies.find((proxy) => proxy.endsWith('/0'));
  if (everybody !== undefined)
    return {
      check,
      state: 'problem',
      message: `DATELINE_TRUSTED_PROXIES names ${everybody}, which is everybody: any caller can pretend to be another one, and pass its limits; name the proxy alone.`,
    };
  if (trustedProxies.length === 0)
    return {
      check,
      state: 'warning',
      message:
        'DATELINE_TRUSTED_PROXIES is not set: behind a proxy, all callers seem to have one address and share its limits; set it to the addresses of the proxy.',
    };
  return { check, state: 'ok', message: `Trusted proxies: ${trustedProxies.join(', ')}.` };
}

const DAY_SECONDS = 86_400;

/** How long personal data and accesses are kept. */
export function retention({ lifetimes }: Config): Finding {
  const check = 'retention';
  const { webhookRetentionDays, accessTokenSeconds, refreshTokenAbsoluteSeconds, signInAbsoluteSeconds } =
    lifetimes;
  const long = [
    ...(webhookRetentionDays > 365
      ? [`DATELINE_WEBHOOK_RETENTION_DAYS keeps personal data in payloads for ${webhookRetentionDays} days`]
      : []),
    ...(accessTokenSeconds > DAY_SECONDS / 2
      ? [`DATELINE_ACCESS_TOKEN_SECONDS lets a stolen token live for ${hours(accessTokenSeconds)} hours`]
      : []),
    ...(refreshTokenAbsoluteSeconds > 365 * DAY_SECONDS
      ? [
          `DATELINE_REFRESH_TOKEN_ABSOLUTE_SECONDS lets grants live for ${days(refreshTokenAbsoluteSeconds)} days`,
        ]
      : []),
    ...(signInAbsoluteSeconds > 7 * DAY_SECONDS
      ? [`DATELINE_SIGN_IN_ABSOLUTE_SECONDS keeps people signed in for ${days(signInAbsoluteSeconds)} days`]
      : []),
  ];
  if (long.length > 0)
    return {
      check,
      state: 'warning',
      message: `${long.join(', and ')}; lower it unless you need that long.`,
    };
  return {
    check,
    state: 'ok',
    message: `Webhook payloads are kept ${webhookRetentionDays} days; a grant lives ${days(refreshTokenAbsoluteSeconds)} days at most.`,
  };
}

const days = (seconds: number): number => Math.floor(seconds / DAY_SECONDS);
const hours = (seconds: number): number => Math.floor(seconds / 3_600);

/** How much is logged. */
export function logLevel({ logLevel: level }: Config): Finding {
  const check = 'log-level';
  if (level === 'debug' || level === 'trace')
    return {
      check,
      state: 'warning',
      message: `DATELINE_LOG_LEVEL is ${level}, which costs speed and disk; set it to info.`,
    };
  if (level !== 'info')
    return {
      check,
      state: 'warning',
      message: `DATELINE_LOG_LEVEL is ${level}: a request that fails leaves no line to find it by; set it to info.`,
    };
  return { check, state: 'ok', message: 'Each request leaves a line in the log.' };
}
