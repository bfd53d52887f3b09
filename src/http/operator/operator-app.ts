import type { Brand } from '../../config/brand.ts';
import type { Finding } from '../../doctor/finding.ts';
import type { Environment } from '../../environments/environment.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { BackupMaker } from '../../recovery/backup/make-backup.ts';
import type { ReleaseDesk } from '../../releases/release-desk.ts';
import type { ServedVersions } from '../../releases/served-versions.ts';
import type { FailureKeeper } from '../../usage/failures/keep-failures.ts';
import type { UsageKeeper } from '../../usage/keep-usage.ts';
import type { FolderKinds } from '../../webhooks/publishing/folder-kinds.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { accessRoutes } from './access.ts';
import { createOperatorAuthenticator } from './acting-operator.ts';
import { auditRoutes } from './audit.ts';
import { backupRoutes } from './backup.ts';
import { clientRoutes } from './clients.ts';
import { createConsoleSessions } from './console-session.ts';
import { doctorRoutes } from './doctor.ts';
import { type EventMetrics, eventRoutes } from './events.ts';
import { failureRoutes } from './failures.ts';
import { leakRoutes } from './leaks.ts';
import { memberRoutes } from './members.ts';
import { collectOperations } from './operation.ts';
import { operatorKeyRoutes } from './operator-keys.ts';
import { operatorReferenceRoutes } from './operator-reference.ts';
import { organizationRoutes } from './organizations.ts';
import { registrationTokenRoutes } from './registration-tokens.ts';
import { releaseRoutes } from './release.ts';
import { scopeRoutes } from './scopes.ts';
import { searchRoutes } from './search/search.ts';
import { type Secrets, secretKeyRoutes } from './secret-key.ts';
import { sessionRoutes } from './sessions.ts';
import { signingKeyRoutes } from './signing-keys.ts';
import { standbyRoutes } from './standbys.ts';
import { tokenRoutes } from './tokens.ts';
import { usageRoutes } from './usage.ts';
import { userRoutes } from './users.ts';
import { type VersionChangesParts, versionChangesRoutes } from './version-changes.ts';
import { webhookOversightRoutes } from './webhook-oversight.ts';
import { webhookRoutes } from './webhooks.ts';

export interface OperatorAppOptions extends VersionChangesParts {
  environment: Environment;
  configuredKey: string | null;
  desk: ReleaseDesk;
  versions: ServedVersions;
  usage: UsageKeeper;
  failures: FailureKeeper;
  secrets: Secrets;
  signingKeys: SigningKeys;
  backups: BackupMaker;
  folderKinds: FolderKinds;
  metrics: EventMetrics;
  /** The id of this process among the nodes. */
  nodeId: string;
  /** Looks for what is wrong with this environment. */
  examine(beforeProduction: boolean): Promise<Finding[]>;
  settings: AppSettings;
  brand: Brand;
  /** Where operators are served apart from everybody else; null where they are not. */
  operatorUrl: string | null;
}

/** `/operator/*`: for operators. Every operation declares who may call it; one that does not stops the start. */
export function createOperatorApp(options: OperatorAppOptions): App {
  const { environment, configuredKey, desk, versions, usage, secrets, signingKeys, folderKinds, metrics } =
    options;
  const { examine, settings } = options;
  const app = createApp(settings);
  const operations = collectOperations(app);
  const consoleSessions = createConsoleSessions(environment, configuredKey);
  app.addHook('onRequest', createOperatorAuthenticator(environment, configuredKey, consoleSessions));
  sessionRoutes(app, consoleSessions);
  organizationRoutes(app, environment);
  userRoutes(app, environment);
  memberRoutes(app, environment);
  accessRoutes(app, environment);
  operatorKeyRoutes(app, environment);
  scopeRoutes(app, environment);
  clientRoutes(app, environment);
  registrationTokenRoutes(app, environment);
  releaseRoutes(app, { environment, desk, usage });
  versionChangesRoutes(app, options);
  usageRoutes(app, { environment, usage, versions });
  failureRoutes(app, environment, options.failures);
  searchRoutes(app, environment, options.failures);
  auditRoutes(app, environment);
  tokenRoutes(app, environment);
  leakRoutes(app, environment);
  webhookRoutes(app, environment);
  webhookOversightRoutes(app, environment);
  eventRoutes(app, { environment, folderKinds, metrics });
  secretKeyRoutes(app, environment, secrets);
  signingKeyRoutes(app, environment, signingKeys);
  backupRoutes(app, environment, options.backups);
  doctorRoutes(app, environment, { examine, nodeId: options.nodeId });
  standbyRoutes(app, environment);
  operatorReferenceRoutes(app, options, operations);
  return app;
}
