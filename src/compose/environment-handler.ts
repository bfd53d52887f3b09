import { type ApiSource, type CompiledApi, releaseNotes } from '@dateline/versions';
import { examine } from '../doctor/examine.ts';
import { createAccountApps } from '../http/account/account-app.ts';
import { createVersionApp } from '../http/api/version-app.ts';
import { createDispatch } from '../http/edge/dispatch.ts';
import type { RequestHandler } from '../http/edge/edge-state.ts';
import { createOperatorApp } from '../http/operator/operator-app.ts';
import { createServiceApp } from '../http/site/site-app.ts';
import { keptAnswerHolder } from '../idempotency/sealed-answers.ts';
import { signingKeyHolder } from '../oauth/signing/make-signing-key.ts';
import { createSigningKeys } from '../oauth/signing/signing-keys.ts';
import { createTokenVerifier } from '../oauth/tokens/verify-token.ts';
import type { ReleaseDesk } from '../releases/release-desk.ts';
import type { ServedVersions } from '../releases/served-versions.ts';
import type { MetricsText } from '../telemetry/metrics-text.ts';
import type { UsageKeeper } from '../usage/keep-usage.ts';
import { webhookSecretHolder } from '../webhooks/endpoints/endpoint-secrets.ts';
import type { OwnKinds } from '../webhooks/publishing/own-kinds.ts';
import { createOperationHandlers, type OperationParts } from './operation-handlers.ts';

export interface HandlerParts extends Omit<OperationParts, 'signingKeys'> {
  metricsText: MetricsText;
  versions: ServedVersions;
  desk: ReleaseDesk;
  source: ApiSource;
  api: CompiledApi;
  ownKinds: OwnKinds;
  usage: UsageKeeper;
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
  const handlers = createOperationHandlers({ ...parts, signingKeys });
  return createDispatch({
    versions: new Map(
      [...api.values()].map((version) => [
        version.version,
        createVersionApp({ version, handlers, environment, box, verifyToken, settings }),
      ]),
    ),
    ...createAccountApps({ environment, api, settings }),
    operator: createOperatorApp({
      ...parts,
      configuredKey,
      secrets: { box, holders: [signingKeyHolder, webhookSecretHolder, keptAnswerHolder] },
      signingKeys,
      examine: () => examine({ environment, config, box, signingKeys }),
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
