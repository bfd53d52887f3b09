import type { Environment } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { sha256Hex } from '../kernel/digest.ts';
import { createThrottle, networkOf, type Throttle } from '../kernel/throttle.ts';
import type { User } from './types.ts';
import { userByPassword } from './users.ts';

export interface SignInAttempt {
  email: string;
  password: string;
  /** The address of the browser. */
  address: string;
}

/** The user with this email and password; null if there is none. After too many failures it throws 429. */
export type PasswordCheck = (attempt: SignInAttempt) => Promise<User | null>;

const WINDOW_SECONDS = 300;
const KEYS_MAX = 100_000;

/**
 * Checks passwords and throttles guessing: per account and address, so that an attacker cannot lock a user out, and
 * per address over all accounts.
 */
export function createPasswordCheck(environment: Environment): PasswordCheck {
  const { clock } = environment;
  const ofAccount = throttleOf(clock, 10);
  const ofAddress = throttleOf(clock, 100);
  return async ({ email, password, address }) => {
    const network = networkOf(address);
    // A digest bounds the length of the key, however long the email is.
    const counters: Counter[] = [
      [ofAccount, sha256Hex(`${email.toLowerCase()} ${network}`)],
      [ofAddress, network],
    ];
    refuseIfThrottled(counters);
    // Counted before the outcome is known: concurrent guesses count too.
    for (const [throttle, key] of counters) throttle.fail(key);
    const user = await userByPassword(environment, email, password);
    if (user) for (const [throttle, key] of counters) throttle.forgive(key);
    return user;
  };
}

type Counter = readonly [Throttle, string];

function throttleOf(clock: Clock, failuresMax: number): Throttle {
  return createThrottle({ clock, failuresMax, windowSeconds: WINDOW_SECONDS, keysMax: KEYS_MAX });
}

function refuseIfThrottled(counters: readonly Counter[]): void {
  const waits = counters.map(([throttle, key]) => throttle.waitSeconds(key) ?? 0);
  const seconds = Math.max(...waits);
  if (seconds > 0) throw new ApiError('too_many_requests', { headers: { 'retry-after': String(seconds) } });
}
