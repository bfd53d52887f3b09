import { describe, expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';

describe('a statement', () => {
  it('has a name of at most 63 characters, since PostgreSQL cuts off the others', () => {
    expect(statement('n'.repeat(63), 'select 1').name).toHaveLength(63);
    expect(() => statement('n'.repeat(64), 'select 1')).toThrow('the name of a statement is too long: nnn');
  });
});
