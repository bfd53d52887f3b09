import { isOlderThanStandbyReads, listNodes } from '../../doctor/node-signs.ts';
import type { Environment } from '../../environments/environment.ts';
import { keepLease } from '../../standbys/keep-lease.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to read tokens from the standbys of the settings. */
export function keepLeasesIn(
  { nodeId, closing, log, metrics }: EnvironmentRuntime,
  environment: Environment,
): void {
  const { database, standbys, untilReadersSee } = environment;
  for (const standby of standbys.links) {
    const stop = keepLease({
      database,
      nodeId,
      standby,
      refusal: () => olderNode(environment, nodeId),
      onChange({ problem }) {
        if (problem === null) log.info({ standby: standby.name }, 'tokens are read from a standby');
        else log.warn({ standby: standby.name, internal: problem }, 'tokens are not read from a standby');
      },
    });
    closing.stopThen(stop);
  }
  metrics.watchStandbys(standbys);
  metrics.watchWaits(untilReadersSee.counts);
}

/** A node that ends access without waiting for readers: it must be gone before there is one. */
async function olderNode(environment: Environment, nodeId: string): Promise<string | null> {
  const nodes = await listNodes(environment, nodeId);
  const older = nodes.find((node) => node.state === 'live' && isOlderThanStandbyReads(node));
  return older
    ? `the node ${older.name} has an older build, which ends access without waiting for standbys`
    : null;
}
