import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openPostgresWay, type PostgresWay } from './postgres-way.ts';
import type { Strike } from './strike.ts';

function message(type: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
const query = (text: string): Buffer => message('Q', `${text}\0`);
/** A statement that is prepared under a name, and the same once it is. */
const prepare = (name: string, text: string): Buffer =>
  Buffer.concat([message('P', `${name}\0${text}\0\0\0`), execute(name)]);
const execute = (name: string): Buffer =>
  Buffer.concat([message('B', `\0${name}\0\0\0\0\0\0\0`), message('E', '\0\0\0\0\0'), message('S', '')]);
const ready = message('Z', 'I');

describe('a way that reads PostgreSQL’s protocol', { timeout: 5_000 }, () => {
  let server: Server;
  let way: PostgresWay;
  let client: Socket;
  afterEach(async () => {
    client?.destroy();
    await way?.close();
    server?.close();
  });

  /** A server that answers all that is asked, and what it was sent. */
  async function open(): Promise<{ asked: string[]; heard: string[] }> {
    const [asked, heard]: [string[], string[]] = [[], []];
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        asked.push(bytes.toString('latin1'));
        const ends = [...bytes.toString('latin1').matchAll(/[QS]\0\0\0/g)].length;
        for (let count = 0; count < ends; count += 1) socket.write(ready);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    way = await openPostgresWay((server.address() as { port: number }).port);
    client = connect(way.port, '127.0.0.1');
    client.on('error', () => {}).on('data', (bytes) => heard.push(bytes.toString('latin1')));
    await once(client, 'connect');
    client.write(startup);
    return { asked, heard };
  }

  const strike = (change: Partial<Strike> = {}): void =>
    way.strike({ text: /orders/, at: 'before', blow: 'cut', times: 1, ...change });
  const closed = (): Promise<unknown> => once(client, 'close');

  it('cuts before a statement, which the server never sees', async () => {
    const { asked } = await open();
    strike();
    client.write(query('select 1'));
    await once(client, 'data');
    client.write(query('insert into orders'));
    await closed();
    expect(asked.join('')).toContain('select 1');
    expect(asked.join('')).not.toContain('orders');
    expect(way.struck()).toBe(1);
  });

  it('cuts after a statement was answered, and the client hears nothing of that', async () => {
    const { asked, heard } = await open();
    strike({ at: 'after' });
    client.write(query('insert into orders'));
    await closed();
    expect(asked.join('')).toContain('orders');
    expect(heard).toEqual([]);
  });

  it('cuts while a statement runs', async () => {
    const { asked } = await open();
    strike({ at: 'during' });
    client.write(query('insert into orders'));
    await closed();
    expect(asked.join('')).toContain('orders');
  });

  it('tears an answer in half', async () => {
    const { heard } = await open();
    strike({ at: 'torn' });
    client.write(query('insert into orders'));
    await closed();
    expect(heard.join('')).toHaveLength(ready.length / 2);
  });

  it('knows a statement by the name under which it was prepared', async () => {
    const { heard } = await open();
    client.write(prepare('place', 'insert into orders'));
    await once(client, 'data');
    strike({ at: 'after' });
    client.write(execute('place'));
    await closed();
    expect(heard.join('')).toHaveLength(ready.length);
  });

  it('puts messages together that come in pieces', async () => {
    await open();
    strike();
    const bytes = query('insert into orders');
    client.write(bytes.subarray(0, 9));
    await new Promise((resolve) => setImmediate(resolve));
    client.write(bytes.subarray(9));
    await closed();
    expect(way.struck()).toBe(1);
  });

  it('holds an answer back until it is told otherwise', async () => {
    const { heard } = await open();
    strike({ at: 'after', blow: 'hold' });
    client.write(query('insert into orders'));
    while (way.struck() === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([]);
    await way.resume();
    await once(client, 'data');
    expect(heard.join('')).toHaveLength(ready.length);
  });

  it('refuses encryption in the place of the server, which it could not read through', async () => {
    await open();
    const other = connect(way.port, '127.0.0.1');
    other.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    const [said] = await once(other, 'data');
    expect(String(said)).toBe('N');
    other.write(Buffer.concat([startup, query('select 1')]));
    const [answer] = await once(other, 'data');
    expect((answer as Buffer).toString('latin1')).toBe(ready.toString('latin1'));
    other.destroy();
  });
});
