import type { ApiSource, Change, JsonSchema, OpenApiDocument } from '@dateline/versions';
import { type Build, compileBuild } from '../../../src/api/build.ts';
import { apiSource } from '../../../src/contracts/api.ts';
import { next, versionsBefore } from '../service/build-versions.ts';

let build: Build | undefined;

/**
 * A build with event kinds of its own: `order.created`, which has no currency before Next, and `order.refunded`, which
 * only Next has.
 */
export function buildWithFolderKinds(): Build {
  build ??= compileBuild(sourceWithOrders(), new Set(['order.created', 'order.refunded']));
  return build;
}

/** The data of an order's event, in Next. */
export const orderData = (total: number) => ({ order: `ord-${total}`, total, currency: 'eur' });

const order = (fields: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(fields),
  properties: { ...fields, lines: { type: 'array', items: { type: 'object', required: ['sku'] } } },
  additionalProperties: true,
});

const olderOrder = order({ order: { type: 'string' }, total: { type: 'integer', minimum: 0 } });
const newestOrder = order({
  order: { type: 'string' },
  total: { type: 'integer', minimum: 0 },
  currency: { type: 'string' },
});

function sourceWithOrders(): ApiSource {
  const source = apiSource();
  return {
    ...source,
    documents: source.documents.map(withOrders),
    changeSets: source.changeSets.map((set) =>
      set.newer === next ? { ...set, changes: [...set.changes, nameCurrencies, addRefunds] } : set,
    ),
  };
}

function withOrders(document: OpenApiDocument): OpenApiDocument {
  const { version } = document.info as { version: string };
  const isOlder = versionsBefore(next).some((older) => version <= older);
  const kinds = isOlder
    ? { 'order.created': olderOrder }
    : { 'order.created': newestOrder, 'order.refunded': newestOrder };
  const parts = Object.entries(kinds).map(([kind, data]) => [kind, webhookPart(kind, version, data)]);
  return { ...document, webhooks: { ...(document.webhooks as object), ...Object.fromEntries(parts) } };
}

function webhookPart(kind: string, version: string, data: JsonSchema) {
  const schema = {
    type: 'object',
    required: ['type', 'api_version', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: kind },
      api_version: { type: 'string', const: version },
      timestamp: { type: 'string', format: 'date-time' },
      data,
    },
    additionalProperties: false,
  };
  const value = {
    type: kind,
    api_version: version,
    timestamp: '2026-11-15T12:00:00.000Z',
    data: orderData(1),
  };
  return {
    post: {
      summary: 'An order',
      requestBody: {
        required: true,
        content: { 'application/json': { schema, examples: { example: { value } } } },
      },
      responses: { '2XX': { description: 'Received.' } },
    },
  };
}

const nameCurrencies: Change = {
  name: 'nameCurrencies',
  kind: 'added',
  summary: 'Orders name their currency.',
  why: 'There are several.',
  upgradeNote: 'Nothing to do.',
  examples: [{ before: null, after: { event: 'order.created', data: { currency: 'eur' } } }],
  touches: ['order.created.**.currency', 'order.created.**.required'],
  downgradeEvent: {
    // Two currencies that the module is wrong about.
    'order.created': ({ kind, data: { currency, ...data } }) => {
      if (currency === 'throws') throw new Error('no such currency');
      return { kind, data: currency === 'lies' ? { ...data, total: 'many' } : data };
    },
  },
};

const addRefunds: Change = {
  name: 'addRefunds',
  kind: 'added',
  summary: 'The event order.refunded is published when an order is paid back.',
  why: 'It happens.',
  upgradeNote: 'Nothing to do.',
  examples: [{ before: null, after: { event: 'order.refunded', data: orderData(1) } }],
  touches: ['order.refunded'],
  downgradeEvent: { 'order.refunded': () => null },
};
