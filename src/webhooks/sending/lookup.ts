import { Resolver } from 'node:dns/promises';
import { SendingError } from './outcome.ts';

/** Resolves to the addresses of a name, of both families; rejects if there is none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export interface LookupOptions {
  /** Name servers to ask instead of the system's. */
  servers?: readonly string[];
  /** The time for which an answer is used again, so that a busy receiver does not cost two questions for every delivery. */
  rememberMs?: number;
}

const QUESTION_LIMITS = { timeout: 2_000, tries: 2 };

/**
 * Asks name servers directly. The system's own way, `dns.lookup`, holds one of the process's four threads until a name
 * server answers: a few endpoints with silent name servers would halt all deliveries, and more than those.
 */
export function createLookup({ servers, rememberMs = 1_000 }: LookupOptions = {}): Lookup {
  const answers = new Map<string, Promise<readonly string[]>>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined) return known;
    const answer = ask(name, servers);
    const forgetLater = () => setTimeout(() => answers.delete(name), rememberMs).unref();
    answer.then(forgetLater, forgetLater);
    answers.set(name, answer);
    return answer;
  };
}

/** A resolver for each question asks from a port of its own, which makes answers hard to forge. */
async function ask(name: string, servers: readonly string[] | undefined): Promise<readonly string[]> {
  const resolver = new Resolver(QUESTION_LIMITS);
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new SendingError('dns', answers);
  return addresses;
}
