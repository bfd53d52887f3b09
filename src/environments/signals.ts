const GATHER_MS = 10;

/**
 * Sends signals, one per channel and moment: a notification takes a lock that all commits of a database share, so a busy
 * node must not send one for each of them. What cannot be sent is dropped: signals are hints.
 */
export function createSignals(send: (channel: string) => Promise<void>): (channel: string) => void {
  const waiting = new Set<string>();
  return (channel) => {
    if (waiting.has(channel)) return;
    waiting.add(channel);
    setTimeout(() => {
      waiting.delete(channel);
      void send(channel).catch(() => {});
    }, GATHER_MS).unref();
  };
}
