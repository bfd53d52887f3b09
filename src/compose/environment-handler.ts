import { resolve } from 'node:path';
import { type ApiVersion, type CompiledVersion, releaseNotes } from '@dateline/versions';
import type { Build } from '../api/build.ts';
import type { ApiFolder } from '../api/folder/read-api-folder.ts';
import type { Brand } from '../config/brand.ts';
import type { Config } from '../config/load-config.ts';
import { examine } from '../doctor/examine.ts';
import { examineProduction } from '../doctor/production/examine-production.ts';
import { createAccountApps } from '../http/account/account-app.ts';
import { createVersionApp } from '../http/api/version-app.ts';
import type { App } from '../http/app/create-app.ts';
import { createDispatch, createOperatorDispatch } from '../http/edge/dispatch.ts';
import type { RequestHandler } from '../http/edge/edge-state.ts';
import { createOperatorApp } from '../http/operator/operator-app.ts';
import { createOperatorSiteApp, createServiceApp } from '../http/site/site-app.ts';
import { keptAnswerHolder } from '../idempotency/sealed-answers.ts';
import { signingKeyHolder } from '../oauth/signing/make-signing-key.ts';
import { createTokenVerifier } from '../oauth/tokens/verify-token.ts';
import type { BackupMaker } from '../recovery/backup/make-backup.ts';
import type { ReleaseDesk } from '../releases/release-desk.ts';
import type { ServedVersions } from '../releases/served-versions.ts';
import type { MetricsText } from '../telemetry/metrics-text.ts';
import type { FailureKeeper } from '../usage/failures/keep-failures.ts';
import type { UsageKeeper } from '../usage/keep-usage.ts';
import { webhookSecretHolder } from '../webhooks/endpoints/endpoint-secrets.ts';
import { folderErrorWriter } from './folder-errors.ts';
import { createOperationHandlers, type OperationParts } from './operation-handlers.ts';
import type { ServedFolder } from './serve-folder.ts';

export interface HandlerParts extends OperationParts {
  metricsText: MetricsText;
  versions: ServedVersions;
  desk: ReleaseDesk;
  build: Build;
  /** The operator's own API, where there is one. */
  folder: ServedFolder | null;
  usage: UsageKeeper;
  failures: FailureKeeper;
  /** The id of this process among the nodes. */
  nodeId: string;
  backups: BackupMaker;
  /** The address of the operators' own listener; null if there is none. */
  operatorUrl: string | null;
  /** Where the other environment serves its console: see `otherConsole`. */
  otherConsole: string | null;
}

export interface EnvironmentHandlers {
  open: RequestHandler;
  /** For the operators' own listener, where there is one. */
  operator: RequestHandler | null;
}

/** The request handlers of one environment: an app per version, and the apps without versions. */
export async function createEnvironmentHandlers(parts: HandlerParts): Promise<EnvironmentHandlers> {
  const { environment, config, metrics, versions, box, build, folder, signingKeys, operatorUrl } = parts;
  const { api } = build;
  const brand = brandOf(config, build.folder);
  const settings = { trustedProxies: config.trustedProxies, requestMs: config.requestMs };
  const configuredKey = config[environment.name].operatorKey;
  metrics.watchPool(() => environment.database.poolUse());
  metrics.watchRelease(versions.lifecycle);
  const verifyToken = createTokenVerifier(environment, metrics.batchObserver('verify_token'));
  const handlers = createOperationHandlers(parts);
  const about = { api, releaseNotes: (version: ApiVersion) => releaseNotes(version, build.changeSets) };
  const operator = createOperatorApp({
    ...parts,
    ...about,
    configuredKey,
    secrets: { box, holders: [signingKeyHolder, webhookSecretHolder, keptAnswerHolder] },
    signingKeys,
    folderKinds: build.folderKinds,
    examine: (beforeProduction) => {
      const { nodeId } = parts;
      const examined = { environment, config, box, signingKeys, nodeId, upstream: folder?.upstream };
      return beforeProduction ? examineProduction(examined) : examine(examined);
    },
    settings,
    brand,
  });
  const isApart = operatorUrl !== null;
  const open = await createDispatch(
    {
      versions: appsOf(build, (version) =>
        createVersionApp({
          version,
          handlers,
          environment,
          box,
          verifyToken,
          settings,
          ...(folder && { folder: folder.serve(version.version) }),
        }),
      ),
      ...createAccountApps({ environment, api, settings, brand }),
      operator: isApart ? null : operator,
      service: createServiceApp({
        ...parts,
        ...about,
        metricsText: isApart ? null : parts.metricsText,
        signingKeys,
        settings,
        brand,
        writeFolderError: folderErrorWriter(build, parts),
      }),
    },
    build.isApiPath,
  );
  if (!isApart) return { open, operator: null };
  const site = createOperatorSiteApp({ ...parts, settings, brand });
  return { open, operator: await createOperatorDispatch({ operator, site }) };
}

/** The app of each version. The one after Next is as Next until somebody changes it: they share one, whose routes are many. */
function appsOf(
  { api, changeSets, frozen }: Pick<Build, 'api' | 'changeSets' | 'frozen'>,
  create: (version: CompiledVersion) => App,
): Map<ApiVersion, App> {
  const apps = new Map<ApiVersion, App>();
  for (const [id, version] of api) {
    const step = changeSets.find(({ newer }) => newer === id);
    const isAsOlder = step?.changes.length === 0 && !frozen.includes(step.older);
    apps.set(id, (isAsOlder && apps.get(step.older)) || create(version));
  }
  return apps;
}

/** The brand of the pages: from the settings, else from the API folder, else ours. */
export function brandOf({ brand: set }: Config, folder: ApiFolder | null): Brand {
  const { title, brand: written } = folder?.config ?? {};
  const logo = folder && written?.logo !== undefined ? resolve(folder.folder, written.logo) : null;
  return {
    name: set.name ?? written?.name ?? title ?? 'Dateline',
    colour: set.colour ?? written?.colour ?? null,
    logo: set.logo ?? logo,
  };
}
