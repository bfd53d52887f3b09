import { connect } from 'node:net';

export interface RawConnection {
  write(bytes: string): void;
  destroy(): void;
  /** Everything received, once the server has closed the connection. */
  answer: Promise<string>;
}

/** A connection for bytes that no HTTP client would send. */
export function openRaw(url: string, bytes: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
  const answer = new Promise<string>((resolve, reject) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  return { write: (more) => void socket.write(more, 'latin1'), destroy: () => void socket.destroy(), answer };
}

export async function sendRaw(url: string, bytes: string): Promise<string> {
  return openRaw(url, bytes).answer;
}
