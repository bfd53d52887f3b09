import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCheckedSecret, newCheckedSecret } from '../../src/kernel/checked-secret.ts';

describe('checked secrets', () => {
  it('have a prefix, 32 random characters and 6 check characters, all of [A-Za-z0-9_]', () => {
    expect(newCheckedSecret('dl_at_')).toMatch(/^dl_at_[A-Za-z0-9]{38}$/);
  });

  it('are never the same twice', () => {
    const secrets = new Set(Array.from({ length: 10_000 }, () => newCheckedSecret('dl_at_')));
    expect(secrets.size).toBe(10_000);
  });

  it('are recognised by their own prefix only', () => {
    const secret = newCheckedSecret('dl_at_');
    expect(isCheckedSecret('dl_at_', secret)).toBe(true);
    expect(isCheckedSecret('dl_rt_', secret)).toBe(false);
    expect(isCheckedSecret('dl_test_at_', secret)).toBe(false);
  });

  it('are rejected after any change of one character', () => {
    const position = fc.integer({ min: 6, max: 43 });
    const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    fc.assert(
      fc.property(position, character, (at, other) => {
        const secret = newCheckedSecret('dl_at_');
        fc.pre(secret.charAt(at) !== other);
        return !isCheckedSecret('dl_at_', secret.slice(0, at) + other + secret.slice(at + 1));
      }),
    );
  });

  it('are rejected in any other form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => !isCheckedSecret('dl_at_', text)),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => !isCheckedSecret('dl_at_', `dl_at_${text}`)),
    );
  });
});
