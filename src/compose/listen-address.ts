import type { Config } from '../config/load-config.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import type { ListenAddress } from '../http/edge/listen.ts';

const portSettings = { production: 'DATELINE_PORT', sandbox: 'DATELINE_SANDBOX_PORT' } as const;
const operatorPortSettings = {
  production: 'DATELINE_OPERATOR_PORT',
  sandbox: 'DATELINE_SANDBOX_OPERATOR_PORT',
} as const;

export function listenAddress(config: Config, name: EnvironmentName): ListenAddress {
  return { host: config.host, port: config[name].port, portSetting: portSettings[name] };
}

/** Null where a worker answers no probes. */
export function workerListenAddress({ host, workerPort: port }: Config): ListenAddress | null {
  return port === null ? null : { host, port, portSetting: 'DATELINE_WORKER_PORT' };
}

/** Null where operators are served on the same port as everybody else. */
export function operatorListenAddress(config: Config, name: EnvironmentName): ListenAddress | null {
  const { operatorPort: port } = config[name];
  return port === null ? null : { host: config.host, port, portSetting: operatorPortSettings[name] };
}
