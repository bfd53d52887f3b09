import { CHORE_ROWS_MAX, type Chore, daysAgo } from '../../../environments/chore.ts';
import { DEAD_KEPT_DAYS } from '../../types.ts';
import {
  deleteClientCredentialsTokens,
  deleteEmptyGrants,
  deleteSpentGrants,
  deleteTokens,
  deleteTokensOf,
  lockDeadGrants,
  type Position,
} from './store.ts';

const CLIENT_CREDENTIALS_KEPT_MS = 3_600_000;

/** Client-credentials tokens are by far the most, and nobody asks for one long after its end. */
const clientCredentialsTokens: Chore<Position> = {
  name: 'own tokens',
  async removeSome({ session }, now, after) {
    const before = new Date(now.getTime() - CLIENT_CREDENTIALS_KEPT_MS);
    const deleted = await deleteClientCredentialsTokens(session, { before, after, limit: CHORE_ROWS_MAX });
    if (deleted === null) return { rows: {}, more: false };
    const { tokens, grants, passed, expiresAt, id } = deleted;
    return {
      rows: { oauth_tokens: tokens, oauth_grants: grants },
      more: passed === CHORE_ROWS_MAX,
      next: { expiresAt, id },
    };
  },
};

/** A used refresh token stays as long as its grant, so that its reuse is detected. */
const expiredTokens: Chore = {
  name: 'expired tokens',
  async removeSome({ session }, now) {
    const grantIds = await deleteTokens(session, daysAgo(now, DEAD_KEPT_DAYS), CHORE_ROWS_MAX);
    const grants = await deleteSpentGrants(session, [...new Set(grantIds)]);
    return {
      rows: { oauth_tokens: grantIds.length, oauth_grants: grants },
      more: grantIds.length === CHORE_ROWS_MAX,
    };
  },
};

const GRANTS_MAX = 100;

/** A grant may have thousands of tokens: it is deleted with the last of them. */
const deadGrants: Chore = {
  name: 'dead grants',
  async removeSome({ session }, now) {
    const ids = await lockDeadGrants(session, daysAgo(now, DEAD_KEPT_DAYS), GRANTS_MAX);
    if (ids.length === 0) return { rows: {}, more: false };
    const tokens = await deleteTokensOf(session, ids, CHORE_ROWS_MAX);
    const grants = await deleteEmptyGrants(session, ids);
    return { rows: { oauth_tokens: tokens, oauth_grants: grants }, more: tokens + grants > 0 };
  },
};

export const tokenChores: readonly Chore[] = [clientCredentialsTokens, expiredTokens, deadGrants];
