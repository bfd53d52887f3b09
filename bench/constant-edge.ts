import { type CompiledVersion, compileApi } from '@dateline/versions';
import { createVersions } from '../src/compose/create-versions.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { apiSource } from '../src/contracts/api.ts';
import type { Environment } from '../src/environments/environment.ts';
import type { OpenCall, OperationHandlers } from '../src/http/api/handler.ts';
import { introspectionBody } from '../src/http/api/operations/oauth.ts';
import { createVersionApp } from '../src/http/api/version-app.ts';
import { createApp } from '../src/http/app/create-app.ts';
import { createDispatch } from '../src/http/edge/dispatch.ts';
import { startEdge } from '../src/http/edge/edge-server.ts';
import { createRequestIds } from '../src/http/edge/request-context.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { OAuthClientId } from '../src/oauth/types.ts';
import type { SecretBox } from '../src/secrets/secret-box.ts';
import { createLog } from '../src/telemetry/log.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';
import { createUsageCounter } from '../src/usage/usage-counter.ts';
import { constantToken } from './constant-token.ts';

// A process of its own: all that a request passes on its way to introspection and back (version, id, log, metrics, usage,
// contract), and no introspection. It prints its port.

const { requestMs } = loadConfig({});
const settings = { trustedProxies: [], requestMs };
const counter = createUsageCounter(systemClock);
const edge = await startEdge({
  host: '127.0.0.1',
  port: 0,
  portSetting: 'none',
  log: createLog('info').child({ environment: 'sandbox' }),
  metrics: createMetrics('sandbox'),
  countUse: counter.count,
  noteFailure() {},
  recordUnknownCaller() {},
  requestIds: createRequestIds([]),
  versions: createVersions(systemClock),
});

const answerConstant = async ({ request, caller }: OpenCall) => {
  caller.admitted(request.body.client_id as OAuthClientId);
  return { status: 200, body: introspectionBody(constantToken, edge.url) };
};

function constantApp(version: CompiledVersion) {
  const ids = [...version.operations.values()].map(({ headOperationId }) => headOperationId);
  return createVersionApp({
    version,
    // The same answer for every request.
    handlers: Object.fromEntries(ids.map((id) => [id, answerConstant])) as unknown as OperationHandlers,
    // Nothing here reads it.
    environment: {} as Environment,
    box: {} as SecretBox,
    verifyToken: async () => constantToken,
    settings,
  });
}

const api = [...compileApi(apiSource()).values()];
edge.open(
  await createDispatch({
    versions: new Map(api.map((version) => [version.version, constantApp(version)])),
    authorize: new Map(),
    account: createApp(settings),
    operator: createApp(settings),
    service: createApp(settings),
  }),
);
// As often as the counts of a node go to the database.
setInterval(() => counter.take(), 2_000);
console.log(new URL(edge.url).port);
