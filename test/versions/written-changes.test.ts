import {
  apiVersion,
  at,
  type CompiledOperation,
  event,
  expandChanges,
  type Json,
  operation,
  releaseNotes,
  schema,
  testChange,
  together,
  type UpgradableRequest,
  undecided,
  type WrittenChange,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import {
  compiledWith,
  compiledWithAll,
  contractIn,
  documentOf,
  json,
  operationOf,
  ref,
} from '../support/versions/written-api.ts';

const [OLDER, NEWER] = ['2026-10', '2027-01'];
type Part = Readonly<Record<string, unknown>>;

const object = (properties: Part, required: readonly string[] = Object.keys(properties)): Part => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const text = { type: 'string' };
const number = { type: 'integer' };

/** An order wherever a component can stand: in a request, an answer, a list, a map, below another component, one of several, and an event. */
const paths = {
  '/orders': {
    get: operationOf('orders:list', object({ items: { type: 'array', items: ref('Order') } })),
    post: operationOf('orders:create', ref('Order'), ref('Order')),
  },
  '/baskets': { get: operationOf('baskets:read', ref('Basket')) },
  '/latest': { get: operationOf('latest', { oneOf: [ref('Order'), ref('Refund'), { type: 'null' }] }) },
  '/by-name': { get: operationOf('by-name', { type: 'object', additionalProperties: ref('Order') }) },
  '/trees': { get: operationOf('trees', ref('Tree')) },
  '/plain': { get: operationOf('plain', object({ qty: number })) },
};
const webhooks = {
  'order.placed': {
    post: { summary: 'Placed', requestBody: json(ref('Order')), responses: { 200: { description: 'Ok' } } },
  },
};
const shared = {
  Basket: object({ main: { allOf: [ref('Order')] }, others: { type: 'array', items: ref('Order') } }),
  Refund: object({ refund: text }),
  Tree: object({ order: ref('Order'), below: { type: 'array', items: ref('Tree') } }, ['order']),
};

const older = (order: Part, more: Part = {}) =>
  documentOf(OLDER as string, { ...shared, ...more, Order: order }, paths, webhooks);
const newer = (order: Part, more: Part = {}) =>
  documentOf(NEWER as string, { ...shared, ...more, Order: order }, paths, webhooks);

interface Tried {
  up(id: string, body: unknown): unknown;
  down(id: string, body: unknown, status?: number): unknown;
  event(data: Json): Json | undefined;
  operation(id: string): CompiledOperation;
}

function tried(before: Part, after: Part, ...changes: readonly WrittenChange[]): Tried {
  return triedIn(older(before), newer(after), ...changes);
}

function triedIn(before: Part, after: Part, ...changes: readonly WrittenChange[]): Tried {
  const version = compiledWith(before, after, changes).get(apiVersion(OLDER as string));
  if (!version) throw new Error('the older version is compiled');
  const compiled = (id: string): CompiledOperation => {
    const found = version.operations.get(id);
    if (!found) throw new Error(`there is no ${id}`);
    return found;
  };
  const request = (body: unknown): UpgradableRequest => ({
    params: {},
    query: {},
    headers: {},
    body: body as Json,
    command: {},
  });
  return {
    operation: compiled,
    up: (id, body) => (compiled(id).upgradeRequest?.(request(body)) ?? request(body)).body,
    down: (id, body, status = 200) =>
      compiled(id).downgradeResponse?.(body as Json, { request: request({}), status, extras: {} }) ?? body,
    event: (data) => version.downgradeEvent({ kind: 'order.placed', data })?.data,
  };
}

const renamed = () =>
  tried(
    object({ id: text, qty: number }),
    object({ id: text, quantity: number }),
    schema('Order').field('quantity').renamedFrom('qty'),
  );

describe('a change by schema', () => {
  it('[schemas] holds in requests, answers, lists, maps, nested places, choices, recursion and events', () => {
    const { up, down, event: placed } = renamed();
    const [one, other] = [
      { id: 'a', qty: 1 },
      { id: 'a', quantity: 1 },
    ];
    expect(up('orders:create', one)).toEqual(other);
    expect(down('orders:create', other)).toEqual(one);
    expect(down('orders:list', { items: [other, other] })).toEqual({ items: [one, one] });
    expect(down('baskets:read', { main: other, others: [other] })).toEqual({ main: one, others: [one] });
    expect(down('latest', other)).toEqual(one);
    expect(down('latest', { refund: 'r' })).toEqual({ refund: 'r' });
    expect(down('latest', null)).toBeNull();
    expect(down('by-name', { x: other })).toEqual({ x: one });
    const tree = (order: Part, depth: number): Part => ({
      order,
      ...(depth > 0 && { below: [tree(order, depth - 1)] }),
    });
    expect(down('trees', tree(other, 3))).toEqual(tree(one, 3));
    expect(placed(other)).toEqual(one);
  });

  it('[schemas] costs nothing where its component is not, and leaves the same object where nothing is to be done', () => {
    const { operation: compiled, down } = renamed();
    expect(compiled('plain').downgradeResponse).toBeNull();
    expect(compiled('plain').upgradeRequest).toBeNull();
    const refund = { refund: 'r' };
    expect(down('latest', refund)).toBe(refund);
  });

  it('[schemas] keeps the place of a renamed field, and the values it was given', () => {
    const { down } = renamed();
    const given = Object.freeze({ id: 'a', quantity: 1 });
    expect(JSON.stringify(down('orders:create', { quantity: 1, id: 'a' }))).toBe('{"qty":1,"id":"a"}');
    expect(down('orders:create', given)).not.toBe(given);
    expect(given).toEqual({ id: 'a', quantity: 1 });
  });

  it('[schemas] adds a field: older answers lack it, and older requests get one where it is required', () => {
    const { up, down } = tried(
      object({ id: text }),
      object({ id: text, gift: { type: 'boolean' } }),
      schema('Order')
        .field('gift')
        .added({ newer: () => false }),
    );
    expect(up('orders:create', { id: 'a' })).toEqual({ id: 'a', gift: false });
    expect(down('orders:create', { id: 'a', gift: true })).toEqual({ id: 'a' });
    const optional = tried(
      object({ id: text }),
      object({ id: text, gift: { type: 'boolean' } }, ['id']),
      schema('Order')
        .field('gift')
        .added({ newer: () => false }),
    );
    expect(optional.up('orders:create', { id: 'a' })).toEqual({ id: 'a' });
  });

  it('[schemas] removes a field: older requests lose it, and older answers get one', () => {
    const { up, down } = tried(
      object({ id: text, note: text }),
      object({ id: text }),
      schema('Order')
        .field('note')
        .removed({ older: ({ id }) => `note of ${String(id)}` }),
    );
    expect(up('orders:create', { id: 'a', note: 'x' })).toEqual({ id: 'a' });
    expect(down('orders:create', { id: 'a' })).toEqual({ id: 'a', note: 'note of a' });
  });

  it('[schemas] moves a field into an object and back, without leaving an empty one', () => {
    const { up, down } = tried(
      object({ id: text, customer_name: text }),
      object({ id: text, customer: object({ name: text }) }),
      schema('Order').field('customer.name').movedFrom('customer_name'),
    );
    expect(up('orders:create', { id: 'a', customer_name: 'Ada' })).toEqual({
      id: 'a',
      customer: { name: 'Ada' },
    });
    expect(down('orders:create', { id: 'a', customer: { name: 'Ada' } })).toEqual({
      id: 'a',
      customer_name: 'Ada',
    });
  });

  it('[schemas] changes each of several alternatives that have other types', () => {
    const path = {
      '/orders': {
        get: operationOf('orders:read', {
          oneOf: [ref('Order'), { type: 'array', items: ref('Order') }, ref('State')],
        }),
      },
    };
    const state = (...values: readonly string[]) => ({ type: 'string', enum: values });
    const { down } = triedIn(
      documentOf(OLDER as string, { Order: object({ qty: number }), State: state('canceled') }, path),
      documentOf(NEWER as string, { Order: object({ quantity: number }), State: state('cancelled') }, path),
      schema('Order').field('quantity').renamedFrom('qty'),
      schema('State').values({ cancelled: 'canceled' }),
    );
    expect(down('orders:read', { quantity: 1 })).toEqual({ qty: 1 });
    expect(down('orders:read', [{ quantity: 1 }])).toEqual([{ qty: 1 }]);
    expect(down('orders:read', 'cancelled')).toBe('canceled');
  });

  it('[schemas] changes the type of a field in both directions', () => {
    const { up, down } = tried(
      object({ total: number }),
      object({ total: object({ amount: text }) }),
      schema('Order')
        .field('total')
        .changed({
          upgrade: (cents: number) => ({ amount: (cents / 100).toFixed(2) }),
          downgrade: ({ amount }: { amount: string }) => Math.round(Number(amount) * 100),
        }),
    );
    expect(up('orders:create', { total: 250 })).toEqual({ total: { amount: '2.50' } });
    expect(down('orders:create', { total: { amount: '2.50' } })).toEqual({ total: 250 });
  });

  it('[schemas] changes values in both directions, also in lists; a value that is still known stays', () => {
    const state = (...values: readonly string[]) => ({ enum: values });
    const { up, down } = tried(
      object({
        state: state('open', 'canceled'),
        states: { type: 'array', items: state('open', 'canceled') },
      }),
      object({
        state: state('open', 'cancelled', 'held'),
        states: { type: 'array', items: state('open', 'cancelled', 'held') },
      }),
      schema('Order').field('state').values({ cancelled: 'canceled', held: 'open' }),
      schema('Order').field('states').values({ cancelled: 'canceled', held: 'open' }),
    );
    expect(up('orders:create', { state: 'canceled', states: ['open', 'canceled'] })).toEqual({
      state: 'cancelled',
      states: ['open', 'cancelled'],
    });
    expect(up('orders:create', { state: 'open', states: [] })).toEqual({ state: 'open', states: [] });
    expect(down('orders:create', { state: 'held', states: ['cancelled'] })).toEqual({
      state: 'open',
      states: ['canceled'],
    });
  });

  it('[schemas] changes values of a component that is no object, wherever it is', () => {
    const withState = (...values: readonly string[]) => ({
      Order: object({ state: ref('State'), last: { anyOf: [ref('State'), { type: 'null' }] } }),
      State: { type: 'string', enum: values },
    });
    for (const change of [
      [schema('State').values({ cancelled: 'canceled' })],
      [
        schema('Order').field('state').values({ cancelled: 'canceled' }),
        schema('Order').field('last').values({ cancelled: 'canceled' }),
      ],
    ]) {
      const path = { '/orders': { post: operationOf('orders:create', ref('Order'), ref('Order')) } };
      const { up, down } = triedIn(
        documentOf(OLDER as string, withState('open', 'canceled'), path),
        documentOf(NEWER as string, withState('open', 'cancelled'), path),
        ...change,
      );
      expect(up('orders:create', { state: 'canceled', last: null })).toEqual({
        state: 'cancelled',
        last: null,
      });
      expect(down('orders:create', { state: 'open', last: 'cancelled' })).toEqual({
        state: 'open',
        last: 'canceled',
      });
    }
  });

  it('[schemas] makes up what one of the versions requires and the other does not', () => {
    const required = tried(
      object({ id: text, note: text }, ['id']),
      object({ id: text, note: text }),
      schema('Order')
        .field('note')
        .required({ newer: () => '' }),
    );
    expect(required.up('orders:create', { id: 'a' })).toEqual({ id: 'a', note: '' });
    expect(required.up('orders:create', { id: 'a', note: 'b' })).toEqual({ id: 'a', note: 'b' });
    const optional = tried(
      object({ id: text, note: text }),
      object({ id: text, note: text }, ['id']),
      schema('Order')
        .field('note')
        .optional({ older: () => '' }),
    );
    expect(optional.down('orders:create', { id: 'a' })).toEqual({ id: 'a', note: '' });
  });

  it('[schemas] refuses what is not decided yet, with the question', () => {
    const question = undecided('what is the gift of an older order?');
    const [before, after] = [object({ id: text }), object({ id: text, gift: text })];
    expect(() => tried(before, after, schema('Order').field('gift').added({ newer: question }))).toThrow(
      'not decided yet: what is the gift of an older order?',
    );
    expect(() => tried(before, after, question)).toThrow(
      'not decided yet: what is the gift of an older order?',
    );
  });

  it('[schemas] makes several changes of nested components at once, each with the names of its own version', () => {
    const before = documentOf(
      OLDER as string,
      { Order: object({ items: { type: 'array', items: ref('Line') } }), Line: object({ qty: number }) },
      { '/orders': { post: operationOf('orders:create', ref('Order'), ref('Order')) } },
    );
    const after = documentOf(
      NEWER as string,
      { Order: object({ lines: { type: 'array', items: ref('Line') } }), Line: object({ quantity: number }) },
      { '/orders': { post: operationOf('orders:create', ref('Order'), ref('Order')) } },
    );
    for (const changes of [
      [
        schema('Order').field('lines').renamedFrom('items'),
        schema('Line').field('quantity').renamedFrom('qty'),
      ],
      [
        schema('Line').field('quantity').renamedFrom('qty'),
        schema('Order').field('lines').renamedFrom('items'),
      ],
    ]) {
      const { up, down } = triedIn(before, after, ...changes);
      expect(up('orders:create', { items: [{ qty: 1 }] })).toEqual({ lines: [{ quantity: 1 }] });
      expect(down('orders:create', { lines: [{ quantity: 1 }] })).toEqual({ items: [{ qty: 1 }] });
    }
  });

  it('[schemas] comes before the functions of other changes of its step, in both directions', () => {
    const seen: unknown[] = [];
    const { up, down } = tried(
      object({ id: text, qty: number }),
      object({ id: text, quantity: number }),
      {
        name: 'look',
        kind: 'changed',
        summary: 'Looks.',
        why: 'To see.',
        upgradeNote: 'None.',
        examples: [{ before: null, after: null }],
        touches: ['orders:create.body'],
        upgradeRequest: {
          'orders:create': (request) => {
            seen.push(request.body);
            return request;
          },
        },
        downgradeResponse: {
          'orders:create': (body) => {
            seen.push(body);
            return body;
          },
        },
      },
      schema('Order').field('quantity').renamedFrom('qty'),
    );
    up('orders:create', { id: 'a', qty: 1 });
    down('orders:create', { id: 'a', quantity: 1 });
    expect(seen).toEqual([
      { id: 'a', quantity: 1 },
      { id: 'a', qty: 1 },
    ]);
  });

  it('[schemas] are made in their order on the way up, and backwards on the way down', () => {
    const { up, down } = tried(
      object({ qty: number }),
      object({ quantity: text }),
      schema('Order').field('quantity').renamedFrom('qty'),
      schema('Order')
        .field('quantity')
        .changed({ upgrade: String, downgrade: Number, name: 'writeQuantityAsText' }),
    );
    expect(up('orders:create', { qty: 1 })).toEqual({ quantity: '1' });
    expect(down('orders:create', { quantity: '1' })).toEqual({ qty: 1 });
  });

  it('[schemas] are one for the release notes where they belong together', () => {
    const [before, after] = [older(object({ qty: number, note: text })), newer(object({ quantity: number }))];
    const change = together(
      [
        schema('Order').field('quantity').renamedFrom('qty'),
        schema('Order')
          .field('note')
          .removed({ older: () => '' }),
      ],
      { name: 'tidyOrders', summary: 'Orders are tidy.' },
    );
    const { down } = triedIn(before, after, change);
    expect(down('orders:create', { quantity: 1 })).toEqual({ qty: 1, note: '' });
    const [one, other] = [contractIn(before), contractIn(after)];
    const { changeSet } = expandChanges(
      { older: one.version, newer: other.version, changes: [change] },
      one,
      other,
    );
    const notes = releaseNotes(other.version, [changeSet]).groups.flatMap((group) => group.notes);
    expect(notes).toMatchObject([{ name: 'tidyOrders', summary: 'Orders are tidy.', examples: [{}, {}] }]);
  });

  it('[schemas] follows a component that had another name', () => {
    const path = (id: string) => ({ '/orders': { post: operationOf(id, ref('Order'), ref('Order')) } });
    const before = documentOf(
      OLDER as string,
      { Purchase: object({ qty: number }) },
      JSON.parse(JSON.stringify(path('orders:create')).replaceAll('Order', 'Purchase')),
    );
    const after = documentOf(NEWER as string, { Order: object({ quantity: number }) }, path('orders:create'));
    const { up, down } = triedIn(
      before,
      after,
      schema('Order', { was: 'Purchase' }).field('quantity').renamedFrom('qty'),
    );
    expect(up('orders:create', { qty: 1 })).toEqual({ quantity: 1 });
    expect(down('orders:create', { quantity: 1 })).toEqual({ qty: 1 });
  });

  it('[schemas] takes names that every object has for names like others', () => {
    const { up, down } = tried(
      object({ id: text, qty: number }),
      object({ id: text, constructor: number }),
      schema('Order').field('constructor').renamedFrom('qty'),
    );
    expect(JSON.stringify(up('orders:create', { id: 'a', qty: 1 }))).toBe('{"id":"a","constructor":1}');
    expect(down('orders:create', JSON.parse('{"id":"a","constructor":1}'))).toEqual({ id: 'a', qty: 1 });
  });

  it('[schemas] makes null of a value, and leaves out what is made undefined, wherever the value is', () => {
    const note = (...types: readonly string[]) => ({
      Note: { type: ['string', 'array', ...types], items: ref('Note') },
      Order: object({ note: ref('Note'), notes: { type: 'array', items: ref('Note') } }, []),
    });
    const path = { '/orders': { get: operationOf('orders:read', ref('Order')) } };
    const { down } = triedIn(
      documentOf(OLDER as string, note('null'), path),
      documentOf(NEWER as string, note(), path),
      schema('Note').changed({
        downgrade: (text: unknown) => (text === 'gone' ? undefined : text === '' ? null : text),
      }),
    );
    expect(down('orders:read', { note: '', notes: ['', 'a', ['', ['']]] })).toStrictEqual({
      note: null,
      notes: [null, 'a', [null, [null]]],
    });
    expect(down('orders:read', { note: 'gone', notes: [] })).toStrictEqual({ notes: [] });
  });

  describe('where several schemas speak of one value', () => {
    const path = { '/orders': { post: operationOf('orders:create', ref('Order'), ref('Order')) } };
    const both = (order: Part, [a, b]: readonly [string, string]) => ({
      Order: order,
      A: { type: 'object', required: [a], properties: { [a]: number, c: ref('A') } },
      B: { type: 'object', required: [b], properties: { [b]: number, c: ref('B') } },
      Same: { allOf: [ref('A')] },
    });
    const changed = (order: Part, ...changes: readonly WrittenChange[]) =>
      triedIn(
        documentOf(OLDER as string, both(order, ['a', 'b']), path),
        documentOf(NEWER as string, both(order, ['aa', 'bb']), path),
        ...changes,
      );
    const renames = [schema('A').field('aa').renamedFrom('a'), schema('B').field('bb').renamedFrom('b')];
    const [one, other] = [
      { a: 1, b: 2, c: { a: 3, b: 4 } },
      { aa: 1, bb: 2, c: { aa: 3, bb: 4 } },
    ];
    const withX = (x: unknown) => ({ type: 'object', properties: { x } });
    const list = (items: unknown) => ({ type: 'array', items });

    it.each([
      ['a property', { allOf: [withX(ref('A')), withX(ref('B'))] }, { x: one }, { x: other }],
      [
        'a property and a pattern',
        { ...withX(ref('A')), patternProperties: { '^x': ref('B') } },
        { x: one },
        { x: other },
      ],
      [
        'a property and others',
        { allOf: [withX(ref('A')), { additionalProperties: ref('B') }] },
        { x: one, y: { b: 1 } },
        { x: other, y: { bb: 1 } },
      ],
      ['two patterns', { patternProperties: { '^x': ref('A'), y$: ref('B') } }, { x_y: one }, { x_y: other }],
      ['items', { allOf: [list(ref('A')), list(ref('B'))] }, [one], [other]],
      [
        'first items and the rest',
        { allOf: [{ prefixItems: [ref('A')] }, list(ref('B'))] },
        [one, { b: 1 }],
        [other, { bb: 1 }],
      ],
    ])('[schemas] makes the changes of all of them: %s', (_name, order, before, after) => {
      const { up, down } = changed(order, ...renames);
      expect(up('orders:create', before)).toEqual(after);
      expect(down('orders:create', after)).toEqual(before);
    });

    it('[schemas] makes a change once, and nothing of a property that is not among the others', () => {
      const add = (change: number) => (value: number) => value + change;
      const twice = schema('A')
        .field('aa')
        .changed({ upgrade: add(1), downgrade: add(-1), name: 'countFromOne' });
      const named = changed(
        { allOf: [withX(ref('A')), withX(ref('Same'))] },
        schema('A').field('aa').renamedFrom('a'),
        twice,
      );
      expect(named.up('orders:create', { x: { a: 1 } })).toEqual({ x: { aa: 2 } });
      const others = { ...withX({}), additionalProperties: ref('A') };
      const { up } = changed({ allOf: [others, withX(ref('B'))] }, ...renames);
      expect(up('orders:create', { x: { a: 1, b: 2 }, y: { a: 1 } })).toEqual({
        x: { a: 1, bb: 2 },
        y: { aa: 1 },
      });
    });
  });

  it('[schemas] survives values that no contract allows', () => {
    const { down } = renamed();
    for (const odd of [null, 1, 'x', [], { items: null }, { items: 'x' }, { items: [null, 1, []] }])
      expect(down('orders:list', odd)).toEqual(odd);
  });
});

describe('what a change by schema touches', () => {
  const problemsOf =
    (before: Part, after: Part, ...changes: readonly WrittenChange[]) =>
    () =>
      void tried(before, after, ...changes);

  it('[schemas] is its own field alone: another difference of the component is told', () => {
    expect(
      problemsOf(
        object({ id: text, qty: number }),
        object({ id: text, quantity: number, gift: text }, ['id', 'quantity']),
        schema('Order').field('quantity').renamedFrom('qty'),
      ),
    ).toThrow(/properties\.gift .*no change module touches/);
  });

  it('[schemas] is not the same field of another component', () => {
    expect(
      problemsOf2(
        { Order: object({ qty: number }), Refund: object({ refund: text, qty: number }) },
        { Order: object({ quantity: number }), Refund: object({ refund: text, quantity: number }) },
        schema('Order').field('quantity').renamedFrom('qty'),
      ),
    ).toThrow(/latest\..*no change module touches/);
  });

  it('[schemas] is a list of required fields only where all of its names are explained', () => {
    expect(
      problemsOf(
        object({ id: text, qty: number, note: text }, ['qty']),
        object({ id: text, quantity: number, note: text }, ['quantity', 'note']),
        schema('Order').field('quantity').renamedFrom('qty'),
      ),
    ).toThrow(/required .*no change module touches/);
  });

  it('[schemas] has to differ', () => {
    expect(
      problemsOf(object({ id: text }), object({ id: text }), schema('Order').field('gift').added()),
    ).toThrow('addGiftToOrder (from 2027-01 to 2026-10) touches nothing');
  });

  it('[schemas] has to be a component', () => {
    expect(
      problemsOf(object({ id: text }), object({ id: text }), schema('Ordre').field('gift').added()),
    ).toThrow("schema('Ordre').field('gift'): no operation and no event of 2027-01 uses a component Ordre");
  });

  function problemsOf2(before: Part, after: Part, ...changes: readonly WrittenChange[]) {
    return () =>
      void triedIn(
        documentOf(OLDER as string, { ...shared, ...before }, paths, webhooks),
        documentOf(NEWER as string, { ...shared, ...after }, paths, webhooks),
        ...changes,
      );
  }

  it('[schemas] refuses a choice whose values may be several of its alternatives', () => {
    const choice = { '/latest': { get: operationOf('latest', { anyOf: [ref('Order'), ref('Refund')] }) } };
    const loose = (properties: Part): Part => ({ type: 'object', properties });
    const before = documentOf(
      OLDER as string,
      { Order: loose({ qty: number }), Refund: loose({ refund: text }) },
      choice,
    );
    const after = documentOf(
      NEWER as string,
      { Order: loose({ quantity: number }), Refund: loose({ refund: text }) },
      choice,
    );
    expect(() => triedIn(before, after, schema('Order').field('quantity').renamedFrom('qty'))).toThrow(
      'a value may be several of its alternatives, so nobody can say which fields it has: write its change with functions by operation',
    );
  });

  it('[schemas] refuses values of which nobody could say what an older request means', () => {
    expect(
      problemsOf(
        object({ state: { enum: ['done'] } }),
        object({ state: { enum: ['paid', 'sent'] } }),
        schema('Order').field('state').values({ paid: 'done', sent: 'done' }),
      ),
    ).toThrow('several newer values were done');
  });

  it('[schemas] refuses two changes of the same name, and says what to do', () => {
    const both = schema('Order').field('quantity');
    expect(
      problemsOf(
        object({ qty: number }),
        object({ quantity: number }),
        both.renamedFrom('qty'),
        both.renamedFrom('qty'),
      ),
    ).toThrow('two changes are called renameQtyToQuantityOfOrder: give one of them another name');
  });
});

describe('a change at places', () => {
  it('[schemas] holds wherever an object there has the field, for documents without components', () => {
    const inline = (field: string) => ({
      '/orders': {
        get: operationOf(
          'orders:list',
          object({ items: { type: 'array', items: object({ [field]: number }) } }),
        ),
        post: operationOf('orders:create', object({ [field]: number }), object({ [field]: number })),
      },
      '/refunds': { get: operationOf('refunds:read', object({ qty: number })) },
    });
    const {
      up,
      down,
      operation: compiled,
    } = triedIn(
      documentOf(OLDER as string, {}, inline('qty')),
      documentOf(NEWER as string, {}, inline('quantity')),
      at('orders:**').field('quantity').renamedFrom('qty'),
    );
    expect(up('orders:create', { qty: 1 })).toEqual({ quantity: 1 });
    expect(down('orders:list', { items: [{ quantity: 1 }] })).toEqual({ items: [{ qty: 1 }] });
    expect(compiled('refunds:read').downgradeResponse).toBeNull();
  });

  it('[schemas] changes parameters of a query', () => {
    const list = (name: string, required: boolean) => ({
      '/orders': {
        get: {
          ...operationOf('orders:list', object({})),
          parameters: [{ name, in: 'query', required, schema: text }],
        },
      },
    });
    const { operation: compiled } = triedIn(
      documentOf(OLDER as string, {}, list('size', false)),
      documentOf(NEWER as string, {}, list('limit', false)),
      operation('orders:list').query('limit').renamedFrom('size'),
    );
    const request = { params: {}, query: { size: '5' }, headers: {}, body: {}, command: {} };
    expect(compiled('orders:list').upgradeRequest?.(request).query).toEqual({ limit: '5' });
  });
});

describe('a change of an operation or an event', () => {
  const path = (more: Part) => ({
    '/orders': { get: operationOf('orders:read', object({ id: text })), ...more },
  });
  const refund = { post: operationOf('orders:refund', object({ id: text }), object({ id: text })) };

  it('[schemas] adds an operation, and removes one in favour of another or as it was', () => {
    const added = triedIn(
      documentOf(OLDER as string, {}, path({})),
      documentOf(NEWER as string, {}, path(refund)),
      operation('orders:refund').added(),
    );
    expect(added.operation('orders:read').downgradeResponse).toBeNull();
    const replaced = triedIn(
      documentOf(OLDER as string, {}, path(refund)),
      documentOf(
        NEWER as string,
        {},
        path({ put: operationOf('orders:update', object({ id: text }), object({ id: text })) }),
      ),
      operation('orders:update').added(),
      operation('orders:refund').removed({
        as: 'orders:update',
        upgrade: ({ body }) => ({ body: { id: `${String(body.id)}!` } }),
      }),
    );
    expect(replaced.operation('orders:refund').headOperationId).toBe('orders:update');
    expect(replaced.up('orders:refund', { id: 'a' })).toEqual({ id: 'a!' });
    const kept = triedIn(
      documentOf(OLDER as string, {}, path(refund)),
      documentOf(NEWER as string, {}, path({})),
      operation('orders:refund').removed(),
    );
    expect(kept.operation('orders:refund').isKept).toBe(true);
  });

  it('[schemas] answers the status, the error and the header of before', () => {
    const answers = (status: number, code: string, headers: Part) => ({
      '/orders': {
        post: {
          operationId: 'orders:create',
          summary: 'Create',
          responses: {
            [status]: { description: 'Done', headers },
            409: { description: 'Conflict', 'x-error-codes': [code] },
          },
        },
      },
    });
    const { operation: compiled } = triedIn(
      documentOf(OLDER as string, {}, answers(200, 'conflict', { 'X-Total': { schema: text } })),
      documentOf(NEWER as string, {}, answers(201, 'already_there', {})),
      operation('orders:create').status(201).was(200),
      operation('orders:create').error(409, 'already_there').was({ status: 409, code: 'conflict' }),
      operation('orders:create')
        .header('X-Total')
        .removed({ older: () => '0' }),
    );
    const create = compiled('orders:create');
    expect(create.downgradeStatus?.(201)).toBe(200);
    expect(create.downgradeError({ status: 409, code: 'already_there', detail: '' })).toMatchObject({
      code: 'conflict',
    });
    const context = {
      request: { params: {}, query: {}, headers: {}, body: {}, command: {} },
      status: 201,
      extras: {},
    };
    expect(create.downgradeHeaders?.({}, context)).toEqual({ 'x-total': '0' });
  });

  it('[schemas] edits an answer whose status a later version changes, and none that is not in the contract', () => {
    const version = (name: string, [jobField, field]: readonly [string, string], status: number) =>
      documentOf(
        name,
        { Job: object({ [jobField]: number }), Item: object({ [field]: number }) },
        {
          '/items': {
            post: {
              ...operationOf('items:create', null),
              responses: {
                200: { description: 'Begun', ...json(ref('Job')) },
                [status]: { description: 'Done', ...json(ref('Item')) },
              },
            },
          },
        },
      );
    const compiled = compiledWithAll(
      [
        version(OLDER as string, ['j', 'weight'], 202),
        version(NEWER as string, ['job', 'grams'], 202),
        version('2027-04', ['job', 'grams'], 201),
      ],
      [
        [schema('Item').field('grams').renamedFrom('weight'), schema('Job').field('job').renamedFrom('j')],
        [operation('items:create').status(201).was(202)],
      ],
    );
    const create = compiled.get(apiVersion(OLDER as string))?.operations.get('items:create');
    const request = { params: {}, query: {}, headers: {}, body: {}, command: {} };
    const down = (body: Json, status: number) =>
      create?.downgradeResponse?.(body, { request, status, extras: {} });
    expect([create?.downgradeStatus?.(201), down({ grams: 1 }, 201)]).toEqual([202, { weight: 1 }]);
    expect(down({ job: 1 }, 200)).toEqual({ j: 1 });
    expect(down({ job: 1, grams: 1 }, 206)).toEqual({ job: 1, grams: 1 });
  });

  it('[schemas] keeps a new event from older versions', () => {
    const { event: placed } = triedIn(
      documentOf(OLDER as string, {}, path({})),
      documentOf(NEWER as string, { Order: object({ id: text }) }, path({}), webhooks),
      event('order.placed').added(),
    );
    expect(placed({ id: 'a' })).toBeUndefined();
  });
});

describe('the words of a change by schema', () => {
  const [before, after] = [
    older(object({ id: text, qty: number })),
    newer(object({ id: text, quantity: number })),
  ];
  const notesOf = (change: WrittenChange) => {
    const [one, other] = [contractIn(before), contractIn(after)];
    const { changeSet } = expandChanges(
      { older: one.version, newer: other.version, changes: [change] },
      one,
      other,
    );
    return releaseNotes(other.version, [changeSet]).groups.flatMap(({ notes }) => notes);
  };

  it('[schemas] are derived where none are given, with an example from the contract', () => {
    expect(notesOf(schema('Order').field('quantity').renamedFrom('qty'))).toEqual([
      {
        name: 'renameQtyToQuantityOfOrder',
        title: 'Rename qty to quantity of order',
        summary: 'Order: the field quantity was called qty.',
        why: '',
        upgradeNote: 'Send and read quantity where you used qty.',
        examples: [
          {
            before: { answerTo: 'POST /orders', status: 200, body: { qty: 1 } },
            after: { answerTo: 'POST /orders', status: 200, body: { quantity: 1 } },
          },
        ],
      },
    ]);
  });

  it('[schemas] are those that are given', () => {
    const words = {
      name: 'sayQuantity',
      summary: 'Qty is quantity.',
      why: 'It is a word.',
      upgradeNote: 'Say it.',
    };
    const [note] = notesOf(schema('Order').field('quantity').renamedFrom('qty', words));
    expect(note).toMatchObject(words);
  });

  it('[schemas] are tested like other changes', () => {
    testChange(schema('Order').field('quantity').renamedFrom('qty'), { older: before, newer: after });
    expect(() =>
      testChange(schema('Order').field('quantity').added(), { older: before, newer: after }),
    ).toThrow(
      /addQuantityToOrder does not bridge the two versions:[\s\S]*correct .* of addQuantityToOrder|write/,
    );
  });
});
