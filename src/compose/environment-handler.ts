import { type ApiSource, type CompiledApi, releaseNotes } from '@dateline/versions';
import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import type { Environment } from '../environments/environment.ts';
import { createAccountApp } from '../http/account/account-app.ts';
import { bulkTokenHandlers } from '../http/api/operations/bulk-tokens.ts';
import { grantHandlers } from '../http/api/operations/grants.ts';
import { leakHandlers } from '../http/api/operations/leaks.ts';
import { oauthHandlers } from '../http/api/operations/oauth.ts';
import { organizationHandlers } from '../http/api/operations/organizations.ts';
import { productHandlers } from '../http/api/operations/products.ts';
import { registrationHandlers } from '../http/api/operations/registration.ts';
import { tokenHandlers } from '../http/api/operations/token.ts';
import { userinfoHandlers } from '../http/api/operations/userinfo.ts';
import { webhookHandlers } from '../http/api/operations/webhooks.ts';
import { createVersionApp, type OperationHandlers } from '../http/api/version-app.ts';
import { createOperatorFinder } from '../http/app/find-operator.ts';
import { createDispatch } from '../http/edge/dispatch.ts';
import type { RequestHandler } from '../http/edge/edge-server.ts';
import { createOperatorApp } from '../http/operator/operator-app.ts';
import { createServiceApp } from '../http/site/site-app.ts';
import { keptAnswerHolder } from '../idempotency/sealed-answers.ts';
import { createClientThrottle } from '../oauth/clients/admit-client.ts';
import { createClientAuthenticator } from '../oauth/clients/authenticate-client.ts';
import { createSecretUse } from '../oauth/clients/secret-use.ts';
import { createIdTokenSigner } from '../oauth/signing/id-token.ts';
import { signingKeyHolder } from '../oauth/signing/make-signing-key.ts';
import { createSigningKeys, type SigningKeys } from '../oauth/signing/signing-keys.ts';
import { createClientGate } from '../oauth/tokens/client-gate.ts';
import { createBatchIntrospector } from '../oauth/tokens/introspect-batch.ts';
import { createTokenIntrospector } from '../oauth/tokens/introspect-token.ts';
import { createTokenRevoker } from '../oauth/tokens/revoke-token.ts';
import { createTokenVerifier } from '../oauth/tokens/verify-token.ts';
import type { ReleaseDesk } from '../releases/release-desk.ts';
import type { ServedVersions } from '../releases/served-versions.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { MetricsText } from '../telemetry/metrics-text.ts';
import type { UsageKeeper } from '../usage/keep-usage.ts';
import { webhookSecretHolder } from '../webhooks/endpoints/endpoint-secrets.ts';
import { webhookTargetRules } from './webhook-target-rules.ts';

export interface HandlerParts {
  environment: Environment;
  config: Config;
  log: Logger;
  metrics: Metrics;
  metricsText: MetricsText;
  versions: ServedVersions;
  desk: ReleaseDesk;
  source: ApiSource;
  api: CompiledApi;
  usage: UsageKeeper;
  box: SecretBox;
  /** Told what must be stopped when nobody is served any more. */
  stopLater(stop: () => Promise<void>): void;
}

/** What answers the requests of one environment: an application per version, and those that have none. */
export function createEnvironmentHandler(parts: HandlerParts): Promise<RequestHandler> {
  const { environment, config, metrics, versions, box, api } = parts;
  const settings = { trustedProxies: config.trustedProxies, requestMs: config.requestMs };
  const configuredKey = config[environment.name].operatorKey;
  const signingKeys = createSigningKeys(box);
  metrics.watchPool(() => environment.database.poolUse());
  metrics.watchRelease(versions.lifecycle);
  const verifyToken = createTokenVerifier(environment, metrics.batchObserver('verify_token'));
  const handlers = operationHandlers(parts, signingKeys);
  return createDispatch({
    versions: new Map(
      [...api.values()].map((version) => [
        version.version,
        createVersionApp({ version, handlers, environment, box, verifyToken, settings }),
      ]),
    ),
    account: createAccountApp({ environment, settings }),
    operator: createOperatorApp({
      ...parts,
      configuredKey,
      secrets: { box, holders: [signingKeyHolder, webhookSecretHolder, keptAnswerHolder] },
      signingKeys,
      settings,
    }),
    service: createServiceApp({
      ...parts,
      releaseNotes: (version) => releaseNotes(version, parts.source.changeSets),
      signingKeys,
      settings,
    }),
  });
}

function operationHandlers(parts: HandlerParts, signingKeys: SigningKeys): OperationHandlers {
  const { environment, config, box } = parts;
  return {
    ...organizationHandlers,
    ...productHandlers,
    ...grantHandlers,
    ...clientFacingHandlers(parts, signingKeys),
    ...registrationHandlers({
      clock: environment.clock,
      findOperator: createOperatorFinder(environment, config[environment.name].operatorKey),
    }),
    ...userinfoHandlers,
    ...webhookHandlers({ box, rules: webhookTargetRules(config, environment.name) }),
  };
}

/** What clients call with their own secret: they share one throttle, and one note of which secret was used. */
function clientFacingHandlers(
  { environment, metrics, log, stopLater }: HandlerParts,
  signingKeys: SigningKeys,
): OperationHandlers {
  const { issuer, clock } = environment;
  const { note: noteUse, stop } = createSecretUse({
    scene: environment,
    onTrouble: (error) => log.warn({ internal: String(error) }, 'use of secrets not noted'),
  });
  stopLater(stop);
  const admission = { throttle: createClientThrottle(clock), noteUse };
  const gate = createClientGate(environment, admission, metrics.batchObserver('look_up'));
  return {
    ...oauthHandlers({
      issuer,
      introspectToken: createTokenIntrospector(gate, clock),
      revokeToken: createTokenRevoker(environment, gate, metrics.batchObserver('revoke')),
    }),
    ...bulkTokenHandlers({ issuer, gate, introspectTokens: createBatchIntrospector(environment, admission) }),
    ...tokenHandlers(createClientAuthenticator(environment, admission), createIdTokenSigner(signingKeys)),
    ...leakHandlers(clock),
  };
}
