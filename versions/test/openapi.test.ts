import { apiVersion, type Contract, compileApi, fromOpenApi, toOpenApi } from '@dateline/versions';
import { describe, expect, it } from 'vitest';

const version = apiVersion('2026-01');
const contract: Contract = {
  version,
  errorShape: { name: 'plain', mediaType: 'application/json', schema: { type: 'object' } },
  operations: [
    {
      id: 'books:lend',
      method: 'POST',
      path: '/books/{id}/lend',
      summary: 'Lend a book',
      groups: ['books'],
      security: { scheme: 'bearer', scopes: ['books:write'] },
      query: { type: 'object', required: ['days'], properties: { days: { type: 'integer' } } },
      headers: {
        type: 'object',
        required: ['Card'],
        properties: { Card: { type: 'string', maxLength: 4 }, Desk: { type: 'string' } },
      },
      body: { mediaType: 'application/json', schema: { type: 'object' } },
      responses: { 204: null },
      errors: { 404: ['not_found'] },
    },
    {
      id: 'books:give_back',
      method: 'DELETE',
      path: '/books/{id}/lend',
      summary: 'Give a book back',
      groups: ['books'],
      security: { scheme: 'secret', name: 'lending_receipt' },
      query: null,
      body: null,
      responses: { 204: null },
      errors: { 404: ['not_found'] },
    },
  ],
  events: [],
};

describe('a contract', () => {
  it('survives the round trip through its document: it has nothing that the document does not hold', () => {
    expect(fromOpenApi(toOpenApi(contract, 'Library'))).toEqual(contract);
  });

  it('checks the headers that an operation declares', () => {
    const api = compileApi({ documents: [toOpenApi(contract, 'Library')], changeSets: [] });
    const { validateHeaders } = api.get(version)?.operations.get('books:lend') ?? {};
    expect(validateHeaders?.({ Card: '1234' })).toEqual([]);
    expect(validateHeaders?.({ Card: '12345' })).toMatchObject([{ instancePath: '/Card' }]);
    expect(validateHeaders?.({ Desk: 'x' })).toMatchObject([{ keyword: 'required' }]);
  });
});
