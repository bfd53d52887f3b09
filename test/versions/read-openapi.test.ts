import {
  bodyValidators,
  type Contract,
  compileApi,
  contractDifferences,
  declaredBody,
  type OpenApiDocument,
  type Operation,
  readOpenApi,
  responseValidators,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { ordersDocument, ordersOptions, ordersVersion, ordersWith } from './orders-files.ts';

const read = (document: OpenApiDocument): Contract => {
  const { contract, problems } = readOpenApi(document, ordersOptions);
  expect(problems).toEqual([]);
  return contract as Contract;
};
const orders = read(ordersDocument());
const operation = (id: string, contract = orders) =>
  contract.operations.find((one) => one.id === id) as Operation;
const compiled = compileApi({ documents: [ordersDocument()], changeSets: [], read });
const checksOf = (id: string) => {
  const found = compiled.get(ordersVersion)?.operations.get(id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
};

describe('a contract read from ordinary OpenAPI', () => {
  it('has the operations of the document', () => {
    expect(operation('listOrders')).toMatchObject({
      method: 'GET',
      path: '/orders',
      summary: 'List orders',
      groups: ['orders'],
      security: { scheme: 'bearer', scopes: ['orders:read'] },
      body: null,
    });
    expect(operation('createOrder')).toMatchObject({ summary: 'createOrder', groups: ['api'] });
    expect(operation('readStatus')).toMatchObject({ security: { scheme: 'none' }, responses: { 204: null } });
    expect(operation('deleteOrder').security).toEqual({ scheme: 'bearer', scopes: [] });
  });

  it('reads parameters as the types that their text stands for', () => {
    const { query, headers } = operation('listOrders');
    expect(query).toEqual({
      type: 'object',
      required: [],
      properties: {
        limit: { type: 'integer', maximum: 100 },
        state: { type: 'array', items: { enum: ['open', 'sent'] } },
      },
    });
    expect(headers).toMatchObject({ properties: { 'Trace-Id': { type: 'string', maxLength: 40 } } });
    const page = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
    const size = { allOf: [{ type: 'number' }, { type: ['integer', 'string'] }] };
    const parameters = [
      { name: 'page', in: 'query', required: true, schema: page },
      { name: 'size', in: 'query', schema: size },
    ];
    expect(
      operation('listOrders', read(ordersWith('/paths/~1orders/get/parameters', parameters))).query,
    ).toEqual({
      type: 'object',
      required: ['page'],
      properties: { page: { ...page, type: 'integer' }, size: { ...size, type: 'integer' } },
    });
  });

  it('has parameters of the path where they are more than any text, and inherits them', () => {
    expect(operation('readOrder').params).toMatchObject({
      required: ['number'],
      properties: { number: { type: 'integer' } },
    });
    expect(checksOf('readOrder').validateParams({ number: 1 })).toEqual([]);
    expect(checksOf('readOrder').validateParams({ number: 0 })).toMatchObject([{ instancePath: '/number' }]);
    const own = [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }];
    const plain = read(ordersWith('/paths/~1orders~1{number}/get/parameters', own));
    expect(operation('readOrder', plain)).not.toHaveProperty('params');
    expect(operation('deleteOrder', plain)).toHaveProperty('params');
  });

  it('has bodies of several media types, JSON first, whatever their order, optional where they are not required', () => {
    expect(operation('createOrder').body).toMatchObject({
      mediaType: 'application/json',
      others: [{ mediaType: 'application/x-www-form-urlencoded', schema: { required: ['sku'] } }],
    });
    expect(operation('createOrder').body).not.toHaveProperty('optional');
    expect(operation('listOrders').responses[200]?.others).toEqual([{ mediaType: 'text/csv', schema: null }]);
    const content = { 'image/png': {}, 'Application/vnd.order+json; charset=utf-8': {} };
    const { body } = operation(
      'createOrder',
      read(ordersWith('/paths/~1orders/post/requestBody', { content })),
    );
    expect(body).toEqual({
      mediaType: 'application/vnd.order+json',
      schema: {},
      optional: true,
      others: [{ mediaType: 'image/png', schema: null }],
    });
    const form = bodyValidators(operation('createOrder').body).get('application/x-www-form-urlencoded');
    expect(form?.({ sku: 'a-1' })).toEqual([]);
    expect(form?.({})).toMatchObject([{ keyword: 'required' }]);
  });

  it('checks bodies and answers, those that recur too', () => {
    const { validateBody } = checksOf('createOrder');
    expect(validateBody({ lines: [{ sku: 'a-1', quantity: 1 }] })).toEqual([]);
    expect(validateBody({ lines: [{ sku: 'a-1', quantity: 0 }] })).toMatchObject([
      { instancePath: '/lines/0/quantity' },
    ]);
    const order = { number: 1, lines: [{ sku: 'a-1', quantity: 1 }], note: null };
    const check = responseValidators(operation('readOrder'))[200];
    expect(check?.({ ...order, replaces: order })).toEqual([]);
    expect(check?.({ ...order, replaces: { ...order, number: 0 } })).toMatchObject([
      { instancePath: '/replaces/number' },
    ]);
  });

  it('has errors by status: as they are named, as their schema names them, or the usual ones', () => {
    expect(operation('createOrder').errors).toEqual({
      401: ['unauthorized'],
      409: ['conflict', 'order_exists'],
      422: ['quantity_too_high', 'sku_unknown'],
      502: ['upstream_failed'],
    });
    expect(operation('readOrder').errors).toMatchObject({ 404: ['not_found'] });
    expect(operation('deleteOrder').errors).toMatchObject({ 418: ['error_418'] });
  });

  it('[folder 28] has bodies of errors, and of statuses that are not named: a named one wins over its range, and that over the rest', () => {
    const text = (type: string) => ({ description: 'x', content: { [type]: { schema: { const: type } } } });
    const responses = { default: text('a/rest'), '4XX': text('a/range'), 404: text('a/named'), 409: {} };
    const bodyOf = (more: object, status: number) => {
      const document = ordersWith('/paths/~1orders/get/responses', { ...responses, ...more });
      const body = declaredBody(operation('listOrders', read(document)), status);
      return body?.mediaType ?? body;
    };
    const bodies = (more: object, statuses: number[]) => statuses.map((status) => bodyOf(more, status));
    expect(bodies({}, [200, 302, 404, 409, 422, 500])).toEqual([
      'a/rest',
      undefined,
      'a/named',
      null,
      'a/range',
      'a/rest',
    ]);
    expect(bodies({ 200: {} }, [200, 201])).toEqual([null, undefined]);
    expect(bodies({ 200: {}, '2XX': text('a/success') }, [200, 201])).toEqual([null, 'a/success']);
  });

  it('ignores headers that OpenAPI says something else about, and links', () => {
    const response = { description: 'It.', links: { next: { operationId: 'read' } } };
    const parameters = ['Accept', 'authorization', 'Content-Type', 'X-Own'].map((name) => ({
      name,
      in: 'header',
      schema: { type: 'string' },
    }));
    const { operations } = read({
      openapi: '3.1.0',
      info: { title: 'Headers', version: '2026-04' },
      paths: {
        '/a': { get: { operationId: 'read', security: [], parameters, responses: { 200: response } } },
      },
    });
    expect(operations[0]?.headers?.properties).toEqual({ 'X-Own': { type: 'string' } });
  });

  it('names the headers of answers, but for those that are ours', () => {
    expect(operation('listOrders').answerHeaders).toEqual(['x-total']);
    expect(operation('readOrder').answerHeaders).toEqual(['location']);
    expect(operation('readStatus')).not.toHaveProperty('answerHeaders');
  });

  it('has its webhooks as event kinds in the given frame, with scopes and an example that fits', () => {
    const [created, sent] = orders.events;
    expect(created).toMatchObject({
      kind: 'order.created',
      summary: 'An order was created',
      scopes: ['orders:read'],
      schema: {
        properties: { type: { const: 'order.created' }, data: { $ref: '#/$defs/Order' } },
        $defs: { Order: { type: 'object' } },
      },
      example: { type: 'order.created', data: { number: 7, lines: [{ sku: 'a-1', quantity: 2 }] } },
    });
    // The scopes that the document asks for where nothing else is said; the sample has what schemas give as examples.
    expect(sent).toMatchObject({
      summary: 'order.sent',
      scopes: ['orders:read'],
      example: { data: { number: 1, note: 'Ring twice.', lines: [{ sku: 'b-2', quantity: 1 }] } },
    });
    const validate = compiled.get(ordersVersion)?.validateEvent.get('order.sent');
    expect(validate?.(sent?.example)).toEqual([]);
    expect(validate?.({ type: 'order.sent', data: {} })).not.toEqual([]);
  });

  it('is the same if words alone differ', () => {
    const words = JSON.stringify(ordersDocument(), (key, value) =>
      key === 'description' && typeof value === 'string' ? `${value} Indeed.` : value,
    );
    expect(words).not.toBe(JSON.stringify(ordersDocument()));
    expect(read(JSON.parse(words))).toEqual(orders);
    const described = ordersWith('/components/schemas/Failure/x-words', { title: 'Failed' });
    expect(read(described)).toEqual(orders);
    const titled = ordersWith('/paths/~1orders/get/summary', 'All orders');
    expect(contractDifferences(orders, read(titled))).toEqual([]);
    const narrower = ordersWith('/components/parameters/Limit/schema/maximum', 50);
    expect(contractDifferences(orders, read(narrower))).toEqual([
      'listOrders.query.properties.limit.maximum',
    ]);
  });

  it('differs where the data of an event has another property, whatever that is called', () => {
    const versioned = ordersWith('/components/schemas/Order/properties/api_version', { type: 'string' });
    expect(contractDifferences(orders, read(versioned))).toContain(
      'order.created.properties.data.properties.api_version',
    );
  });

  it('is the same whatever is declared before: definitions have the names of their schemas', () => {
    const first = {
      get: { operationId: 'readFirst', responses: { 200: { $ref: '#/components/responses/Order' } } },
    };
    const document = ordersDocument() as { paths: object };
    const longer = read({ ...document, paths: { '/first': first, ...document.paths } });
    expect(contractDifferences(orders, { ...longer, operations: longer.operations.slice(1) })).toEqual([]);
  });
});
