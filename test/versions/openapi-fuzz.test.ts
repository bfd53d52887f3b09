import {
  type Contract,
  compileApi,
  type OpenApiDocument,
  readOpenApi,
  responseValidators,
} from '@dateline/versions';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { ordersDocument, ordersOptions } from './orders-files.ts';

/** Reads a document. A contract is compiled as a whole: nothing that was accepted may fail later. */
function readAndCompile(document: unknown): void {
  const { contract, problems } = readOpenApi(document as OpenApiDocument, ordersOptions);
  expect(contract === null).toBe(problems.length > 0);
  for (const { path, reason } of problems) expect([typeof path, typeof reason]).toEqual(['string', 'string']);
  if (contract !== null) compileAll(contract);
}

function compileAll(contract: Contract): void {
  const api = compileApi({ documents: [{}], changeSets: [], read: () => contract });
  contract.operations.map(responseValidators);
  const validateEvent = api.get(contract.version)?.validateEvent;
  for (const { kind, example } of contract.events) expect(validateEvent?.get(kind)?.(example)).toEqual([]);
}

const words = wordsIn(ordersDocument());
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      '',
      '#',
      '%',
      '[',
      'toString',
      '__proto__',
      undefined,
    ),
    fc.constantFrom(...words),
    fc.dictionary(fc.constantFrom(...words, 'toString', 'constructor'), tie('value'), {
      noNullPrototype: true,
    }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})) as { value: Arbitrary<unknown> };

/** One part of a document: put there instead, taken away, or given another name. */
const mutation = fc.record({
  where: fc.nat(),
  what: fc.oneof(
    anything.map((value) => ({ value })),
    fc.nat().map((from) => ({ from })),
    fc.constant({ remove: true }),
    fc.constantFrom(...words).map((name) => ({ name })),
  ),
});
type Mutation = typeof mutation extends Arbitrary<infer Value> ? Value : never;

function mutate(document: unknown, { where, what }: Mutation): void {
  const locations = locationsIn(document);
  const location = locations[where % locations.length];
  if (location === undefined) return;
  const { holder, key } = location;
  if ('value' in what) holder[key] = what.value;
  else if ('from' in what) {
    const other = locations[what.from % locations.length];
    holder[key] = structuredClone(other?.holder[other.key]);
  } else {
    if ('name' in what) holder[what.name] = holder[key];
    delete holder[key];
  }
}

interface Holder {
  holder: Record<string, unknown>;
  key: string;
}

function locationsIn(value: unknown): Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  // Lists too: their keys are indices.
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...locationsIn(holder[key])]);
}

function wordsIn(document: unknown): string[] {
  const locations = locationsIn(document);
  const texts = locations
    .flatMap(({ holder, key }) => [key, holder[key]])
    .filter((text) => typeof text === 'string');
  return [...new Set(texts)];
}

function fuzz(numRuns: number): void {
  fc.assert(fc.property(anything, readAndCompile), { numRuns });
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      const document = structuredClone(ordersDocument());
      for (const one of mutations) mutate(document, one);
      readAndCompile(document);
    }),
    { numRuns },
  );
}

describe('whatever is read as OpenAPI', () => {
  it('is a contract that compiles, or is refused; it never throws', () => fuzz(100));

  itInLongRuns('is so for many thousands of documents', () => fuzz(10_000), 600_000);
});
