import type { Environment } from '../environments/environment.ts';
import type { SigningKeys } from '../oauth/signing/signing-keys.ts';
import type { UsageKeeper } from '../usage/keep-usage.ts';
import type { ReleaseDesk } from '../versions/release-desk.ts';
import type { ServedVersions } from '../versions/served-versions.ts';
import { createOperatorAuthenticator } from './authenticate-operator.ts';
import { type App, type AppSettings, createApp } from './create-app.ts';
import { auditRoutes } from './operator/audit.ts';
import { clientRoutes } from './operator/clients.ts';
import { leakRoutes } from './operator/leaks.ts';
import { memberRoutes } from './operator/members.ts';
import { operatorKeyRoutes } from './operator/operator-keys.ts';
import { organizationRoutes } from './operator/organizations.ts';
import { releaseRoutes } from './operator/release.ts';
import { type Secrets, secretKeyRoutes } from './operator/secret-key.ts';
import { signingKeyRoutes } from './operator/signing-keys.ts';
import { tokenRoutes } from './operator/tokens.ts';
import { usageRoutes } from './operator/usage.ts';
import { userRoutes } from './operator/users.ts';
import { webhookRoutes } from './operator/webhooks.ts';

export interface OperatorAppOptions {
  environment: Environment;
  configuredKey: string | null;
  desk: ReleaseDesk;
  versions: ServedVersions;
  usage: UsageKeeper;
  secrets: Secrets;
  signingKeys: SigningKeys;
  settings: AppSettings;
}

/** `/operator/*`: for those who run the service. Every request needs an operator key. */
export function createOperatorApp(options: OperatorAppOptions): App {
  const { environment, configuredKey, desk, versions, usage, secrets, signingKeys, settings } = options;
  const app = createApp(settings);
  app.addHook('onRequest', createOperatorAuthenticator(environment, configuredKey));
  organizationRoutes(app, environment);
  userRoutes(app, environment);
  memberRoutes(app, environment);
  operatorKeyRoutes(app, environment);
  clientRoutes(app, environment);
  releaseRoutes(app, { environment, desk, usage });
  usageRoutes(app, { environment, usage, versions });
  auditRoutes(app, environment);
  tokenRoutes(app, environment);
  leakRoutes(app, environment);
  webhookRoutes(app, environment);
  secretKeyRoutes(app, environment, secrets);
  signingKeyRoutes(app, environment, signingKeys);
  return app;
}
