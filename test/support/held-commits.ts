import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Between a service and PostgreSQL: lets a commit through, and holds its answer back. */
export interface HeldCommits {
  /** Leads to the same database. */
  url: string;
  /** Holds what the server answers from the next commit on, of a transaction that sent this text, on its connection alone. */
  holdOneThatTouches(text: string): void;
  release(): void;
  close(): Promise<void>;
}

export async function startHeldCommits(databaseUrl: string): Promise<HeldCommits> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let wanted: string | null = null;
  let held: Socket | null = null;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let sent = '';
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.on('data', (bytes) => {
      sent = `${sent.split('begin').at(-1)}${bytes.toString('latin1')}`;
      if (wanted !== null && sent.includes(wanted) && /commit\0$/.test(sent)) {
        wanted = null;
        held = far.pause();
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    holdOneThatTouches(text) {
      wanted = text;
    },
    release: () => void held?.resume(),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
