import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { connectionsFirst } from '../../src/http/edge/connections-first.ts';

/** The end of a turn of the event loop, after what was scheduled for it before. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function startEdge() {
  const server = createServer();
  let begun = 0;
  const receive = connectionsFirst(server, () => {
    begun += 1;
  });
  return {
    /** As Node does, which lets others bring connections of their own. */
    accept: () => void server.emit('connection', new PassThrough()),
    request() {
      const request = new IncomingMessage(new Socket());
      receive(request, new ServerResponse(request));
    },
    begun: () => begun,
  };
}

it('a request waits until a turn has passed in which no connection came, however many came before', async () => {
  const edge = startEdge();
  edge.accept();
  edge.accept();
  edge.request();
  await endOfTurn();
  edge.accept();
  expect(edge.begun()).toBe(0);
  await endOfTurn();
  expect(edge.begun()).toBe(0);
  await endOfTurn();
  expect(edge.begun()).toBe(1);
});

it('a request waits for no turn where no connection came lately', async () => {
  const edge = startEdge();
  edge.request();
  expect(edge.begun()).toBe(1);
  edge.accept();
  for (let turn = 0; turn < 3; turn += 1) await endOfTurn();
  edge.request();
  expect(edge.begun()).toBe(2);
});

it('32 of those that wait begin in one turn', async () => {
  const edge = startEdge();
  edge.accept();
  for (let index = 0; index < 33; index += 1) edge.request();
  await endOfTurn();
  await endOfTurn();
  expect(edge.begun()).toBe(32);
  edge.request();
  expect(edge.begun()).toBe(32);
  await endOfTurn();
  expect(edge.begun()).toBe(34);
});

it('connections that never stop coming keep a request from beginning for 512 turns', async () => {
  const edge = startEdge();
  edge.accept();
  edge.request();
  for (let turn = 0; turn < 512; turn += 1) {
    edge.accept();
    await endOfTurn();
  }
  expect(edge.begun()).toBe(0);
  edge.accept();
  await endOfTurn();
  expect(edge.begun()).toBe(1);
});
