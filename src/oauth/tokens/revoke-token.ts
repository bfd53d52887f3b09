import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import type { OpenClientRequest } from '../clients/authentication/admit-client.ts';
import type { ClientGate } from './client-gate.ts';
import { type Ending, endAll } from './end-tokens.ts';
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
  const { database, clock, confirm, transaction, untilReadersSee } = environment;
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

  return async (request, tokenValue) => {
    const { client, token } = await gate(request, tokenValue);
    const now = clock.now();
    // Nothing to do for a token that is unknown or dead already (RFC 7009 §2.2), except to make sure that it stays so.
    if (token === null || !canBeEnded(token, now)) return confirm();
    if (token.clientId !== client.id) {
      if (!isLive(token, now)) return confirm();
      throw new ApiError('invalid_grant', { detail: 'The token was issued to another client.' });
    }
    await end({ token, actor: { type: 'client', id: client.id }, reason: 'revoked by its client' });
    await untilReadersSee();
  };
}

/** Ends that can be undone: a token that is inactive only because of these would become active again. */
const REVERSIBLE: readonly TokenEndState[] = ['client_disabled', 'user_blocked', 'organization_suspended'];

/** A used refresh token of a live grant still revokes that grant: that is what the client asks for. */
export function canBeEnded(token: TokenRecord, now: Date): boolean {
  if (token.kind === 'access_token')
    return tokenEnds(token, now).every(({ state }) => REVERSIBLE.includes(state));
  return token.grantRevokedAt === null && now < token.grantExpiresAt;
}
