/** Answers other than 2xx that the running test has not looked at, each in words. */
const unseen = new Set<{ message: string }>();

/**
 * An answer of the service, as a test gets it. One other than 2xx has to be looked at: a test that drops it, or reads from its body
 * only what an error does not have, has asked for something else than it meant, and fails at its end.
 */
export function answered<Answer extends { status: number }>(answer: Answer, where: string): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const note = { message: `${where} was answered ${answer.status}, and the test did not look at that` };
  unseen.add(note);
  return watched(answer, () => void unseen.delete(note));
}

/** The answers that no test has looked at since the last call. */
export function takeUnseen(): string[] {
  const sentences = [...unseen].map(({ message }) => message);
  unseen.clear();
  return sentences;
}

/** The same object, which tells when something of it is read that is there. */
function watched<Watched extends object>(watchedObject: Watched, onSeen: () => void): Watched {
  return new Proxy(watchedObject, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'body' && isPlain(value)) return watched(value, onSeen);
      if (typeof name === 'string' && name in target) onSeen();
      // Those of a Response know their own object only.
      return typeof value === 'function' ? value.bind(target) : value;
    },
    ownKeys(target) {
      onSeen();
      return Reflect.ownKeys(target);
    },
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
