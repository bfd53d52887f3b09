import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { onTestFinished } from 'vitest';

/** The records of a name server: addresses, or another name that is followed. */
export type Zone = Record<string, readonly string[]>;

export interface NameServer {
  /** May be changed between queries. */
  zone: Zone;
  /** The names that were queried, once for each family. */
  questions: string[];
  /** For `createLookup`. */
  address: string;
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;

/** A name server on loopback with as much of RFC 1035 as is needed. Its answers have a TTL of 0 seconds. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const server = { zone, questions: [] as string[], address: `127.0.0.1:${socket.address().port}` };
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    server.questions.push(name);
    socket.send(answerTo(question.subarray(0, end), recordsOf(name, type, server.zone)), port, address);
  });
  return server;
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** Follows names to their addresses, as recursive resolvers do. */
function recordsOf(name: string, type: number, zone: Zone): Buffer[] {
  return (zone[name] ?? []).flatMap((value) => {
    if (isIP(value) === 0)
      return [record(name, TYPES.CNAME, nameBytes(value)), ...recordsOf(value, type, zone)];
    if (type === TYPES.A && isIP(value) === 4)
      return [record(name, TYPES.A, Buffer.from(value.split('.').map(Number)))];
    return type === TYPES.AAAA && isIP(value) === 6 ? [record(name, TYPES.AAAA, v6Bytes(value))] : [];
  });
}

function answerTo(question: Buffer, records: readonly Buffer[]): Buffer {
  const message = Buffer.concat([question, ...records]);
  message.writeUInt16BE(0x8180, 2);
  message.writeUInt16BE(records.length, 6);
  message.writeUInt32BE(0, 8);
  return message;
}

function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), head, data]);
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function v6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const zeros = new Array<string>(8 - groups(left).length - groups(right).length).fill('0');
  const all = [...groups(left), ...zeros, ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
