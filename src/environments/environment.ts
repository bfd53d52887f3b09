import type { LiveContracts } from '@dateline/versions';
import type { Lifetimes } from '../config/load-config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database, Session } from '../storage/database.ts';
import type { KnownScopes } from './known-scopes.ts';
import { createSignals } from './signals.ts';

export const environmentNames = ['production', 'sandbox'] as const;
export type EnvironmentName = (typeof environmentNames)[number];

export const otherThan = (name: EnvironmentName): EnvironmentName =>
  name === 'production' ? 'sandbox' : 'production';

/**
 * The context of a domain function: one environment's names, clock and data, inside a transaction or not. It gives no
 * access to another environment, so a token of one is unknown in the other.
 */
export interface Context {
  readonly name: EnvironmentName;
  /** The base address as clients see it, without a slash at its end. */
  readonly issuer: string;
  readonly clock: Clock;
  readonly lifetimes: Lifetimes;
  /** The contracts that events are rendered in. */
  readonly contracts: LiveContracts;
  readonly scopes: KnownScopes;
  readonly session: Session;
  /**
   * Commits the whole work or nothing of it. The work must use the context that it is given. Inside a transaction it
   * joins that one.
   */
  transaction<Result>(work: (context: Context) => Promise<Result>): Promise<Result>;
  /**
   * Wakes the listeners of a channel on every node: after the commit if this is a transaction, and not at all after a
   * rollback. Many within a moment become one. A hint only: listeners must poll as well.
   */
  signal(channel: string): void;
}

export interface Environment extends Context {
  readonly database: Database;
}

export function createEnvironment(
  parts: Omit<Environment, 'session' | 'transaction' | 'signal'>,
): Environment {
  const { database, ...names } = parts;
  const signal = createSignals((channel) => database.notify(channel, ''));
  async function transaction<Result>(work: (context: Context) => Promise<Result>): Promise<Result> {
    const channels = new Set<string>();
    const result = await database.transaction((session) => {
      const context: Context = {
        ...names,
        session,
        transaction: (inner) => inner(context),
        signal: (channel) => void channels.add(channel),
      };
      return work(context);
    });
    for (const channel of channels) signal(channel);
    return result;
  }
  return { ...parts, session: database, transaction, signal };
}

/**
 * Access token, refresh token, authorization code, client secret, operator key, registration access token, registration
 * token (which lets a client register), sign-in session, session of the console, password link.
 */
export type SecretKind = 'at' | 'rt' | 'ac' | 'cs' | 'op' | 'ra' | 'ir' | 'ss' | 'os' | 'pl';

/** The prefix of an environment's secrets: `dl_at_…` in production, `dl_test_at_…` in the sandbox. */
export function secretPrefix(environment: EnvironmentName, kind: SecretKind): string {
  return environment === 'production' ? `dl_${kind}_` : `dl_test_${kind}_`;
}
