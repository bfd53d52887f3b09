import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { RequestHandler } from './edge-state.ts';

/** Requests that begin in one turn of the event loop, of those that have waited. */
const STARTS_A_TURN = 32;
/** Connections that never stop coming must not keep requests from beginning. */
const TURNS_MAX = 512;

/**
 * Returns a handler that accepts waiting connections before it works. Node accepts one in a turn of the event loop, so a
 * health probe behind a burst of 256 connections would wait until nearly all their requests were done. A request on a
 * connection that comes alone waits for no other turn.
 */
export function connectionsFirst(server: Server, handle: RequestHandler): RequestHandler {
  const waiting: [IncomingMessage, ServerResponse][] = [];
  let acceptedInTurn = false;
  let acceptedBefore = false;
  let isWatching = false;
  let turns = 0;

  server.on('connection', () => {
    acceptedInTurn = true;
    if (isWatching) return;
    isWatching = true;
    setImmediate(endTurn);
  });

  function endTurn(): void {
    turns += 1;
    if (!acceptedInTurn || turns > TURNS_MAX) beginSome();
    acceptedBefore = acceptedInTurn;
    acceptedInTurn = false;
    isWatching = acceptedBefore || waiting.length > 0;
    if (isWatching) setImmediate(endTurn);
    else turns = 0;
  }

  function beginSome(): void {
    for (const [request, response] of waiting.splice(0, STARTS_A_TURN))
      if (!response.destroyed) handle(request, response);
  }

  return (request, response) => {
    if (acceptedInTurn || acceptedBefore || waiting.length > 0) waiting.push([request, response]);
    else handle(request, response);
  };
}
