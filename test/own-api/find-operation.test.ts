import { apiVersion, compileApi, type Json } from '@dateline/versions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOperationFinder } from '../../src/api/find-operation.ts';
import { readFolderContract } from '../../src/api/folder/folder-contract.ts';
import { pathMatcher } from '../../src/api/paths.ts';

const version = apiVersion('2026-07');

/** Ids of operations by method and path. */
function finderOf(paths: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const api = compileApi({
    documents: [
      {
        openapi: '3.1.0',
        info: { title: 'Files', version },
        security: [],
        paths: Object.fromEntries(Object.entries(paths).map(([path, ids]) => [path, pathItem(path, ids)])),
      },
    ],
    changeSets: [],
    read: (document) => readFolderContract(document, 'contract.json'),
  });
  return createOperationFinder(api);
}

function pathItem(path: string, ids: Readonly<Record<string, string>>): Json {
  const parameters = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const operations = Object.entries(ids).map(([method, operationId]) => [
    method,
    { operationId, responses: { 204: { description: 'Done.' } } },
  ]);
  return { parameters, ...Object.fromEntries(operations) };
}

describe('the operation of a method and a path', () => {
  const find = finderOf({
    '/files/{id}': { get: 'files:read', delete: 'files:delete' },
    '/files/newest': { get: 'files:newest' },
    '/files/{id}.{format}': { get: 'files:convert', head: 'files:convertible' },
    '/{kind}/newest/parts': { get: 'kinds:parts' },
    '/files/{id}/parts': { get: 'files:parts' },
    '/sums/1+1': { get: 'sums:one' },
  });

  it.each([
    ['GET', '/files/7', 'files:read'],
    ['GET', '/files/7/', 'files:read'],
    ['DELETE', '/files/newest', 'files:delete'],
    ['GET', '/files/newest', 'files:newest'],
    ['GET', '/files/7.pdf', 'files:convert'],
    ['HEAD', '/files/7.pdf', 'files:convertible'],
    ['HEAD', '/files/7', 'files:read'],
    ['GET', '/files/newest/parts', 'files:parts'],
    ['GET', '/images/newest/parts', 'kinds:parts'],
    ['GET', '/sums/1+1', 'sums:one'],
  ])('is found as a router finds it: %s %s is %s', (method, path, id) => {
    expect(find(version, method, path)).toBe(id);
  });

  it.each([
    ['POST', '/files/7'],
    ['GET', '/files'],
    ['GET', '/files//parts'],
    ['GET', '/files/7//'],
    ['GET', '/sums/111'],
    ['HEAD', '/files'],
  ])('is none where no path or method is so: %s %s', (method, path) => {
    expect(find(version, method, path)).toBeNull();
  });

  it('is looked for once along a path, whatever stands in it', () => {
    const reports = finderOf({
      '/reports/{from}-{to}.{format}/rows': { get: 'reports:rows' },
      '/c/{a}-{b}-{c}-{d}/diff': { get: 'c:diff' },
    });
    // Trying every division would take longer than any test may.
    expect(reports(version, 'GET', `/reports/${'-.'.repeat(8_000)}/rowz`)).toBeNull();
    expect(reports(version, 'GET', `/c/${'-'.repeat(16_000)}/diff/`)).toBe('c:diff');
    expect(reports(version, 'GET', `/c/${'-'.repeat(16_000)}/dif`)).toBeNull();
    expect(reports(version, 'GET', `/reports/${'-'.repeat(16_000)}/rows`)).toBeNull();
  });

  it('is none in a version that is not known', () => {
    expect(find('2024-01', 'GET', '/files/7')).toBeNull();
  });
});

describe('a path template', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '-', '.'), maxLength: 2 });
  const between = fc.string({ unit: fc.constantFrom('a', '-', '.'), minLength: 1, maxLength: 2 });
  const segment = fc.oneof(
    texts,
    fc
      .tuple(texts, fc.array(between, { maxLength: 2 }), texts)
      .map(([first, middle, last]) => [first, ...middle, last].join('{p}')),
  );
  const template = fc.array(segment, { minLength: 1, maxLength: 3 }).map((all) => `/${all.join('/')}`);
  const path = fc
    .string({ unit: fc.constantFrom('a', '-', '.', '/'), maxLength: 12 })
    .map((rest) => `/${rest}`);

  it('matches what a regular expression would, if it had the time', () => {
    fc.assert(
      fc.property(template, path, (written, sent) => {
        const parts = written.split('{p}').map((text) => text.replaceAll('.', '\\.'));
        expect(pathMatcher(written)(sent)).toBe(new RegExp(`^${parts.join('[^/]+')}/?$`).test(sent));
      }),
      { numRuns: 5_000, seed: 1 },
    );
  });
});
