import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenRecord } from '../../src/oauth/tokens/token-record.ts';
import { isLive, type TokenEndState, tokenEnds } from '../../src/oauth/tokens/token-state.ts';

const at = (second: number): Date => new Date(second * 1000);
const ISSUED = at(10);
const NOW = at(20);
const EXPIRES = at(30);

const live: TokenRecord = {
  digest: new Uint8Array(32),
  id: 'tok_1' as TokenRecord['id'],
  kind: 'access_token',
  scopes: [],
  hasLostScopes: false,
  issuedAt: ISSUED,
  expiresAt: EXPIRES,
  revokedAt: null,
  usedAt: null,
  grantId: 'grt_1' as TokenRecord['grantId'],
  grantExpiresAt: EXPIRES,
  grantRevokedAt: null,
  grantRevokedBefore: null,
  repeatableUntil: null,
  audience: 'cli_1',
  clientId: 'cli_1' as TokenRecord['clientId'],
  clientOrganizationId: 'org_1' as TokenRecord['clientOrganizationId'],
  clientDisabledAt: null,
  clientDeletedAt: null,
  clientRevokedBefore: null,
  userId: null,
  userBlockedAt: null,
  organizationSuspendedAt: null,
  organizationIds: [],
};

/** What ends a token in exactly one way. A state that is missing here does not compile. */
const ending: Readonly<Record<TokenEndState, Partial<TokenRecord>>> = {
  expired: { expiresAt: at(15) },
  used: { usedAt: at(15) },
  revoked: { revokedAt: at(15) },
  grant_revoked: { grantRevokedAt: at(15) },
  cut_by_grant: { grantRevokedBefore: at(15) },
  cut_by_client: { clientRevokedBefore: at(15) },
  client_disabled: { clientDisabledAt: at(15) },
  client_deleted: { clientDeletedAt: at(15) },
  user_blocked: { userBlockedAt: at(15) },
  organization_suspended: { organizationSuspendedAt: at(15) },
};
const states = Object.keys(ending) as TokenEndState[];

describe('a token', () => {
  it('is live while nothing has ended it', () => {
    expect([isLive(live, NOW), tokenEnds(live, NOW)]).toEqual([true, []]);
  });

  it.each(states)('is dead for one cause alone, which is named: %s', (state) => {
    const token = { ...live, ...ending[state] };
    expect(isLive(token, NOW)).toBe(false);
    expect(tokenEnds(token, NOW)).toEqual([{ state, at: at(15) }]);
  });

  it('is dead for any combination of causes, and all are named', () => {
    fc.assert(
      fc.property(fc.subarray(states), (chosen) => {
        const token = Object.assign({}, live, ...chosen.map((state) => ending[state])) as TokenRecord;
        expect(isLive(token, NOW)).toBe(chosen.length === 0);
        expect(tokenEnds(token, NOW).map(({ state }) => state)).toEqual(chosen);
      }),
    );
  });

  it('is dead at the very second of its own or its grant’s end, whichever comes first', () => {
    for (const token of [
      { ...live, expiresAt: NOW },
      { ...live, grantExpiresAt: NOW },
    ]) {
      expect(isLive(token, new Date(NOW.getTime() - 1))).toBe(true);
      expect(isLive(token, NOW)).toBe(false);
      expect(tokenEnds(token, NOW)).toEqual([{ state: 'expired', at: NOW }]);
    }
  });

  it('survives a cutoff at the instant when it was issued', () => {
    for (const column of ['grantRevokedBefore', 'clientRevokedBefore'] as const) {
      expect(isLive({ ...live, [column]: ISSUED }, NOW)).toBe(true);
      expect(isLive({ ...live, [column]: new Date(ISSUED.getTime() + 1) }, NOW)).toBe(false);
    }
  });
});
