import { type Arrival, NODES } from '../clients/history.ts';
import { descendantsOf, signal } from '../deployment/processes.ts';
import type { Receiver, ReceiverMode } from '../deployment/receivers.ts';
import type { UpstreamMode } from '../deployment/start-upstream.ts';
import type { FaultKind } from './fault.ts';

/** What stands around the service: receivers of webhooks, the upstream, PgBouncer. */
export const outsideKinds: readonly FaultKind[] = [
  onReceiver('a receiver answers 500', 'error'),
  onReceiver('a receiver answers 429', 'busy'),
  onReceiver('a receiver is slow', 'slow'),
  onReceiver('a receiver breaks off before it has read', 'cut before'),
  onReceiver('a receiver has read, and breaks off instead of answering', 'cut after'),
  onReceiver('a receiver reads, and does not answer', 'hang'),
  {
    name: 'a receiver is gone',
    on: 'receiver',
    weight: 0.7,
    recovers: ['deliveries'],
    begin({ deployment, history, target }, random) {
      const receiver = deployment.receivers.find(({ name }) => name === target) as Receiver;
      receiver.leave();
      const sinceMs = performance.now();
      return {
        nodes: [],
        wasMet: () => publishedSince(history.operations, sinceMs),
        lastsMs: random.between(400, 1_200),
        heal: receiver.comeBack,
      };
    },
  },
  onUpstream('the upstream answers 500', 'error'),
  onUpstream('the upstream is slow', 'slow'),
  onUpstream('the upstream breaks off', 'cut'),
  onUpstream('the upstream breaks off in the middle of its answer', 'torn'),
  onUpstream('the upstream does not answer', 'hang'),
  {
    name: 'the upstream is killed with -9',
    on: 'upstream',
    weight: 0.7,
    recovers: ['upstream'],
    begin({ deployment }) {
      deployment.upstream.kill();
      return { nodes: NODES, meets: isForwarded, lastsMs: 400, heal() {} };
    },
  },
  {
    name: 'the upstream is frozen',
    on: 'upstream',
    weight: 0.7,
    recovers: ['upstream'],
    begin({ deployment }, random) {
      deployment.upstream.freeze();
      return {
        nodes: NODES,
        meets: isForwarded,
        lastsMs: random.between(600, 2_000),
        heal: deployment.upstream.thaw,
      };
    },
  },
  {
    name: 'PgBouncer is killed with -9, and started again',
    on: 'node',
    targets: ['b'],
    weight: 0.9,
    recovers: ['requests'],
    async begin({ deployment }) {
      await deployment.bouncer.restart();
      return { nodes: ['b'], lastsMs: 50, heal() {} };
    },
  },
  {
    name: 'PgBouncer is frozen',
    on: 'node',
    targets: ['b'],
    weight: 0.9,
    recovers: ['requests'],
    async begin(_world, random) {
      const found = (await descendantsOf(process.pid)).filter(({ command }) => /pgbouncer/.test(command));
      for (const { pid } of found) signal(pid, 'SIGSTOP');
      return {
        nodes: ['b'],
        lastsMs: random.between(600, 2_000),
        heal() {
          for (const { pid } of found) signal(pid, 'SIGCONT');
        },
      };
    },
  },
];

const isForwarded = ({ what }: { what: string }): boolean => what === 'call' || what === 'order';

function onReceiver(name: string, mode: ReceiverMode): FaultKind {
  return {
    name,
    on: 'receiver',
    weight: 0.7,
    recovers: ['deliveries'],
    begin({ deployment, history, target }, random) {
      const receiver = deployment.receivers.find(({ name: one }) => one === target) as Receiver;
      const sinceMs = performance.now();
      receiver.behave(mode);
      const met = (): boolean =>
        mode === 'cut before'
          ? publishedSince(history.operations, sinceMs)
          : arrivedSince(history.arrivals, target, sinceMs);
      return {
        nodes: [],
        wasMet: met,
        lastsMs: random.between(500, 1_200),
        heal: () => receiver.behave('well'),
      };
    },
  };
}

function onUpstream(name: string, mode: UpstreamMode): FaultKind {
  return {
    name,
    on: 'upstream',
    weight: 0.7,
    recovers: ['upstream'],
    async begin({ deployment }, random) {
      await deployment.upstream.behave(mode);
      return {
        nodes: NODES,
        meets: isForwarded,
        lastsMs: random.between(500, 1_500),
        heal: () => deployment.upstream.behave('well'),
      };
    },
  };
}

function arrivedSince(arrivals: readonly Arrival[], name: string, sinceMs: number): boolean {
  return arrivals.some(({ receiver, atMs }) => receiver === name && atMs >= sinceMs);
}

function publishedSince(
  operations: readonly { what: string; beganMs: number; result: string | null }[],
  sinceMs: number,
): boolean {
  return operations.some(
    ({ what, beganMs, result }) => what === 'publish' && beganMs >= sinceMs && result === 'done',
  );
}
