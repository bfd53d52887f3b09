import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment, ServingNode } from '../deployment/deployment.ts';
import { type Random, randomOf } from '../seeded/random.ts';
import { actors } from './actors.ts';
import type { Cast } from './cast.ts';
import type { History, NodeName, Operation } from './history.ts';
import { createKnownTokens, type KnownTokens } from './known-tokens.ts';
import { type Requests, requestsOf } from './requests.ts';

/** What an actor plays with. */
export interface Stage {
  random: Random;
  requests: Requests;
  known: KnownTokens;
  cast: Cast;
  /** Any node, and this actor's own more often than the others. */
  anyNode(): ServingNode;
  otherNodes(than: NodeName): ServingNode[];
  /** Repeats a request as clients are told to, each time at any node, until it is answered; null once all is over. */
  untilAnswered(send: (node: ServingNode) => Promise<Operation>): Promise<Operation | null>;
  /** A name that was never used before. */
  newName(): string;
  isOver(): boolean;
}

export interface RunningClients {
  known: KnownTokens;
  /** No new request is begun by those who change something; what is in flight is awaited. */
  stop(): Promise<void>;
}

/** Between two requests of an actor. */
const PACE_MS = 45;
const RETRY_MS = 250;
/** Beside its own node, an actor asks others so often. */
const ELSEWHERE = 0.4;

export function startClients(
  deployment: Deployment,
  cast: Cast,
  { history, seed }: { history: History; seed: string },
): RunningClients {
  const requests = paced(requestsOf(history, cast, deployment.operatorKey));
  const known = createKnownTokens();
  let over = false;
  let names = 0;

  function stageOf(home: ServingNode, number: number): Stage {
    const random = randomOf(`${seed}:client ${number}`);
    const anyNode = (): ServingNode => (random.next() < ELSEWHERE ? random.pick(deployment.nodes) : home);
    return {
      random,
      requests,
      known,
      cast,
      anyNode,
      otherNodes: (than) => deployment.nodes.filter(({ name }) => name !== than),
      async untilAnswered(send) {
        for (let node = anyNode(); !over; node = random.pick(deployment.nodes)) {
          const operation = await send(node);
          if (operation.result === 'done' || operation.result === 'refused') return operation;
          await pause(RETRY_MS);
        }
        return null;
      },
      newName() {
        names += 1;
        return `${seed}-${names}`;
      },
      isOver: () => over,
    };
  }

  async function play(act: (stage: Stage) => Promise<void>, stage: Stage): Promise<void> {
    while (!stage.isOver()) {
      await act(stage);
      await pause(PACE_MS);
    }
  }

  const playing = deployment.nodes.flatMap((home, place) =>
    actors.map((act, index) => play(act, stageOf(home, place * actors.length + index))),
  );
  return {
    known,
    async stop() {
      over = true;
      await Promise.all(playing);
    },
  };
}

/** Rests after each request, so that clients leave the processor to the service. */
function paced(requests: Requests): Requests {
  return Object.fromEntries(
    Object.entries(requests).map(([name, send]) => [
      name,
      async (...given: unknown[]) => {
        const operation = await (send as (...args: unknown[]) => Promise<Operation>)(...given);
        await pause(PACE_MS);
        return operation;
      },
    ]),
  ) as unknown as Requests;
}
