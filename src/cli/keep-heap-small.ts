import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets what has outlived a collection grow to four times what is live before it collects all of it: a node under load held 330
 * MB for 60 that it needed. With twice as much it holds 220, and answers as many requests (test/long/node-memory.test.ts). Not before it is
 * ready: while contracts are read, all that is live is new, and is looked at in vain. What is new in memory can be bounded at the start
 * of a process only: the script `start` does that, for Node 24.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
