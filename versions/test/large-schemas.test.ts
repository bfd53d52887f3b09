import { describe, expect, it } from 'vitest';
import { contractDifferences, type OpenApiDocument, readOpenApi, sampleOf } from '../src/index.ts';

const COUNT = 3_000;

/** A document whose schemas all lead to each other. */
function document(last: object): OpenApiDocument {
  const refer = (index: number) => ({ $ref: `#/components/schemas/S${index % COUNT}` });
  const schema = (index: number) => ({
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, a: refer(index + 1), b: refer(index + 7), c: refer(index + 77) },
  });
  const all = Array.from({ length: COUNT }, (_, index) => [`S${index}`, schema(index)]);
  const content = { 'application/json': { schema: refer(0) } };
  return {
    openapi: '3.1.0',
    info: { title: 'All lead to each other', version: '2027-01' },
    paths: { '/all': { get: { operationId: 'all', responses: { 200: { description: 'All.', content } } } } },
    components: { schemas: { ...Object.fromEntries(all), [`S${COUNT - 1}`]: last } },
  };
}

const contractOf = (last: object) => {
  const { contract, problems } = readOpenApi(document(last), {
    errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: {} },
    errors: {},
    wrapEvent: (_kind, data) => data,
    wrapExample: () => ({}),
  });
  if (!contract) throw new Error(JSON.stringify(problems));
  return contract;
};

describe('schemas that lead to thousands of others', () => {
  it('[folder 47] have a sample, which does not lead to all of them', () => {
    const schema = contractOf({ type: 'object' }).operations[0]?.responses[200]?.schema ?? {};
    const sample = sampleOf(schema);
    expect(sample).toMatchObject({ id: expect.any(String), a: { id: expect.any(String) } });
    expect(JSON.stringify(sample).length).toBeLessThan(100_000);
  });

  it('[folder 47] are compared, however long the way to a difference is', () => {
    const [older, newer] = [contractOf({ type: 'object' }), contractOf({ type: 'string' })];
    expect(contractDifferences(older, contractOf({ type: 'object' }))).toEqual([]);
    expect(contractDifferences(older, newer)).toContainEqual(expect.stringMatching(/^all\.responses.*type$/));
  });
});
