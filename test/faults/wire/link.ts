import type { Socket } from 'node:net';
import { createLane } from '../../support/database/byte-lane.ts';
import { type Asked, createAskedReader } from './asked.ts';
import { createMessageReader, type Message } from './messages.ts';
import type { Strike, Strikes } from './strike.ts';
import type { Weather } from './weather.ts';

/** One connection of a client to the server. */
export interface Link {
  /** Loses every byte from here on, without closing. */
  silence(): void;
  /** Delivers what was held back. */
  release(): void;
  end(): void;
  onEnd(call: () => void): void;
}

export interface LinkParts {
  client: Socket;
  server: Socket;
  strikes: Strikes;
  weather(): Weather;
}

/** What was asked and has no `ReadyForQuery` yet, with what is to happen to its answer. */
interface Awaited {
  strike: Strike | null;
  answer: Buffer[];
}

/** So long after it was passed on, a statement counts as running. */
const RUNNING_AFTER_MS = 2;

export function createLink({ client, server, strikes, weather }: LinkParts): Link {
  const lanes = { toServer: createLane(server), toClient: createLane(client) };
  const readClient = createMessageReader({ beginsWithStartup: true });
  const readServer = createMessageReader({ beginsWithStartup: false });
  const readAsked = createAskedReader();
  const awaited: Awaited[] = [];
  const ended = new Set<() => void>();
  let isSilent = weather().isSilent;
  let isOpen = true;

  function carry(direction: 'toServer' | 'toClient', bytes: Buffer): void {
    if (isSilent) return;
    const { delayMs, held } = weather();
    if (held.includes(direction)) lanes[direction].hold();
    lanes[direction].carry(bytes, delayMs);
  }

  function ask(asked: Asked): void {
    const strike = strikes.meet(asked.texts);
    if (strike?.at === 'before') {
      if (strike.blow === 'cut') return end();
      if (strike.blow === 'silent') return silence();
      lanes.toServer.hold();
    }
    awaited.push({ strike: strike?.at === 'before' ? null : strike, answer: [] });
    carry('toServer', asked.bytes);
    if (strike?.at !== 'during') return;
    if (strike.blow === 'hold') return lanes.toClient.hold();
    setTimeout(strike.blow === 'cut' ? end : silence, RUNNING_AFTER_MS);
  }

  function answer(message: Message): void {
    const [first] = awaited;
    const at = first?.strike?.at;
    const isWhole = message.type === 'Z';
    if (first && (at === 'after' || at === 'torn')) {
      first.answer.push(message.bytes);
      if (!isWhole) return;
      awaited.shift();
      return strikeAnswer(first.strike, Buffer.concat(first.answer));
    }
    if (isWhole && first) awaited.shift();
    carry('toClient', message.bytes);
  }

  function strikeAnswer(strike: Strike | null, bytes: Buffer): void {
    if (strike?.at === 'torn') {
      carry('toClient', bytes.subarray(0, Math.ceil(bytes.length / 2)));
      // Once the half is on its way.
      return lanes.toClient.afterAll(() => void setImmediate(end));
    }
    if (strike?.blow === 'cut') return end();
    if (strike?.blow === 'silent') return silence();
    lanes.toClient.hold();
    carry('toClient', bytes);
  }

  function silence(): void {
    isSilent = true;
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    client.destroy();
    server.destroy();
    for (const call of ended) call();
    ended.clear();
  }

  client.on('data', (chunk) => {
    for (const message of readClient(chunk)) {
      // No: we could not read what follows.
      if (message.type === 'wish') {
        client.write('N');
        continue;
      }
      const arrived = readAsked(message);
      if (arrived === null || !isOpen) continue;
      if ('asked' in arrived) ask(arrived.asked);
      else carry('toServer', arrived.other);
    }
  });
  server.on('data', (chunk) => {
    // One packet for what came in one.
    client.cork();
    for (const message of readServer(chunk)) if (isOpen) answer(message);
    client.uncork();
  });
  client.on('error', () => {}).on('close', end);
  // Also where the other side of a silent connection is closed: whoever waits is to go on waiting.
  server
    .on('error', () => {})
    .on('close', () => lanes.toClient.afterAll(() => (isSilent ? undefined : end())));
  return {
    silence,
    release() {
      for (const one of awaited) {
        // What was to be held back after its answer is held no more.
        if (one.strike?.blow === 'hold') one.strike = null;
        for (const bytes of one.answer.splice(0)) carry('toClient', bytes);
      }
      lanes.toServer.release();
      lanes.toClient.release();
    },
    end,
    onEnd: (call) => void ended.add(call),
  };
}
