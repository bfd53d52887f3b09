import { readFileSync } from 'node:fs';
import { apiVersion } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { compileLibrary, replaceAuthorWithAuthors } from './library.ts';

describe('another API on the engine', () => {
  const book = { id: 'b1', title: 'Good Omens', authors: ['Terry Pratchett', 'Neil Gaiman'] };

  it('answers each version in its own form, valid in its own contract', () => {
    const api = compileLibrary([replaceAuthorWithAuthors]);
    const older = api.get(apiVersion('2026-01'))?.operations.get('books:read');
    const request = { params: { id: 'b1' }, query: {}, body: {}, command: {} };
    const told = older?.downgradeResponse?.(book, { request, extras: {} });
    expect(told).toEqual({ id: 'b1', title: 'Good Omens', author: 'Terry Pratchett and Neil Gaiman' });
    expect(older?.validateResponse[200]?.(told)).toEqual([]);
    expect(older?.validateResponse[200]?.(book)).not.toEqual([]);
  });

  it('costs nothing in the newest version', () => {
    const newest = compileLibrary([replaceAuthorWithAuthors])
      .get(apiVersion('2026-04'))
      ?.operations.get('books:read');
    expect([newest?.upgradeRequest, newest?.downgradeResponse]).toEqual([null, null]);
    expect(newest?.validateResponse[200]?.(book)).toEqual([]);
  });

  it('is refused with a sentence when the change is missing, or touches nothing', () => {
    expect(() => compileLibrary([])).toThrow(
      /^The API cannot be built: books:read\.responses\.200\.schema\.properties\.author differs from 2026-04 to 2026-01, but no change module touches it/,
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
