import { markedMembers } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { contractIn, documentOf, operationOf, ref } from '../support/versions/written-api.ts';

describe('members that a schema marks', () => {
  const text = { type: 'string' };
  const schemas = {
    Secret: { type: 'object', properties: { word: { ...text, writeOnly: true }, id: text } },
  };
  function marksOf(body: Readonly<Record<string, unknown>>) {
    const paths = { '/orders': { post: operationOf('orders:create', body, body) } };
    const [operation] = contractIn(documentOf('2026-10', schemas, paths)).operations;
    return markedMembers(operation?.responses[200]?.schema ?? null);
  }

  it('are found in what no other keyword describes', () => {
    const members = { type: 'object', properties: { id: text }, unevaluatedProperties: ref('Secret') };
    expect(marksOf(members)?.({ id: '1', any: { word: 'w' } })).toEqual(['/any/word']);
    const items = { type: 'array', prefixItems: [text], unevaluatedItems: ref('Secret') };
    expect(marksOf(items)?.(['a', { word: 'w' }])).toEqual(['/1/word']);
  });

  it.each([
    ['patternProperties', { '^s': { ...text, writeOnly: true } }],
    ['additionalProperties', { ...text, writeOnly: true }],
    ['unevaluatedProperties', { allOf: [{ ...text, writeOnly: true }] }],
  ])('are all that %s marks', (keyword, schema) => {
    const marks = marksOf({ type: 'object', properties: { id: text }, [keyword]: schema });
    expect(marks?.({ id: '1', secret: 'w' })).toEqual(['/secret']);
  });

  it('are those of the names that a pattern is for, and of no others', () => {
    const marks = marksOf({ type: 'object', patternProperties: { '^s': ref('Secret') } });
    expect(marks?.({ safe: { word: 'w' }, open: { word: 'w' } })).toEqual(['/safe/word']);
  });
});
