import { type Context, secretPrefix } from '../../environments/environment.ts';
import { isCheckedSecret, newCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf, digestsEqual } from '../../kernel/digest.ts';
import { configuredOperator, createOperatorFinder, type Operator } from '../operator-keys.ts';
import type { OperatorKeyId } from '../types.ts';
import { deleteOperatorSession, insertOperatorSession, useOperatorSession } from './store.ts';

export const IDLE_SECONDS = 30 * 60;
const ABSOLUTE_SECONDS = 12 * 60 * 60;

export interface StartedSession {
  operator: Operator;
  /** For the browser: only its digest is stored. New each time, which prevents session fixation. */
  sessionValue: string;
}

/** Operators in browsers, each with one of their keys. A session ends with its key. */
export interface OperatorSessions {
  /** Null if the key is not live. */
  start(keyValue: string): Promise<StartedSession | null>;
  /** Null once the session was idle or has lasted for too long, and when its key was revoked. */
  find(sessionValue: string): Promise<Operator | null>;
  end(context: Context, sessionValue: string): Promise<void>;
}

export function createOperatorSessions(context: Context, configuredKey: string | null): OperatorSessions {
  const findOperator = createOperatorFinder(context, configuredKey);
  const configuredDigest = configuredKey === null ? null : digestOf(configuredKey);
  const prefix = secretPrefix(context.name, 'os');

  return {
    async start(keyValue) {
      const operator = await findOperator(keyValue);
      if (!operator) return null;
      const sessionValue = newCheckedSecret(prefix);
      const startedAt = context.clock.now();
      await insertOperatorSession(context.session, {
        digest: digestOf(sessionValue),
        key:
          operator.id === configuredOperator.id
            ? { configuredDigest: digestOf(keyValue) }
            : { id: operator.id as OperatorKeyId },
        startedAt,
        expiresAt: new Date(startedAt.getTime() + ABSOLUTE_SECONDS * 1000),
      });
      return { operator, sessionValue };
    },
    async find(sessionValue) {
      if (!isCheckedSecret(prefix, sessionValue)) return null;
      const now = context.clock.now();
      const idleSince = new Date(now.getTime() - IDLE_SECONDS * 1000);
      const used = await useOperatorSession(context.session, digestOf(sessionValue), { now, idleSince });
      if (!used) return null;
      if (used.configuredDigest === null) {
        const { id, name, role } = used;
        return { type: 'operator', id, name, role };
      }
      // The setting may name another key by now, or none.
      const isSame = configuredDigest !== null && digestsEqual(used.configuredDigest, configuredDigest);
      return isSame ? configuredOperator : null;
    },
    end: ({ session }, sessionValue) => deleteOperatorSession(session, digestOf(sessionValue)),
  };
}
