import { connect, createServer, type Server, type Socket } from 'node:net';
import { createLink, type Link } from './link.ts';
import { createStrikes, type Strike } from './strike.ts';
import { calm, type Direction, type Weather } from './weather.ts';

/** A way to PostgreSQL that reads its protocol, and that a fault can disturb. */
export interface PostgresWay {
  readonly port: number;
  connections(): number;
  /** How many statements were struck since the way was opened. */
  struck(): number;
  strike(strike: Strike): void;
  /** Everything arrives so much later, in its order. */
  delay(ms: number): void;
  /** Keeps back all that goes in this direction. */
  hold(direction: Direction): void;
  /** Connections that are open now lose everything from here on, and neither side is told; new ones work. */
  halfOpen(): void;
  /** The same for all connections, new ones too. */
  silence(): void;
  /** Closes all connections at once. */
  cut(): void;
  /** New connections are refused; open ones go on. */
  refuse(): Promise<void>;
  /** New connections go to another port. */
  retarget(port: number): void;
  /** Back to normal: what was held back arrives now. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function openPostgresWay(targetPort: number): Promise<PostgresWay> {
  const links = new Set<Link>();
  const strikes = createStrikes();
  let target = targetPort;
  let weather: Weather = calm;
  let server: Server | null = null;
  let port = 0;

  async function open(): Promise<void> {
    const listening = createServer({ noDelay: true }, accept);
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    ({ port } = listening.address() as { port: number });
    server = listening;
  }

  function accept(client: Socket): void {
    const upstream = connect({ host: '127.0.0.1', port: target, noDelay: true });
    const link = createLink({ client, server: upstream, strikes, weather: () => weather });
    links.add(link);
    link.onEnd(() => links.delete(link));
  }

  async function refuse(): Promise<void> {
    server?.close();
    server = null;
    // The handle of a listening socket is gone one turn later.
    await new Promise((resolve) => setImmediate(resolve));
  }

  await open();
  return {
    port,
    connections: () => links.size,
    struck: strikes.count,
    strike: strikes.add,
    delay(ms) {
      weather = { ...weather, delayMs: ms };
    },
    hold(direction) {
      weather = { ...weather, held: [...weather.held, direction] };
    },
    halfOpen() {
      for (const link of links) link.silence();
    },
    silence() {
      weather = { ...weather, isSilent: true };
      for (const link of links) link.silence();
    },
    cut() {
      for (const link of links) link.end();
    },
    refuse,
    retarget(to) {
      target = to;
    },
    async resume() {
      weather = calm;
      strikes.clear();
      for (const link of links) link.release();
      if (!server) await open();
    },
    async close() {
      await refuse();
      for (const link of links) link.end();
    },
  };
}
