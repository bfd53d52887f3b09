import { hostname } from 'node:os';
import { buildFacts } from '../../api/build.ts';
import { AWAITS_READERS, leaveSigns } from '../../doctor/node-signs.ts';
import { folderIdIn } from '../../doctor/sighting-file.ts';
import type { NodeSelf } from '../../doctor/store.ts';
import type { Environment } from '../../environments/environment.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** This process, as it describes itself to the others. */
export function selfOf({ nodeId, kind, options: { config }, build }: EnvironmentRuntime): NodeSelf {
  return {
    id: nodeId,
    name: `${hostname()} ${process.pid}`,
    kind,
    delivers: kind === 'worker' || config.delivers,
    folderId: kind === 'worker' ? null : folderIdIn(config.dataDir),
    build: {
      ...buildFacts(build),
      ...AWAITS_READERS,
      ...(config.databaseUrl === null ? {} : { database_pool: config.databasePoolMax }),
    },
  };
}

/** Starts to let others see that this process runs. */
export function leaveSignsIn(runtime: EnvironmentRuntime, environment: Environment): void {
  const { log, closing } = runtime;
  const stop = leaveSigns({
    environment,
    self: selfOf(runtime),
    onError: (error) => log.warn({ internal: String(error) }, 'sign of this node not stored'),
  });
  closing.stopThen(stop);
}
