import type { ApiVersion } from '@dateline/versions';
import { createHeadOf } from '../api/folder/head-of.ts';
import type { ApiFolder } from '../api/folder/read-api-folder.ts';
import type { Backend } from '../http/api/forwarding/ask-backend.ts';
import type { FolderServing } from '../http/api/forwarding/forwarded-routes.ts';
import type { UnknownParts } from '../http/api/forwarding/unknown-parts.ts';
import type { SigningKeys } from '../oauth/signing/signing-keys.ts';
import { createIdentityTokens } from '../upstream/identity-token.ts';
import { createUpstream, type Upstream } from '../upstream/upstream.ts';
import { folderErrorWriter } from './folder-errors.ts';
import type { OperationParts } from './operation-handlers.ts';

const MIB = 2 ** 20;

export interface ServedFolder {
  /** Returns the handlers of one version. */
  serve(version: ApiVersion): FolderServing;
  /**
   * The reason why the upstream keeps this node from being ready; null if there is none, or readiness does not depend
   * on it.
   */
  problem(): string | null;
  /** For `dateline doctor`. */
  upstream: Pick<Upstream, 'origin' | 'reach'>;
}

/** For whoever wants to see the calls of the folder, or answers them in place of the upstream. */
export type BackendHooks = Partial<Pick<Backend, 'between' | 'onUnknown'>>;

/** Opens the operator's own API in one environment. */
export function serveFolder(
  folder: ApiFolder,
  { environment, metrics, log, signingKeys, stopLater }: OperationParts & { signingKeys: SigningKeys },
  hooks: BackendHooks = {},
): ServedFolder {
  const { upstream: settings } = folder.config;
  const upstream = createUpstream({
    baseUrl: new URL(settings[environment.name]),
    clock: environment.clock,
    mount: folder.config.mount ?? '',
    ...(settings.timeoutSeconds && { timeoutMs: settings.timeoutSeconds * 1_000 }),
    ...(settings.connectionsMax && { connectionsMax: settings.connectionsMax }),
    ...(settings.idleSeconds && { idleMs: settings.idleSeconds * 1_000 }),
    ...(settings.inFlightMax && { inFlightMax: settings.inFlightMax }),
    ...(settings.inFlightPerClientMax && { inFlightPerClientMax: settings.inFlightPerClientMax }),
    onEvent: (event) => {
      metrics.observeUpstream(event);
      if (event.type === 'call_ended') return;
      log.warn({ upstream: environment.name, operation: event.operation }, event.type.replace('_', ' '));
    },
  });
  metrics.watchUpstream(upstream.condition);
  stopLater(async () => upstream.close());
  const backend = {
    upstream,
    identityOf: createIdentityTokens({ keys: signingKeys, audience: settings.audience }),
    audience: settings.audience,
    handlers: folder.handlers,
    version: folder.next,
    wanted: settings.forward ?? [],
    unknownQuery: folder.config.unknownQuery ?? ('ignore' as const),
    readOnlyInRequests: folder.config.readOnlyInRequests ?? ('ignore' as const),
    onUnknown(operation: string, requestId: string, { query, headers }: UnknownParts) {
      metrics.countUnknownParts(operation, { query: query.length, header: headers.length });
      // Integrators look for their mistakes there; in production a line for each would be a way to fill the disk.
      if (environment.name !== 'sandbox') return;
      const unknown = { query: loggable(query), headers: loggable(headers) };
      log.info(
        { operation, request_id: requestId, unknown },
        'not forwarded, since the contract does not have it',
      );
    },
    onViolation: (operationId: string) => metrics.countUpstreamViolation(operationId),
    ...hooks,
  };
  const writeError = folderErrorWriter({ folder }, { metrics, log });
  const versions = [...folder.upstreamApi.values()];
  const ids = new Set(versions.flatMap(({ operations }) => [...operations.keys()]));
  const headOf = createHeadOf(folder.upstreamApi);
  const heads = new Map(
    versions
      .flatMap(({ operations }) => [...operations.values()].map(headOf))
      .map(({ operation }) => [operation.id, operation]),
  );
  return {
    serve: (version) => ({
      backend,
      headOf,
      heads: [...heads.values()],
      isForwarded: (operationId) => ids.has(operationId),
      // What is not frozen may still be wrong about its upstream; integrators of production are not stopped by that.
      isStrict: environment.name === 'sandbox' || folder.frozen.includes(version),
      bodyBytesMax: settings.requestBytesMax ?? MIB,
      writeError,
    }),
    upstream,
    problem: () => (settings.readiness ? upstream.problem() : null),
  };
}

const NAMES_MAX = 20;

/** What does not look like a name may be a secret in the wrong place. */
function loggable(names: readonly string[]): string[] {
  const shown = names.slice(0, NAMES_MAX);
  return shown.map((name) => (/^[\w.[\]:$-]{1,64}$/.test(name) ? name : '(not a name)'));
}
