import { readFileSync } from 'node:fs';
import { canonicalForm, contractHash } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { apiSource, frozenVersions } from '../../src/contracts/api.ts';
import { ordersDocument, ordersWith } from './orders-files.ts';

describe('the hash of a contract', () => {
  it('is what it was for every version that is frozen', () => {
    const lock = JSON.parse(readFileSync('src/contracts/frozen/lock.json', 'utf8')) as { sha256: object };
    const documents = apiSource().documents.slice(0, frozenVersions().length);
    expect(
      Object.fromEntries(documents.map((document) => [versionOf(document), contractHash(document)])),
    ).toEqual(lock.sha256);
  });

  it('does not count words', () => {
    for (const pointer of [
      '/components/schemas/Order/title',
      '/components/parameters/Limit/description',
      '/components/examples/order/value',
      '/paths/~1orders/get/summary',
      '/servers',
    ])
      expect(contractHash(ordersWith(pointer, 'other words')), pointer).toBe(contractHash(ordersDocument()));
  });

  it.each([
    '/components/schemas/title',
    '/components/parameters/description',
    '/components/headers/summary',
    '/components/requestBodies/example',
    '/components/responses/examples',
    '/components/securitySchemes/servers',
    '/components/schemas/Order/$defs/title',
    '/components/schemas/Order/properties/description',
    '/components/schemas/Order/patternProperties/title',
    '/components/schemas/Order/dependentSchemas/title',
    '/components/schemas/Order/dependentRequired/title',
    '/components/schemas/Order/discriminator/mapping/title',
    '/components/schemas/Order/const/title',
    '/components/schemas/Order/default/description',
    '/paths/~1orders/get/responses/200/headers/title',
    '/security/0/title',
  ])('counts what has the name of a word: %s', (pointer) => {
    const [one, other] = [{ type: 'string' }, { type: 'integer' }].map((part) => ordersWith(pointer, part));
    expect(canonicalForm(one ?? {})).not.toBe(canonicalForm(other ?? {}));
  });
});

function versionOf(document: object): string {
  return (document as { info: { version: string } }).info.version;
}
