import {
  apiVersion,
  at,
  type Change,
  type CompiledVersion,
  type Json,
  schema,
  type UpgradableRequest,
  type WrittenChange,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { compiledWith, documentOf, json, operationOf, ref } from '../support/versions/written-api.ts';

type Part = Readonly<Record<string, unknown>>;
const [OLDER, NEWER] = ['2026-10', '2027-01'];
const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: Part, required: readonly string[] = []): Part => ({
  type: 'object',
  required,
  properties,
});
const request = (body: unknown): UpgradableRequest => ({
  params: {},
  query: {},
  headers: {},
  body: body as Json,
  command: {},
});
const paths = (body: Part): Part => ({ '/orders': { post: operationOf('orders:create', body, body) } });
const webhooks: Part = {
  'order.placed': {
    post: { summary: 'Placed', requestBody: json(ref('Order')), responses: { 200: { description: 'Ok' } } },
  },
};

function tried(before: Part, after: Part, changes: readonly WrittenChange[], body: Part = ref('Order')) {
  const version = compiledWith(
    documentOf(OLDER as string, before, paths(body), webhooks),
    documentOf(NEWER as string, after, paths(body), webhooks),
    changes,
  ).get(apiVersion(OLDER as string)) as CompiledVersion;
  const compiled = version.operations.get('orders:create');
  return {
    up: (given: unknown): unknown => (compiled?.upgradeRequest?.(request(given)) ?? request(given)).body,
    down: (given: unknown): unknown =>
      compiled?.downgradeResponse?.(given as Json, { request: request({}), status: 200, extras: {} }) ??
      given,
    event: (data: Json): unknown => version.downgradeEvent({ kind: 'order.placed', data })?.data,
  };
}

const words = (name: string) => ({
  name,
  kind: 'changed' as const,
  summary: 'It.',
  why: 'So.',
  upgradeNote: 'Do.',
  examples: [{ before: null, after: null }] as Change['examples'],
});

describe('what a change has put into a request or event', () => {
  interface Order {
    country?: string;
    address: { country: string };
  }
  const address = object({ country: text });
  const touching = (name: string) => ({
    ...words(name),
    touches: ['orders:create.body.schema', 'orders:create.responses.200.schema', 'order.placed'],
  });
  /** Edits in place what it gets. */
  function moveCountry(order: Order): void {
    if (order.country) order.address.country = order.country;
    delete order.country;
  }
  const movingCountry: Change = {
    ...touching('moveCountry'),
    upgradeRequest: {
      'orders:create': (given) => {
        moveCountry(given.body as unknown as Order);
        return given;
      },
    },
    downgradeResponse: {
      'orders:create': (given) => {
        moveCountry(given as unknown as Order);
        return given;
      },
    },
    downgradeEvent: {
      'order.placed': (given) => {
        moveCountry(given.data as unknown as Order);
        return given;
      },
    },
  };
  const field = schema('Order').field('address');
  /** Each puts in an object that it keeps. */
  const kept = { country: 'unknown' };
  const byFunction: Change = {
    ...touching('putAddress'),
    upgradeRequest: { 'orders:create': ({ body }) => ({ body: { ...body, address: kept } }) },
    downgradeEvent: {
      'order.placed': ({ kind, data }) => ({ kind, data: { ...(data as Json), address: kept } }),
    },
  };

  it.each([
    ['a declaration', field.added({ newer: () => kept })],
    ['a function', byFunction],
  ])('%s is not edited in place by later ones: the next request gets its own', (_by, put) => {
    const { up } = tried(
      { Order: object({ id: text, country: text }) },
      { Order: object({ id: text, address }, ['address']) },
      [put, movingCountry],
    );
    up({ id: 'of one tenant', country: 'FR' });
    expect(up({ id: 'of another' })).toEqual({ id: 'of another', address: { country: 'unknown' } });
  });

  it.each([
    ['a declaration', [field.removed({ older: () => kept }), movingCountry]],
    // Down, the last change comes first.
    ['a function', [movingCountry, byFunction]],
  ])('%s is not edited in events either', (_by, changes) => {
    const { event } = tried(
      { Order: object({ id: text, address }, ['address']) },
      { Order: object({ id: text, country: text }) },
      changes,
    );
    event({ id: 'of one tenant', country: 'FR' });
    expect(event({ id: 'of another' })).toEqual({ id: 'of another', address: { country: 'unknown' } });
  });

  it('by a declaration is not edited in answers either, which functions get as they are', () => {
    const { down } = tried(
      { Order: object({ id: text, address }, ['address']) },
      { Order: object({ id: text, country: text }) },
      [field.removed({ older: () => kept }), movingCountry],
    );
    down({ id: 'of one tenant', country: 'FR' });
    expect(down({ id: 'of another' })).toEqual({ id: 'of another', address: { country: 'unknown' } });
  });
});

describe('a change by schema', () => {
  const both = (order: Part): [Part, Part] => [
    { Order: order, Money: { type: 'integer', maximum: 99 } },
    { Order: order, Money: { type: 'integer' } },
  ];
  const cents = schema('Money').changed({
    upgrade: (euros: number) => euros * 100,
    downgrade: (all: number) => all / 100,
  });

  it('edits a value once that is described beside a choice and in it', () => {
    const total = ref('Money');
    const alternative = (kind: string): Part => object({ kind: { const: kind }, total }, ['kind']);
    const order = { ...object({ total }), oneOf: [alternative('a'), alternative('b')] };
    const { up, down } = tried(...both(order), [cents]);
    expect(up({ kind: 'a', total: 2 })).toEqual({ kind: 'a', total: 200 });
    expect(down({ kind: 'b', total: 200 })).toEqual({ kind: 'b', total: 2 });
  });

  it('is refused where an object has more choices than can be kept apart', () => {
    const choice = (name: string): Part => ({
      oneOf: ['a', 'b', 'c', 'd'].map((kind) =>
        object({ [name]: { const: kind }, total: ref('Money') }, [name]),
      ),
    });
    const order = (count: number): Part => ({
      type: 'object',
      allOf: Array.from({ length: count }, (_none, index) => choice(`kind_${index}`)),
    });
    const { up } = tried(...both(order(2)), [cents]);
    expect(up({ kind_0: 'a', kind_1: 'd', total: 2 })).toEqual({ kind_0: 'a', kind_1: 'd', total: 200 });
    expect(() => tried(...both(order(5)), [cents])).toThrow('more than 1000 combinations');
  });

  it('exchanges two names, or passes one on, in any order of the list', () => {
    const swapped = tried(
      { Order: object({ a: text, b: number }) },
      { Order: object({ a: number, b: text }) },
      [schema('Order').field('b').renamedFrom('a'), schema('Order').field('a').renamedFrom('b')],
    );
    expect(swapped.up({ a: 'one', b: 2 })).toEqual({ b: 'one', a: 2 });
    const passed = tried({ Order: object({ y: text, z: text }) }, { Order: object({ x: text, y: text }) }, [
      schema('Order').field('y').renamedFrom('z'),
      schema('Order').field('x').renamedFrom('y'),
    ]);
    expect(passed.up({ y: 'y', z: 'z' })).toEqual({ x: 'y', y: 'z' });
    expect(passed.down({ x: 'y', y: 'z' })).toEqual({ y: 'y', z: 'z' });
  });

  it('renames over what is beside the contract, wherever that stands', () => {
    const { up } = tried({ Order: object({ qty: number }) }, { Order: object({ quantity: number }) }, [
      schema('Order').field('quantity').renamedFrom('qty'),
    ]);
    expect(up({ quantity: 5, qty: 2 })).toEqual({ quantity: 2 });
    expect(up({ qty: 2, quantity: 5 })).toEqual({ quantity: 2 });
  });

  it('is asked for where a place is named at which a component stands', () => {
    const orders: [Part, Part] = [
      { Order: object({ qty: number }) },
      { Order: object({ quantity: number }) },
    ];
    const atBody = at('orders:create.body.schema').field('quantity').renamedFrom('qty');
    expect(() => tried(...orders, [atBody])).toThrow("write schema('Order').field('quantity')");
    const body = object({ order: ref('Order') });
    const atMember = at('orders:create.body.schema.properties.order').field('quantity').renamedFrom('qty');
    expect(() => tried(...orders, [atMember], body)).toThrow(`the component Order of ${NEWER} stands there`);
  });

  it('is refused where unevaluatedProperties, unevaluatedItems or contains lead to the schema', () => {
    const body = { ...object({ id: text }), unevaluatedProperties: ref('Order') };
    const attempt = () =>
      tried(
        { Order: object({ qty: number }) },
        { Order: object({ quantity: number }) },
        [schema('Order').field('quantity').renamedFrom('qty')],
        body,
      );
    expect(attempt).toThrow('depends on a condition');
  });

  it('leaves a list as the very same in which it has nothing to edit', () => {
    const { up } = tried(
      { Order: object({ qty: number }) },
      { Order: object({ quantity: number }) },
      [schema('Order').field('quantity').renamedFrom('qty')],
      { type: 'array', items: ref('Order') },
    );
    const given = [{ id: 1 }];
    expect(up(given)).toBe(given);
  });
});
