import type { Logger } from 'pino';
import type { Config } from '../config/load-config.ts';
import { errorMessage, errorStack } from '../kernel/error-facts.ts';

/** The work of a process until it ends. */
export interface Running {
  /** Finishes what is in flight. */
  stop(): Promise<void>;
  /** The limit for `stop`; then the process is ended. */
  stopLimitMs: number;
  countUncaught?(): void;
}

export interface ProcessEnd {
  /** From here on the process is stopped gracefully: when a signal asks for it, and when nothing has caught an error. */
  stops(running: Running, signals: readonly NodeJS.Signals[]): void;
}

// Ctrl-C reaches every process of the terminal, and npm passes it on once more: that is one request to stop, not two.
const SAME_WISH_MS = 1_000;
/** Added to the time that requests have. */
const STOP_EXTRA_MS = 10_000;

/**
 * Ends a process of the service. After an uncaught error its state is unknown, so it must not go on; but the requests
 * in flight are not to blame, so they are finished first. It exits with 1, and its supervisor starts another.
 */
export function createProcessEnd(log: Logger): ProcessEnd {
  let running: Running | null = null;
  let isStopping = false;
  let exitCode = 0;

  function stop(): void {
    // While it starts, nothing is in flight.
    if (running === null) return process.exit(exitCode);
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), running.stopLimitMs).unref();
    running.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        process.stderr.write(`dateline: stopping failed: ${errorMessage(error)}\n`);
        process.exit(1);
      },
    );
  }

  // The first process of a container gets only signals that it handles: without this it could not be stopped while it starts.
  process.once('SIGTERM', stop);
  // Rejections that nobody handles come here too.
  process.on('uncaughtException', (error) => {
    exitCode = 1;
    log.fatal({ internal: errorStack(error) }, 'uncaught error: this process drains and ends');
    running?.countUncaught?.();
    stop();
  });
  return {
    stops(toStop, signals) {
      running = toStop;
      const onSignal = onceGracefully(stop);
      for (const signal of signals) process.on(signal, onSignal);
    },
  };
}

/** The longest time that a process takes to stop. */
export function stopLimitMs({ drainMs, shutdownMs }: Pick<Config, 'drainMs' | 'shutdownMs'>): number {
  return drainMs + shutdownMs + STOP_EXTRA_MS;
}

/** Stops when a signal comes, and ends at once when it comes again later. */
function onceGracefully(stop: () => void): () => void {
  let firstAskedAtMs: number | null = null;
  return () => {
    const nowMs = performance.now();
    if (firstAskedAtMs !== null && nowMs - firstAskedAtMs > SAME_WISH_MS) process.exit(1);
    firstAskedAtMs ??= nowMs;
    stop();
  };
}
