import { errorMessage } from '../kernel/error-facts.ts';

// Ctrl-C reaches every process of the terminal, and npm passes it on once more: that is one request to stop, not two.
const SAME_WISH_MS = 1_000;

/** Stops gracefully when a signal asks for it, and at once when asked again later. */
export function onStopSignal(signals: readonly NodeJS.Signals[], stop: () => Promise<void>): void {
  let firstAskedAtMs: number | null = null;
  const onSignal = (): void => {
    const nowMs = performance.now();
    if (firstAskedAtMs !== null) return nowMs - firstAskedAtMs > SAME_WISH_MS ? process.exit(1) : undefined;
    firstAskedAtMs = nowMs;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`dateline: stopping failed: ${errorMessage(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}
