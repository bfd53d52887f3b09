import { connect, type Socket } from 'node:net';
import { type Contender, keepBusy } from './harness.ts';

export const CONNECTIONS = 64;

export interface CallOptions {
  headers?: Readonly<Record<string, string>>;
  /** Makes each request a POST of the next form of its connection; a content type among the headers says what else it is. */
  form?(connection: number): string;
  /** Called with each good answer. */
  onAnswer?(connection: number, answer: string): void;
  /** Part of every good answer: what answers wrongly is not fast. */
  expects?: string;
  /** The server's process, where its time is to be measured. */
  pid?: number;
  /** Kept connections, each with one call at a time. */
  connections?: number;
}

/**
 * Calls one address over kept connections, as fast as it answers. It writes and reads the bytes itself: the HTTP client
 * of Node costs more than a server on Node, and would be all that is measured.
 */
export function caller(name: string, url: string, options: CallOptions = {}): Contender {
  const { form, onAnswer, expects = '', connections: count = CONNECTIONS } = options;
  const target = new URL(url);
  const requestText = form
    ? postText(target, options.headers ?? {}, form)
    : getText(target, options.headers ?? {});
  const connections = Array.from({ length: count }, () => keptConnection(target));
  async function call(lane: number): Promise<void> {
    const answer = (await connections[lane]?.exchange(requestText(lane))) ?? '';
    if (!/^HTTP\/1\.1 20[01] /.test(answer) || !answer.includes(expects))
      throw new Error(`${name} answered ${answer}`);
    onAnswer?.(lane, answer);
  }
  return {
    name,
    work: (forMs) => keepBusy(count, forMs, call),
    ...(options.pid === undefined ? {} : { pid: options.pid }),
  };
}

type Headers = Readonly<Record<string, string>>;

function getText({ pathname, search, host }: URL, headers: Headers): () => string {
  const text = `GET ${pathname}${search} HTTP/1.1\r\n${headerLines({ host, ...headers })}\r\n`;
  return () => text;
}

function postText({ pathname, search, host }: URL, headers: Headers, form: (connection: number) => string) {
  const type = 'application/x-www-form-urlencoded';
  const start = `POST ${pathname}${search} HTTP/1.1\r\n${headerLines({ host, 'content-type': type, ...headers })}`;
  return (connection: number): string => {
    const body = form(connection);
    return `${start}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
}

function headerLines(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** A connection that is opened when it is needed, also again after the server has closed it for being idle. */
function keptConnection({ hostname, port }: URL) {
  let socket: Socket | undefined;
  let received = '';
  let waiting: { resolve(answer: string): void; reject(error: Error): void } | undefined;

  function open(): Socket {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true });
    opened.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (!isWhole(received)) return;
      const answer = received;
      received = '';
      waiting?.resolve(answer);
    });
    opened.on('error', (error) => waiting?.reject(error));
    opened.on('close', () => waiting?.reject(new Error('the connection was closed')));
    return opened;
  }

  return {
    exchange(requestText: string): Promise<string> {
      if (socket === undefined || !socket.writable) socket = open();
      socket.write(requestText, 'latin1');
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
      });
    },
  };
}

/** Whether an answer has arrived with all of its body: as many bytes as it says, or up to the last chunk. */
function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const [, bodyLength] = /\r\ncontent-length: (\d+)\r\n/i.exec(received) ?? [];
  if (bodyLength === undefined) return received.endsWith('\r\n0\r\n\r\n');
  return received.length >= headEnd + 4 + Number(bodyLength);
}
