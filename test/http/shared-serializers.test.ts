import { describe, expect, it } from 'vitest';
import { serializerOf } from '../../src/http/app/shared-serializers.ts';

const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

describe('the JSON of an answer that is one of several', () => {
  const branches = [
    object({ active: { type: 'boolean', const: true }, sub: text }),
    object({ active: { type: 'boolean', const: false } }),
  ];

  it('has the members of its own branch and no others', () => {
    const write = serializerOf({ anyOf: branches });
    expect(write({ active: true, sub: 'usr_1', secret: 'x' })).toBe('{"active":true,"sub":"usr_1"}');
    expect(write({ active: false, sub: 'usr_1' })).toBe('{"active":false}');
  });

  it('is refused where a member is missing, or no branch fits', () => {
    const write = serializerOf({ anyOf: branches });
    expect(() => write({ active: true })).toThrow('"sub" is required');
    expect(() => write({ active: 'perhaps' })).toThrow('does not match');
  });

  it('is found by validation where no constant tells the branches apart', () => {
    const write = serializerOf({ anyOf: [object({ one: text }), object({ two: text })] });
    expect(write({ two: 'b' })).toBe('{"two":"b"}');
    const same = serializerOf({
      anyOf: [object({ kind: { const: 'a' }, one: text }), object({ kind: { const: 'a' }, two: text })],
    });
    expect(same({ kind: 'a', one: 'b' })).toBe('{"kind":"a","one":"b"}');
  });
});
