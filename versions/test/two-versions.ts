import {
  type ApiSource,
  apiVersion,
  type Change,
  type Contract,
  type JsonSchema,
  type Operation,
} from '@dateline/versions';

export const [older, newer] = [apiVersion('2026-04'), apiVersion('2026-07')];

export function operation(change: Partial<Operation> = {}): Operation {
  return {
    ...{ id: 'books:create', method: 'POST', path: '/books', summary: 'Create a book', groups: ['books'] },
    ...{ security: { scheme: 'none' }, query: null, body: null, responses: { 200: null }, errors: {} },
    ...change,
  };
}

export const contract = (version: Contract['version'], operations: readonly Operation[]): Contract => ({
  version,
  errorShape: { name: 'plain', mediaType: 'application/json', schema: {} },
  operations,
  events: [],
});

/** Two versions of an API whose change touches whatever differs. */
export function source(
  before: readonly Operation[],
  after: readonly Operation[],
  parts: Partial<Change> = {},
): ApiSource {
  const change: Change = {
    ...{ name: 'it', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.', touches: ['books:**'] },
    examples: [{ before: null, after: null }],
    ...parts,
  };
  const contracts = new Map([
    [older, contract(older, before)],
    [newer, contract(newer, after)],
  ]);
  return {
    documents: [{ version: older }, { version: newer }],
    changeSets: [{ newer, older, changes: [change] }],
    read: ({ version }) => contracts.get(version as typeof older) as Contract,
  };
}

export const body = (schema: JsonSchema, mediaType = 'application/json') => ({ mediaType, schema });
export const text = { type: 'string' };
