import { setTimeout as delay } from 'node:timers/promises';
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
 * Checks passwords and throttles guessing: per account and network, so that an attacker cannot lock a user out, and per network
 * over all accounts. Guesses from everywhere at one account only slow it down, by two seconds at most: its owner can still sign
 * in.
 */
export function createPasswordCheck(environment: Environment): PasswordCheck {
  const { clock } = environment;
  const countersOf = createCounters(clock);
  const ofAccount = throttleOf(clock, Number.POSITIVE_INFINITY);
  return async ({ email, password, address }) => {
    const account = email.toLowerCase();
    const counters = countersOf(account, address);
    refuseIfThrottled(counters);
    const accountKey = sha256Hex(account);
    const waitMs = softDelayMs(ofAccount.failures(accountKey));
    const all: Counter[] = [...counters, [ofAccount, accountKey]];
    // Counted before the outcome is known: concurrent guesses count too.
    for (const [throttle, key] of all) throttle.fail(key);
    const forgive = () => {
      for (const [throttle, key] of all) throttle.forgive(key);
    };
    await delay(waitMs);
    const user = await userByPassword(environment, email, password).catch((error) => {
      // Nothing was checked: the database was away, or too many were checked at the same time.
      forgive();
      throw error;
    });
    if (user) forgive();
    return user;
  };
}

type Counter = readonly [Throttle, string];

const NETWORKS = [
  { bits: 64, ofAccountMax: 10, max: 100 },
  { bits: 48, ofAccountMax: 30, max: 300 },
] as const;

/** The counters of an attempt, for each size of network: at this account, and at all. */
function createCounters(clock: Clock): (account: string, address: string) => Counter[] {
  const networks = NETWORKS.map(({ bits, ofAccountMax, max }) => ({
    bits,
    ofAccount: throttleOf(clock, ofAccountMax),
    all: throttleOf(clock, max),
  }));
  return (account, address) =>
    networks.flatMap(({ bits, ofAccount, all }): Counter[] => {
      const network = networkOf(address, bits);
      // A digest bounds the length of the key, however long the email is.
      return [
        [ofAccount, sha256Hex(`${account} ${network}`)],
        [all, network],
      ];
    });
}

const FAILURES_FREE = 10;
const DELAY_STEP_MS = 400;
const DELAY_MAX_MS = 2_000;

function softDelayMs(failures: number): number {
  return Math.min(DELAY_MAX_MS, Math.max(0, failures - FAILURES_FREE) * DELAY_STEP_MS);
}

function throttleOf(clock: Clock, failuresMax: number): Throttle {
  return createThrottle({ clock, failuresMax, windowSeconds: WINDOW_SECONDS, keysMax: KEYS_MAX });
}

function refuseIfThrottled(counters: readonly Counter[]): void {
  const waits = counters.map(([throttle, key]) => throttle.waitSeconds(key) ?? 0);
  const seconds = Math.max(...waits);
  if (seconds > 0) throw new ApiError('too_many_requests', { headers: { 'retry-after': String(seconds) } });
}
