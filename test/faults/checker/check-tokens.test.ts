import { describe, expect, it } from 'vitest';
import type { Operation } from '../clients/history.ts';
import { checkTokens, type TokenRules } from './check-tokens.ts';
import { done, failed, look } from './written-history.ts';

const rules: TokenRules = { linearizable: ['a', 'b', 'c'], promotions: [] };
const kindsIn = (operations: readonly Operation[], change: Partial<TokenRules> = {}): string[] =>
  checkTokens(operations, { ...rules, ...change }).map(({ kind }) => kind);

const issued = done({ what: 'issue', token: 't' }, [0, 10]);
const revoke = { what: 'revoke', token: 't', grant: null } as const;
const revoked = done(revoke, [20, 30]);
const exchanged = done({ what: 'exchange', grant: 'g', user: 'u', access: 'a1', refresh: 'r1' }, [0, 10]);
const refresh = { what: 'refresh', grant: 'g', user: 'u', from: 'r1' } as const;
const refreshed = done({ ...refresh, access: 'a2', refresh: 'r2' }, [20, 30]);

describe('a token', () => {
  it('is stale where it is active for a look that began after its end was acknowledged', () => {
    expect(kindsIn([issued, revoked, look('t', true, [31, 40], 'b')])).toEqual(['stale']);
  });

  it('may be active for a look that began before the acknowledgement', () => {
    expect(kindsIn([issued, revoked, look('t', true, [29, 40])])).toEqual([]);
  });

  it('may be either while nobody knows whether its end has happened', () => {
    const lost = failed(revoke, [20, 30], { result: 'lost' });
    expect(kindsIn([issued, lost, look('t', true, [31, 40])])).toEqual([]);
    expect(kindsIn([issued, lost, look('t', false, [31, 40])])).toEqual([]);
  });

  it('is stale where a call with it is served after its end', () => {
    expect(kindsIn([issued, revoked, done({ what: 'call', token: 't' }, [31, 40])])).toEqual(['stale']);
  });

  it('is falsely inactive where nothing has ended it', () => {
    expect(kindsIn([issued, look('t', false, [11, 15])])).toEqual(['falsely inactive']);
    const call = failed({ what: 'call', token: 't' }, [11, 15], { result: 'refused', status: 401 });
    expect(kindsIn([issued, call])).toEqual(['falsely inactive']);
  });

  it('may be inactive for a look that began before it was issued', () => {
    expect(kindsIn([issued, look('t', false, [9, 15])])).toEqual([]);
  });

  it('is stale where it comes back, though nobody was promised its end', () => {
    const unknown = failed(revoke, [20, 30], { result: 'unavailable' });
    const seen = [issued, unknown, look('t', false, [31, 40]), look('t', true, [41, 50], 'b')];
    expect(kindsIn(seen)).toEqual(['stale']);
    expect(kindsIn(seen, { promotions: [{ beganMs: 38, endedMs: 42 }] })).toEqual([]);
    expect(kindsIn(seen, { linearizable: ['a'] })).toEqual([]);
  });
});

describe('a grant', () => {
  it('ends with all its tokens, those of an exchange that was in flight too', () => {
    const ended = done({ what: 'revoke', token: 'r1', grant: 'g' }, [22, 26]);
    const seen = ['a1', 'a2', 'r2'].map((token) => look(token, true, [40, 50]));
    expect(kindsIn([exchanged, ended, refreshed, ...seen])).toEqual(['stale', 'stale', 'stale']);
  });

  it('loses the refresh token that was exchanged, and nothing else', () => {
    expect(kindsIn([exchanged, refreshed, look('r1', true, [31, 40])])).toEqual(['stale']);
    expect(kindsIn([exchanged, refreshed, look('a1', false, [31, 40])])).toEqual(['falsely inactive']);
  });

  it('is not ended by a retry', () => {
    const lost = failed(refresh, [11, 15], { result: 'lost' });
    const refused = failed(refresh, [16, 19], { result: 'refused', status: 400 });
    expect(kindsIn([exchanged, lost, refused])).toEqual(['falsely inactive']);
    const ended = done({ what: 'revoke', token: 'r1', grant: 'g' }, [12, 14]);
    expect(kindsIn([exchanged, lost, ended, refused])).toEqual([]);
  });
});

describe('an end in bulk', () => {
  const ended = done({ what: 'revoke in bulk', user: 'u' }, [20, 30]);

  it('ends what was issued before it', () => {
    expect(kindsIn([exchanged, ended, look('a1', true, [31, 40])])).toEqual(['stale']);
  });

  it('may or may not end what was issued meanwhile', () => {
    const meanwhile = done(
      { what: 'exchange', grant: 'h', user: 'u', access: 'b1', refresh: 's1' },
      [15, 25],
    );
    expect(kindsIn([meanwhile, ended, look('b1', true, [31, 40]), look('s1', false, [31, 40])])).toEqual([]);
  });

  it('ends nothing of another user', () => {
    const other = done({ what: 'exchange', grant: 'h', user: 'v', access: 'b1', refresh: 's1' }, [0, 10]);
    expect(kindsIn([other, ended, look('b1', false, [31, 40])])).toEqual(['falsely inactive']);
  });
});
