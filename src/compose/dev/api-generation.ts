import type { IncomingMessage } from 'node:http';
import { createLiveContracts } from '@dateline/versions';
import type { Build } from '../../api/build.ts';
import { folderScopes } from '../../api/compose/compose-api.ts';
import { claimDatabase } from '../../api/folder/claim-database.ts';
import type { ApiFolder } from '../../api/folder/read-api-folder.ts';
import { createEnvironment, type Environment } from '../../environments/environment.ts';
import { createEdgeErrorWriter } from '../../http/api/error-shapes.ts';
import type { EdgeErrorWriter } from '../../http/edge/answer-error.ts';
import type { RequestHandler } from '../../http/edge/edge-state.ts';
import type { RecordOptions } from '../../http/edge/record-request.ts';
import { refuseClaimedAudience } from '../../oauth/clients/clients/audiences.ts';
import { knownScopes } from '../../oauth/scopes/scopes.ts';
import type { VersionLife } from '../../releases/version-life.ts';
import { followReleases } from '../background/follow-releases.ts';
import { createClosing } from '../closing.ts';
import { createLife, type EnvironmentRuntime } from '../environment-runtime.ts';
import { folderErrorWriter } from '../folder-errors.ts';
import type { EnvironmentData } from '../open-data.ts';
import { type Answers, type AnswersAt, createAnswers } from '../run-environment.ts';
import { unknownCallerRecord } from '../unknown-callers.ts';

/** The API as the folder has it at one time, with all that answers its requests. */
export interface ApiGeneration {
  readonly build: Build;
  readonly life: VersionLife;
  readonly environment: Environment;
  readonly problem: Answers['problem'];
  readonly writeError: EdgeErrorWriter;
  readonly recordUnknownCaller: RecordOptions['recordUnknownCaller'];
  readonly handle: RequestHandler;
  /** The request has ended. */
  ended(request: IncomingMessage): void;
  /** No more requests come: it is closed as soon as the last one has ended. */
  retire(): void;
  /** Closes it now. */
  close(): Promise<void>;
}

export interface GenerationParts {
  runtime: EnvironmentRuntime;
  data: EnvironmentData;
  build: Build;
  folder: ApiFolder;
  at: AnswersAt;
}

/** Makes what answers requests by a build. Throws a sentence where the folder cannot be served with this database. */
export async function createGeneration({
  runtime,
  data,
  build,
  folder,
  at,
}: GenerationParts): Promise<ApiGeneration> {
  const closing = createClosing();
  const life = createLife(runtime.options, build);
  const environment = environmentOf(data.environment, build, { life, folder });
  const own = { ...runtime, build, life, closing, metrics: withoutWatches(runtime.metrics) };
  try {
    await claimDatabase(environment, { id: folder.id, title: folder.config.title }, { adopts: false });
    await refuseClaimedAudience(environment, folder.config.upstream.audience);
    await followReleases(own, environment);
    const { handlers, problem } = await createAnswers(own, { environment, box: data.box }, at);
    const writeFolderError = folderErrorWriter(build, own);
    return {
      ...{ build, life, environment, problem },
      writeError: createEdgeErrorWriter(build.api, build.isApiPath, writeFolderError),
      recordUnknownCaller: unknownCallerRecord(own),
      ...countedRequests(handlers.open, () => closing.close(0)),
    };
  } catch (error) {
    await closing.close(0);
    throw error;
  }
}

/** The same data, with the contracts and scopes of another build. */
function environmentOf(
  { name, issuer, lifetimes, database }: Environment,
  build: Build,
  { life, folder }: { life: VersionLife; folder: ApiFolder },
): Environment {
  return createEnvironment({
    ...{ name, issuer, lifetimes, database },
    clock: life.clock,
    contracts: createLiveContracts(build.api, life.versions),
    scopes: knownScopes(folderScopes(folder)),
  });
}

/** What is watched for as long as the process runs is watched once. */
function withoutWatches(metrics: EnvironmentRuntime['metrics']): EnvironmentRuntime['metrics'] {
  return { ...metrics, watchPool() {}, watchRelease() {}, watchUpstream() {} };
}

function countedRequests(
  handle: RequestHandler,
  close: () => Promise<void>,
): Pick<ApiGeneration, 'handle' | 'ended' | 'retire' | 'close'> {
  const open = new WeakSet<IncomingMessage>();
  let count = 0;
  let isRetired = false;
  let closed: Promise<void> | null = null;

  function closeOnce(): Promise<void> {
    closed ??= close();
    return closed;
  }

  function closeIfUnused(): void {
    if (isRetired && count === 0) void closeOnce();
  }

  return {
    handle(request, response) {
      open.add(request);
      count += 1;
      handle(request, response);
    },
    ended(request) {
      if (!open.delete(request)) return;
      count -= 1;
      closeIfUnused();
    },
    retire() {
      isRetired = true;
      closeIfUnused();
    },
    close: closeOnce,
  };
}
