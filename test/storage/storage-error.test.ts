import { describe, expect, it } from 'vitest';
import { fromDriver, StorageUnavailableError } from '../../src/storage/storage-error.ts';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

describe('errors of a driver', () => {
  it.each([
    'EPIPE',
    'ECONNREFUSED',
    'ECONNRESET',
    '08006',
    '53300',
    '57P01',
    '57P03',
    '57014',
    '58030',
    '40001',
    '40P01',
    '3D000',
    '28P01',
  ])('with code %s mean that the database is unavailable', (code) => {
    expect(fromDriver(withCode(code))).toBeInstanceOf(StorageUnavailableError);
  });

  it('without any code mean the same: no answer came', () => {
    expect(fromDriver(new Error('Connection terminated unexpectedly'))).toBeInstanceOf(
      StorageUnavailableError,
    );
  });

  it.each(['23505', '23503', '42P01', '22021', 'P0001'])(
    'with SQLSTATE %s are the database’s answer',
    (code) => {
      const error = withCode(code);
      expect(fromDriver(error)).toBe(error);
    },
  );

  it('that are mistakes of ours stay unchanged', () => {
    const error = new TypeError('undefined is not a function');
    expect(fromDriver(error)).toBe(error);
  });
});
