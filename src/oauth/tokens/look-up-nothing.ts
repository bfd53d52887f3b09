import type { Context } from '../../environments/environment.ts';
import { lookUp } from './store.ts';

/** No client has this id, and no token this digest. */
const NOTHING = { clientId: '', tokenDigest: Buffer.alloc(32) };

/** Finds nothing, by the statement of introspection: whoever waits for that one waits for this one too. */
export async function lookUpNothing({ session }: Pick<Context, 'session'>): Promise<void> {
  await lookUp(session, [NOTHING]);
}
