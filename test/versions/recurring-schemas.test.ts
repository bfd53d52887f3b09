import { markedMembers, validator } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { timesAsLong } from '../support/run/processor-time.ts';

/** Two alternatives that both lead to what they are alternatives of. */
const branch = (kind: string) => ({
  type: 'object',
  // The child is looked at before it is clear that the kind is another one.
  properties: { child: { $ref: '#/$defs/Node' }, kind: { const: kind } },
});
const node = (choice: 'anyOf' | 'oneOf', more: object = {}) => ({
  $ref: '#/$defs/Node',
  $defs: { Node: { ...more, [choice]: [branch('a'), branch('b')] } },
});

function nested(levels: number, innermost: object): unknown {
  let value: unknown = innermost;
  for (let level = 0; level < levels; level += 1) value = { ...innermost, child: value };
  return value;
}

/** The time for sixteen levels as a multiple of that for eight: with each alternative looked into, it would be 256. */
function growth(work: (levels: number) => unknown): Promise<number> {
  const often = (levels: number) => async () => {
    for (let again = 0; again < 20; again += 1) work(levels);
  };
  return timesAsLong({ plain: often(8), worst: often(16) });
}

describe('a schema that contains itself in a choice', () => {
  it('marks members in a time that grows with the value', async () => {
    const find = markedMembers(node('anyOf', { properties: { secret: { writeOnly: true } } }));
    expect(find?.(nested(16, { secret: 1 }))).toHaveLength(17);
    expect(await growth((levels) => find?.(nested(levels, { secret: 1 })))).toBeLessThan(20);
  });

  it.each([
    ['that fit', 'b', true],
    ['that do not', 'c', false],
  ])('checks values %s in a time that grows with them', async (_which, kind, isRight) => {
    const check = validator(node('oneOf'));
    expect(check(nested(16, { kind })).length === 0).toBe(isRight);
    expect(await growth((levels) => check(nested(levels, { kind })))).toBeLessThan(20);
  });

  it('is checked anew for each value, also for one that was edited since', () => {
    const check = validator(node('oneOf'));
    const inner = { kind: 'b' };
    const value = { kind: 'a', child: inner };
    // Looked at first, and compiled after a while.
    for (let time = 0; time < 6; time += 1) {
      expect(check(value)).toEqual([]);
      inner.kind = 'c';
      expect(check(value)).not.toEqual([]);
      inner.kind = 'b';
    }
  });
});
