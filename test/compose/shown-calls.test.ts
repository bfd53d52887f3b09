import { describe, expect, it } from 'vitest';
import { differencesBetween } from '../../src/compose/dev/differences-between.ts';
import { HIDDEN, queryWithoutSecrets, withoutSecrets } from '../../src/compose/dev/hide-secrets.ts';

describe('what dateline dev shows of a call', () => {
  it('hides what is named like a secret, wherever it stands', () => {
    const body = { name: 'Ada', password: 'a', nested: [{ api_key: 'b', clientSecret: 'c', token: null }] };
    expect(withoutSecrets(body)).toEqual({
      name: 'Ada',
      password: HIDDEN,
      nested: [{ api_key: HIDDEN, clientSecret: HIDDEN, token: null }],
    });
    expect(queryWithoutSecrets('q=a%20b&access_token=x&filter%5Bpassword%5D=y')).toBe(
      `q=a%20b&access_token=${HIDDEN}&filter%5Bpassword%5D=${HIDDEN}`,
    );
  });

  it('hides what looks like a secret, whatever its name', () => {
    const [token, jwt] = ['dl_test_at_abcDEF123', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x'];
    expect(withoutSecrets([`it was ${token}.`, jwt, 'Bearer abc', 'whsec_a+/='])).toEqual([
      ...[`it was ${HIDDEN}.`, HIDDEN, HIDDEN, HIDDEN],
    ]);
  });

  it('tells a new name, what came and what left, once for all items of a list', () => {
    const before = { items: [{ qty: 1 }, { qty: 2 }], total: 5, note: 'x' };
    const after = { items: [{ quantity: 1 }, { quantity: 2 }], total: '5.00', gift: false };
    expect(differencesBetween('body', before, after)).toEqual([
      { place: 'body.note', was: 'x', times: 1 },
      { place: 'body.gift', is: false, times: 1 },
      { place: 'body.items[].qty', renamedTo: 'quantity', was: 1, is: 1, times: 2 },
      { place: 'body.total', was: 5, is: '5.00', times: 1 },
    ]);
    expect(differencesBetween('body', before, { ...before })).toEqual([]);
  });
});
