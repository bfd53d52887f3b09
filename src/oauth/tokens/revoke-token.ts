import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import { UndoneError } from '../../storage/storage-error.ts';
import type { OpenClientRequest } from '../clients/authentication/admit-client.ts';
import type { ClientGate } from './client-gate.ts';
import { type Ending, endAll } from './end-tokens.ts';
import { type CallingClient, findTokensInOrder } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenRecord } from './token-record.ts';
import { isLive, type TokenEndState, tokenEnds } from './token-state.ts';

export type TokenRevoker = (request: OpenClientRequest, tokenValue: string) => Promise<void>;

// Revocations that arrive together are committed together: one write to disk for all of them.
const BATCH_SIZE_MAX = 64;

/** Revokes a token for the client it was issued to (RFC 7009). When it returns, the token is inactive on every node. */
export function createTokenRevoker(
  environment: Environment,
  gate: ClientGate,
  onBatch: (size: number) => void,
): TokenRevoker {
  const { name, database, clock, transaction, untilReadersSee } = environment;
  const end = batchQueries<Ending, undefined>(database, {
    kind: 'writes',
    async run(endings) {
      // The next batch need not wait for readers of this one.
      await transaction((inside) => endAll(inside, endings), { waitsLater: true });
      return endings.map(() => undefined);
    },
    sizeMax: BATCH_SIZE_MAX,
    onBatch,
  });

  // A transaction, so that what it sees is as durable as our own commits when it ends.
  const findForGood = batchQueries<Buffer, TokenRecord | null>(database, {
    kind: 'writes',
    run: (digests) => transaction(({ session }) => findTokensInOrder(session, digests), { waitsLater: true }),
    sizeMax: BATCH_SIZE_MAX,
    onBatch,
  });

  return async (request, tokenValue) => {
    const { client, token } = await gate(request, tokenValue);
    const isOver = (found: TokenRecord): boolean => isOverFor(client, found, clock.now());
    if (token === null || isOver(token)) {
      // Nothing to do (RFC 7009 §2.2), except to make sure that it stays so: a failover undoes what was not durable yet.
      const digest = tokenDigest(name, tokenValue);
      const still = digest && (await findForGood(digest));
      if (still && !isOver(still)) throw new UndoneError();
    } else if (token.clientId === client.id) {
      await end({ token, actor: { type: 'client', id: client.id }, reason: 'revoked by its client' });
    } else {
      throw new ApiError('invalid_grant', { detail: 'The token was issued to another client.' });
    }
    await untilReadersSee();
  };
}

/** True if there is nothing to end. */
function isOverFor(client: CallingClient, token: TokenRecord, now: Date): boolean {
  return !canBeEnded(token, now) || (token.clientId !== client.id && !isLive(token, now));
}

/** Ends that can be undone: a token that is inactive only because of these would become active again. */
const REVERSIBLE: readonly TokenEndState[] = ['client_disabled', 'user_blocked', 'organization_suspended'];

/** A used refresh token of a live grant still revokes that grant: that is what the client asks for. */
export function canBeEnded(token: TokenRecord, now: Date): boolean {
  if (token.kind === 'access_token')
    return tokenEnds(token, now).every(({ state }) => REVERSIBLE.includes(state));
  return token.grantRevokedAt === null && now < token.grantExpiresAt;
}
