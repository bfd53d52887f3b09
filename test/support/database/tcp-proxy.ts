import { connect, createServer, type Server, type Socket } from 'node:net';
import { createLane } from './byte-lane.ts';

/** Which way bytes go: from the node to PostgreSQL, or back. */
export type Direction = 'toServer' | 'toClient';

/** A TCP proxy between a node and PostgreSQL that a test can disturb. */
export interface TcpProxy {
  /** The address of the target with the proxy in its place. */
  readonly url: string;
  /** Number of open connections. */
  connections(): number;
  /** Number of times that nodes have sent this text, also if it was lost. */
  seen(text: string): number;
  /** Every byte arrives so much later, in its order. */
  delay(byMs: Partial<Record<Direction, number>>): void;
  /** Keeps back all that goes this way until `resume`; nothing of it is lost. */
  hold(direction: Direction): void;
  /** Lets the next commit of a transaction that sent this text through, and keeps its answer back, on that connection alone. */
  holdCommitAfter(text: string): void;
  /** The same for the next statement that contains this text, and commits by itself. */
  holdAnswerTo(text: string): void;
  /** Connections that are open now are dead from here on, and neither side is notified; new ones work. */
  halfOpen(): void;
  /** Accepts connections, and loses every byte of all of them; those stay dead after `resume`. */
  blackhole(): void;
  /** Closes all connections at once. */
  cut(): void;
  /** New connections are refused; open ones go on. */
  refuse(): Promise<void>;
  /** New connections go to another server. */
  retarget(targetUrl: string): void;
  /** Back to normal: what was held back arrives now. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

const DIRECTIONS: readonly Direction[] = ['toServer', 'toClient'];

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const links = new Set<Link>();
  const sent: Buffer[] = [];
  let target = addressOf(targetUrl);
  let weather = calm();
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
    client.on('data', (bytes) => sent.push(bytes));
    const link = createLink({ client, server: connect({ ...target, noDelay: true }) }, () => weather);
    links.add(link);
    link.onEnd(() => links.delete(link));
  }

  async function refuse(): Promise<void> {
    // Its 'close' event waits for all connections; those go on here.
    server?.close();
    server = null;
    // The handle of a listening socket is gone one turn later.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** What a connection has sent before is not the next that it sends. */
  function holdNext(heldCommit: NonNullable<Weather['heldCommit']>): void {
    for (const link of links) link.forget();
    weather = { ...weather, heldCommit };
  }

  await open();
  return {
    url: throughPort(targetUrl, port),
    connections: () => links.size,
    seen: (text) => Buffer.concat(sent).toString('latin1').split(text).length - 1,
    delay(byMs) {
      weather = { ...weather, delayMs: { ...weather.delayMs, ...byMs } };
    },
    hold(direction) {
      weather = { ...weather, held: { ...weather.held, [direction]: true } };
    },
    holdCommitAfter: (text) => holdNext({ text, end: /commit\0$/ }),
    holdAnswerTo: (text) => holdNext({ text, end: /$/ }),
    halfOpen() {
      for (const link of links) link.die();
    },
    blackhole() {
      weather = { ...weather, lost: true };
      for (const link of links) link.die();
    },
    cut() {
      for (const link of links) link.end();
    },
    refuse,
    retarget(url) {
      target = addressOf(url);
    },
    async resume() {
      weather = calm();
      for (const link of links) link.release();
      if (!server) await open();
    },
    async close() {
      await refuse();
      for (const link of links) link.end();
    },
  };
}

/** The present treatment of bytes. */
interface Weather {
  delayMs: Readonly<Record<Direction, number>>;
  held: Readonly<Record<Direction, boolean>>;
  /** The commit whose answer is to be held back: after this text, with this end. None once a connection has sent it. */
  heldCommit: { text: string; end: RegExp } | null;
  /** True if new connections lose every byte. */
  lost: boolean;
}

function calm(): Weather {
  return {
    delayMs: { toServer: 0, toClient: 0 },
    held: { toServer: false, toClient: false },
    heldCommit: null,
    lost: false,
  };
}

interface Link {
  /** Does not know any more what it has sent. */
  forget(): void;
  /** Loses every byte from here on, without closing. */
  die(): void;
  /** Delivers what was held back. */
  release(): void;
  end(): void;
  onEnd(call: () => void): void;
}

function createLink(sockets: { client: Socket; server: Socket }, weather: () => Weather): Link {
  const lanes = {
    toServer: createLane(sockets.server),
    toClient: createLane(sockets.client),
  };
  let isDead = weather().lost;
  let answersHeld = false;
  /** The bytes that the client has sent since its last `begin`, or since they were forgotten. */
  let sent = '';
  const ended = new Set<() => void>();

  function carry(direction: Direction, bytes: Buffer): void {
    if (isDead) return;
    const now = weather();
    const { delayMs, held } = now;
    if (direction === 'toServer') {
      sent = `${sent}${bytes.toString('latin1')}`.split('begin').at(-1) ?? '';
      if (now.heldCommit !== null && sent.includes(now.heldCommit.text) && now.heldCommit.end.test(sent)) {
        answersHeld = true;
        now.heldCommit = null;
      }
    }
    if (held[direction] || (direction === 'toClient' && answersHeld)) lanes[direction].hold();
    lanes[direction].carry(bytes, delayMs[direction]);
  }

  /** Also where the other side of a dead connection is closed: whoever waits is to go on waiting. */
  function endUnlessDead(): void {
    if (!isDead) end();
  }

  function end(): void {
    sockets.client.destroy();
    sockets.server.destroy();
    for (const call of ended) call();
    ended.clear();
  }

  sockets.client.on('data', (bytes) => carry('toServer', bytes));
  sockets.server.on('data', (bytes) => carry('toClient', bytes));
  sockets.client.on('error', () => {}).on('close', end);
  sockets.server.on('error', () => {}).on('close', () => lanes.toClient.afterAll(endUnlessDead));
  return {
    forget() {
      sent = '';
    },
    die() {
      isDead = true;
    },
    release() {
      answersHeld = false;
      for (const direction of DIRECTIONS) lanes[direction].release();
    },
    end,
    onEnd: (call) => void ended.add(call),
  };
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || '5432') };
}

function throughPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.toString().replace(/\/$/, '');
}
