import { createEdgeErrorWriter } from '../http/api/error-shapes.ts';
import { type Edge, type EdgeOptions, startEdge } from '../http/edge/edge-server.ts';
import type { ListenAddress } from '../http/edge/listen.ts';
import { createOriginGuard } from '../http/edge/origin-guard.ts';
import { createRequestIds } from '../http/edge/request-context.ts';
import { createRequestTracing } from '../http/edge/trace-request.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';
import { folderErrorWriter } from './folder-errors.ts';
import { listenAddress, operatorListenAddress } from './listen-address.ts';
import { unknownCallerRecord } from './unknown-callers.ts';

/** Where one environment listens. */
export interface Edges {
  open: Edge;
  /** That of operators, where they have one of their own. */
  operator: Edge | null;
}

/** Takes the ports of one environment. They answer 503 until they are given a handler. */
export async function openEdges(runtime: EnvironmentRuntime): Promise<Edges> {
  const { name, options, build } = runtime;
  const { config } = options;
  const operators = operatorListenAddress(config, name);
  return {
    open: await openEdge(runtime, listenAddress(config, name), {
      writeError: createEdgeErrorWriter(build.api, build.isApiPath, folderErrorWriter(build, runtime)),
      isApiPath: build.isApiPath,
    }),
    operator:
      operators &&
      (await openEdge(runtime, operators, {
        originGuard: createOriginGuard(config.trustedProxies),
      })),
  };
}

export type OwnEdgeOptions = Partial<
  Pick<EdgeOptions, 'writeError' | 'isApiPath' | 'originGuard' | 'recordUnknownCaller' | 'onEnd'>
>;

/** Takes one port. What is given as its own comes in the place of what follows from the runtime. */
export async function openEdge(
  runtime: EnvironmentRuntime,
  address: ListenAddress,
  own: OwnEdgeOptions,
): Promise<Edge> {
  const { name, options, closing, life, metrics, counter, failures, log, targets, tracer } = runtime;
  const { trustedProxies, drainMs, tracing } = options.config;
  const edge = await startEdge({
    ...address,
    log,
    metrics,
    countUse: counter.count,
    noteFailure: (failure) => failures.note(failure, life.clock.now()),
    recordUnknownCaller: unknownCallerRecord(runtime),
    requestIds: createRequestIds(trustedProxies),
    trace: tracer
      ? createRequestTracing({
          tracer,
          environment: name,
          deciders: tracing?.byParent ? trustedProxies : [],
        })
      : undefined,
    versions: life.versions,
    leaveMs: drainMs,
    local: { isOn: () => targets.rules.loopback, proxySeen: targets.proxySeen },
    ...own,
  });
  closing.drainFirst(edge.drain);
  return edge;
}
