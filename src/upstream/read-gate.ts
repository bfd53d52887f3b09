import type { Socket } from 'node:net';

/** Between a socket and what reads it: while it is shut, what arrives waits in the socket, and then at the other side. */
export interface ReadGate {
  shut(): void;
  open(): void;
}

/**
 * In place of the HTTP library's own pause. While its parser is paused it ends the process where the server closes the
 * connection (nodejs/undici#5360), which a server of HTTP/1.0 does after every answer.
 */
export function createReadGate(socket: Socket): ReadGate {
  const read = socket.read.bind(socket);
  let isShut = false;
  socket.read = (size?: number) => (isShut ? null : read(size));
  return {
    shut() {
      isShut = true;
    },
    open() {
      if (!isShut) return;
      isShut = false;
      // Nothing else would tell the reader to look again.
      if (!socket.destroyed) socket.emit('readable');
    },
  };
}
