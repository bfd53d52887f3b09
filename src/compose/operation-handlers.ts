import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import type { Environment } from '../environments/environment.ts';
import type { OperationHandlers } from '../http/api/handler.ts';
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
import { createAdminFinder } from '../identity/operator-keys.ts';
import { createCodeExchanger } from '../oauth/authorize/codes/exchange-code.ts';
import { createClientThrottle } from '../oauth/clients/authentication/admit-client.ts';
import { createClientAuthenticator } from '../oauth/clients/authentication/authenticate-client.ts';
import { createSecretUse } from '../oauth/clients/authentication/secret-use.ts';
import { createClientCredentialsIssuer } from '../oauth/grants/client-credentials.ts';
import { createTokenRefresher } from '../oauth/grants/refresh/refresh-token.ts';
import { createIdTokenSigner } from '../oauth/signing/id-token.ts';
import type { SigningKeys } from '../oauth/signing/signing-keys.ts';
import { createClientGate, createStandbyGate } from '../oauth/tokens/client-gate.ts';
import { createBatchIntrospector } from '../oauth/tokens/introspect-batch.ts';
import { createTokenIntrospector } from '../oauth/tokens/introspect-token.ts';
import { createTokenRevoker } from '../oauth/tokens/revoke-token.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { TargetRules } from '../webhooks/sending/target-rules.ts';

export interface OperationParts {
  environment: Environment;
  config: Config;
  log: Logger;
  metrics: Metrics;
  box: SecretBox;
  signingKeys: SigningKeys;
  targetRules: TargetRules;
  /** Registers what must be stopped once no request is served any more. */
  stopLater(stop: () => Promise<void>): void;
}

/** The handlers of all operations, one for all versions. */
export function createOperationHandlers(parts: OperationParts): OperationHandlers {
  const { environment, config, box } = parts;
  return {
    ...organizationHandlers,
    ...productHandlers,
    ...grantHandlers,
    ...clientFacingHandlers(parts),
    ...registrationHandlers({
      clock: environment.clock,
      findOperator: createAdminFinder(environment, config[environment.name].operatorKey),
    }),
    ...userinfoHandlers,
    ...webhookHandlers({ box, rules: parts.targetRules, endpointsMax: config.webhookEndpointsMax }),
  };
}

/** Operations that clients call with their own secret. They share one throttle and one record of used secrets. */
function clientFacingHandlers({ environment, metrics, log, signingKeys, stopLater }: OperationParts) {
  const { issuer, clock } = environment;
  const { note: noteUse, stop } = createSecretUse({
    context: environment,
    onError: (error) => log.warn({ internal: String(error) }, 'last use of secrets not stored'),
  });
  stopLater(stop);
  const admission = { throttle: createClientThrottle(clock), noteUse };
  const gate = createClientGate(environment, admission, metrics.batchObserver('look_up'));
  return {
    ...oauthHandlers({
      issuer,
      introspectToken: createTokenIntrospector(environment, {
        primary: gate,
        standby: createStandbyGate(environment, admission),
      }),
      revokeToken: createTokenRevoker(environment, gate, metrics.batchObserver('revoke')),
    }),
    ...bulkTokenHandlers({ issuer, gate, introspectTokens: createBatchIntrospector(environment, admission) }),
    ...tokenHandlers({
      authenticate: createClientAuthenticator(environment, admission, metrics.batchObserver('authenticate')),
      issueClientCredentialsToken: createClientCredentialsIssuer(environment, metrics.batchObserver('issue')),
      refreshToken: createTokenRefresher(environment, {
        find: metrics.batchObserver('find'),
        rotate: metrics.batchObserver('rotate'),
      }),
      exchangeCode: createCodeExchanger(environment, createIdTokenSigner(signingKeys), {
        find: metrics.batchObserver('find_codes'),
        use: metrics.batchObserver('use_codes'),
      }),
    }),
    ...leakHandlers(clock),
  };
}
