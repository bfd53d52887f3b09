import type { LiveContracts } from '@dateline/versions';
import type { Lifetimes } from '../config/load-config.ts';
import type { Clock } from '../kernel/clock.ts';
import { createReadersWait, type ReadersWait } from '../standbys/readers-wait.ts';
import type { StandbyLink } from '../standbys/standby-link.ts';
import { createStandbyReads, type StandbyReads } from '../standbys/standby-reads.ts';
import type { Database, Session } from '../storage/database.ts';
import { StorageUnavailableError } from '../storage/storage-error.ts';
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
   * joins that one. Whatever it ended, or found ended, no node reads from a standby as alive when this is over; and what
   * it has only seen is as durable then as our own commits. So what another request has done is acknowledged only after
   * it was seen in a transaction.
   */
  transaction<Result>(
    work: (context: Context) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Wakes the listeners of a channel on every node: after the commit if this is a transaction, and not at all after a
   * rollback. Many within a moment become one. A hint only: listeners must poll as well.
   */
  signal(channel: string): void;
}

export interface TransactionOptions {
  /** No node can read from a standby what this changes, so nobody has to wait for one. One transaction in another decides for both. */
  endsNoAccess?: boolean;
  /** Nobody is answered when this returns: the caller waits by `untilReadersSee` before anybody is. */
  waitsLater?: boolean;
}

export interface Environment extends Context {
  readonly database: Database;
  /** The standbys that this node may read from; none are named by the settings of most. */
  readonly standbys: StandbyReads;
  /** Waits until no node reads from a standby what was true before: after a transaction that was not to wait. */
  readonly untilReadersSee: ReadersWait;
}

export type EnvironmentParts = Omit<
  Environment,
  'session' | 'transaction' | 'signal' | 'standbys' | 'untilReadersSee'
> & { standbyLinks?: readonly StandbyLink[] };

export function createEnvironment({ standbyLinks = [], ...parts }: EnvironmentParts): Environment {
  const { database, ...names } = parts;
  const signal = createSignals((channel) => database.notify(channel, ''));
  const standbys = createStandbyReads(standbyLinks);
  const untilReadersSee = createReadersWait(database);

  async function transaction<Result>(
    work: (context: Context) => Promise<Result>,
    { endsNoAccess = false, waitsLater = false }: TransactionOptions = {},
  ): Promise<Result> {
    const channels = new Set<string>();
    let mayEndAccess = !endsNoAccess;
    const inside = (session: Session): Context => {
      const context: Context = {
        ...names,
        session,
        transaction(work, { endsNoAccess = false } = {}) {
          mayEndAccess ||= !endsNoAccess;
          return work(context);
        },
        signal: (channel) => void channels.add(channel),
      };
      return context;
    };
    const result = await database
      .transaction((session) => work(inside(session)))
      .catch(async (error) => {
        // What is refused may be so for what was found ended. Storage trouble tells nothing of the kind.
        if (mayEndAccess && !waitsLater && !(error instanceof StorageUnavailableError))
          await untilReadersSee();
        throw error;
      });
    for (const channel of channels) signal(channel);
    if (mayEndAccess && !waitsLater) await untilReadersSee();
    return result;
  }

  return { ...parts, standbys, session: database, transaction, signal, untilReadersSee };
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
