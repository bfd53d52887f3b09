import { NODES } from '../clients/history.ts';
import type { FaultKind } from './fault.ts';

/** The synchronous standby takes over. */
export const promotionKinds: readonly FaultKind[] = [
  promotion('a promotion of the synchronous standby, the primary dead', 'dead'),
  promotion('a promotion of the synchronous standby, the primary alive and cut off', 'cut off'),
  {
    name: 'a promotion of the synchronous standby, after its waits were cut before it heard of them',
    on: 'cluster',
    weight: 0.8,
    recovers: ['requests', 'deliveries'],
    async begin({ deployment }, random) {
      const { sync, primary, promote } = deployment.cluster;
      sync.link.hold('toClient');
      const untilMs = Date.now() + random.between(1_000, 2_500);
      while (Date.now() < untilMs) {
        const ends = random.pick(['pg_cancel_backend', 'pg_terminate_backend']);
        await primary
          .sql(`select ${ends}(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
          .catch(() => []);
      }
      // What it was not sent is gone with the old primary: nobody may have been told that it was done.
      await promote(random.pick(['dead', 'cut off'] as const));
      return { nodes: NODES, heal() {} };
    },
  },
];

export const isPromotion = (kind: string): boolean => promotionKinds.some(({ name }) => name === kind);

function promotion(name: string, old: 'dead' | 'cut off'): FaultKind {
  return {
    name,
    on: 'cluster',
    weight: 0.8,
    recovers: ['requests', 'deliveries'],
    async begin({ deployment }) {
      await deployment.cluster.promote(old);
      return { nodes: NODES, heal() {} };
    },
  };
}
