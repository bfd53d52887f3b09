import { readFileSync } from 'node:fs';
import { apiVersion, InvalidApiError, type Operation, responseValidators } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { compileLibrary, replaceAuthorWithAuthors } from './library.ts';

describe('another API on the engine', () => {
  const book = { id: 'b1', title: 'Good Omens', authors: ['Terry Pratchett', 'Neil Gaiman'] };

  const operationIn = (version: string) =>
    compileLibrary([replaceAuthorWithAuthors]).get(apiVersion(version))?.operations.get('books:read');
  const findingsIn = (version: string, body: unknown) =>
    responseValidators(operationIn(version)?.operation as Operation)[200]?.(body);

  it('answers each version in its own form, valid in its own contract', () => {
    const request = { params: { id: 'b1' }, query: {}, headers: {}, body: {}, command: {} };
    const answer = operationIn('2026-01')?.downgradeResponse?.(book, { request, status: 200, extras: {} });
    expect(answer).toEqual({ id: 'b1', title: 'Good Omens', author: 'Terry Pratchett and Neil Gaiman' });
    expect(findingsIn('2026-01', answer)).toEqual([]);
    expect(findingsIn('2026-01', book)).not.toEqual([]);
  });

  it('costs nothing in the newest version', () => {
    const newest = operationIn('2026-04');
    expect([newest?.upgradeRequest, newest?.downgradeResponse]).toEqual([null, null]);
    expect(findingsIn('2026-04', book)).toEqual([]);
  });

  it('is rejected with a sentence for each problem when the change is missing, or touches nothing', () => {
    const differs = (path: string) =>
      `books:read.responses.200.schema.${path} differs from 2026-04 to 2026-01, but no change module touches it; ` +
      'write one in the change set 2026-04-to-2026-01.';
    expect(() => compileLibrary([])).toThrow(
      new InvalidApiError([differs('properties.author'), differs('properties.authors'), differs('required')]),
    );
    const idle = { ...replaceAuthorWithAuthors, name: 'doNothing', touches: ['books:read.query'] };
    expect(() => compileLibrary([replaceAuthorWithAuthors, idle])).toThrow(
      'doNothing (from 2026-04 to 2026-01) touches books:read.query, where nothing differs',
    );
  });

  it('is the example of the engine’s README', () => {
    const example = readFileSync('versions/test/example/library.ts', 'utf8');
    expect(readFileSync('versions/README.md', 'utf8')).toContain(example);
  });
});
