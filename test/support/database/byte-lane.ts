import type { Socket } from 'node:net';

/** Bytes in their order on the way to one socket. */
export interface Lane {
  carry(bytes: Buffer, delayMs: number): void;
  hold(): void;
  release(): void;
  /** Calls when everything that is on its way now has arrived. */
  afterAll(call: () => void): void;
}

export function createLane(to: Socket): Lane {
  const heldBack: (() => void)[] = [];
  let isHeld = false;
  let lastDueMs = 0;
  /** In their order, whatever the order of the timers is: one may be late, and nothing that follows may overtake it. */
  const onTheWay: (() => void)[] = [];

  function deliver(step: () => void): void {
    if (isHeld) heldBack.push(step);
    else step();
  }

  function later(step: () => void, delayMs: number): void {
    const nowMs = performance.now();
    // Never before what was sent earlier, also when the delay has become shorter meanwhile.
    lastDueMs = Math.max(lastDueMs, nowMs + delayMs);
    if (onTheWay.length === 0 && lastDueMs <= nowMs) return deliver(step);
    onTheWay.push(step);
    setTimeout(() => deliver(onTheWay.shift() ?? step), lastDueMs - nowMs).unref();
  }

  return {
    carry: (bytes, delayMs) => later(() => to.write(bytes), delayMs),
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const step of heldBack.splice(0)) step();
    },
    afterAll: (call) => later(call, 0),
  };
}
