import { createEdgeErrorWriter } from '../http/api/error-shapes.ts';
import { type Edge, startEdge } from '../http/edge/edge-server.ts';
import { createRequestIds } from '../http/edge/request-context.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';
import { listenAddress } from './listen-address.ts';

/** Takes the port of one environment. It answers 503 until it is given a handler. */
export async function openEdge(runtime: EnvironmentRuntime): Promise<Edge> {
  const { name, options, build, closing, life, metrics, counter, failures, log, targets } = runtime;
  const edge = await startEdge({
    ...listenAddress(options.config, name),
    log,
    metrics,
    countUse: counter.count,
    noteFailure: (failure) => failures.note(failure, life.clock.now()),
    requestIds: createRequestIds(options.config.trustedProxies),
    versions: life.versions,
    leaveMs: options.config.drainMs,
    writeError: createEdgeErrorWriter(build.api, build.isApiPath),
    isApiPath: build.isApiPath,
    local: { isOn: () => targets.rules.loopback, proxySeen: targets.proxySeen },
  });
  closing.drainFirst(edge.drain);
  return edge;
}
