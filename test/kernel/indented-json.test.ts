import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indented } from '../../console/src/parts/indented.ts';

describe('JSON with indents', () => {
  it('[who broke] is what JSON.stringify makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const isContainer = typeof value === 'object' && value !== null;
        expect(indented(text)).toBe(isContainer ? JSON.stringify(value, null, 2) : null);
        if (isContainer) expect(indented(JSON.stringify(value, null, 7))).toBe(indented(text));
      }),
    );
  });

  it('[who broke] keeps numbers, escapes and repeated names as they are written', () => {
    const text = '{"id":12345678901234567890,"price":1.10,"a":"\\u00e9\\"{,}","a":[]}';
    expect(indented(text)).toBe(
      '{\n  "id": 12345678901234567890,\n  "price": 1.10,\n  "a": "\\u00e9\\"{,}",\n  "a": []\n}',
    );
    for (const other of ['', 'plain', '<p>', '{"cut":', '17', '"text"']) expect(indented(other)).toBeNull();
  });
});
