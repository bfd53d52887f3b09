/** What must not outlive this process, whatever ends it. */
const leftovers = new Set<() => void>();

/** Has this done when the process ends, unless it is taken back before. Only what does not wait can be done then. */
export function atExit(clear: () => void): () => void {
  if (leftovers.size === 0) listen();
  leftovers.add(clear);
  return () => leftovers.delete(clear);
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    // The last first: a server before its disk.
    for (const clear of [...leftovers].reverse()) clear();
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(1));
}
