import { type TSchema, Type } from 'typebox';
import type { EventKind } from '../../versions/contract.ts';
import { closed, Timestamp } from './fields.ts';
import { plain } from './operation-parts.ts';
import { Product } from './products.ts';

/** The raw body of a webhook: the same frame for every kind. */
export function eventKind(
  kind: string,
  version: string,
  summary: string,
  data: TSchema,
  example: object,
): EventKind {
  const schema = Type.Object(
    { type: Type.Literal(kind), api_version: Type.Literal(version), timestamp: Timestamp, data },
    closed,
  );
  const timestamp = '2026-11-15T12:00:00.000Z';
  return {
    kind,
    summary,
    schema: plain(schema),
    example: { type: kind, api_version: version, timestamp, data: example },
  };
}

const product = {
  id: 'prd_0000000000000000000001',
  organization_id: 'org_0000000000000000000001',
  name: 'Support plan',
  description: null,
  billing: 'recurring',
  visibility: 'public',
  prices: [{ amount: 4900, currency: 'eur' }],
  metadata: { tier: 'gold' },
  created_at: '2026-11-15T12:00:00.000Z',
  modified_at: '2026-11-15T12:00:00.000Z',
};

export const productEvents = (version: string): EventKind[] => [
  eventKind('product.created', version, 'A product was created', Product, product),
  eventKind('product.updated', version, 'A product was changed', Product, product),
  eventKind('product.archived', version, 'A product was archived', Product, {
    ...product,
    visibility: 'archived',
  }),
  eventKind('product.deleted', version, 'A product was deleted', Product, product),
];
