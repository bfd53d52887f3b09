// What the client needs to know of a version, from its OpenAPI document: calls, events, and the types of both.
import {
  bodyName,
  isRepeatable,
  isWellNamed,
  itemName,
  paginationName,
  payloadName,
  queryName,
  resultName,
} from './names.mjs';

const FORM = 'application/x-www-form-urlencoded';

/** @returns {{ version: string, calls: object[], events: object[], schemas: Map<string, object>, codes: string[] }} */
export function readContract(document, callOf) {
  const types = typeBook();
  const operations = operationsOf(document).filter(({ id }) => callOf(id) !== null);
  // Results first, they are what the rest is made of; of those, the ones that have a name of their own.
  for (const { id, result } of [...operations].sort(wellNamedFirst)) nameResult(types, id, result);
  return {
    version: document.info.version,
    calls: operations.map((operation) => callIn(types, callOf(operation.id), operation)),
    events: eventsOf(types, document),
    schemas: types.schemas(),
    codes: codesIn(document),
  };
}

function wellNamedFirst(one, other) {
  return Number(isWellNamed(other.id)) - Number(isWellNamed(one.id));
}

function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, part]) => readOperation(path, method.toUpperCase(), part)),
  );
}

function readOperation(path, method, part) {
  refuseUnknownParts(part);
  const [bodyType, body] = Object.entries(part.requestBody?.content ?? {})[0] ?? [];
  const success = Object.entries(part.responses).find(([status]) => status.startsWith('2'))?.[1];
  const result = Object.values(success?.content ?? {})[0]?.schema;
  return {
    id: part.operationId,
    summary: part.summary,
    method,
    path,
    query: querySchema(part.parameters),
    hasKey: part.parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: body?.schema,
    bodyType,
    bodyRequired: part.requestBody?.required === true,
    auth: authOf(part, body?.schema),
    result,
  };
}

/** Fails for parts of a request that a call cannot express, so that none is dropped. */
function refuseUnknownParts({ operationId, parameters, requestBody }) {
  const header = parameters.find(
    ({ in: location, name }) => location === 'header' && name !== 'Idempotency-Key',
  );
  if (header)
    throw new Error(
      `${operationId} takes the header ${header.name}, which calls of the client cannot send yet`,
    );
  if (requestBody && parameters.some((parameter) => parameter.in === 'query'))
    throw new Error(
      `${operationId} takes a body and a query; calls of the client can send only one of them yet`,
    );
}

/** The authentication of a call: as the client by its id and secret, or with a bearer token. */
function authOf({ security, 'x-client-authentication': methods }, body) {
  if (security.length > 0) return Object.keys(security[0])[0] === 'bearer' ? 'bearer' : 'secret';
  const needsSecret = methods ? !methods.includes('none') : body?.required?.includes('client_secret');
  if (needsSecret) return 'client';
  return body?.properties?.client_secret ? 'maybe-client' : 'none';
}

function querySchema(parameters) {
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (ofQuery.length === 0) return undefined;
  return {
    type: 'object',
    required: ofQuery.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(ofQuery.map(({ name, schema }) => [name, schema])),
  };
}

function nameResult(types, id, result) {
  if (isList(result)) types.name(itemName(id), result.properties.items.items);
  else if (result?.anyOf?.every(({ properties }) => properties && 'active' in properties)) {
    for (const one of result.anyOf)
      types.name(one.properties.active.const ? 'ActiveToken' : 'InactiveToken', one);
    types.name(resultName(id), result);
  } else if (result) types.name(resultName(id), result);
}

function callIn(types, name, operation) {
  const { id, summary, method, path, query, body, bodyType, result, auth } = operation;
  const isPaged = isList(result);
  const input = inputOf(types, operation);
  const pagination =
    isPaged && types.name(usualPagination(result), result.properties.pagination, paginationName(id));
  return {
    name,
    summary,
    method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    input,
    send: body ? (bodyType === FORM ? 'form' : 'json') : query ? 'query' : undefined,
    auth,
    repeat: operation.hasKey ? 'with-key' : isRepeatable(operation) ? 'safe' : undefined,
    isPaged,
    result: isPaged
      ? `${types.name(itemName(id), result.properties.items.items)}, ${pagination}`
      : result && types.name(resultName(id), result),
  };
}

function inputOf(types, { id, query, body, bodyRequired, auth }) {
  if (body) {
    const asked = auth === 'client' ? withoutCredentials(body) : body;
    return { type: types.name(bodyName(id), asked), required: bodyRequired };
  }
  return query && { type: types.name(queryName(id), query), required: query.required.length > 0 };
}

/** The client knows its own id and secret: calls do not take them. */
function withoutCredentials(schema) {
  const isOther = (name) => !['client_id', 'client_secret'].includes(name);
  return {
    ...schema,
    required: schema.required.filter(isOther),
    properties: Object.fromEntries(Object.entries(schema.properties).filter(([name]) => isOther(name))),
  };
}

function isList(result) {
  return result?.properties?.items !== undefined && result.properties.pagination !== undefined;
}

/** Lists page in one of two ways; one with more fields than the others has a name of its own. */
function usualPagination({ properties }) {
  return 'next_cursor' in properties.pagination.properties ? 'CursorPagination' : 'PagePagination';
}

function eventsOf(types, document) {
  return Object.entries(document.webhooks).map(([kind, { post }]) => ({
    kind,
    summary: post.summary,
    data: types.name(payloadName(kind), post.requestBody.content['application/json'].schema.properties.data),
  }));
}

function codesIn(document) {
  const responses = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((part) => Object.values(part.responses));
  return responses.flatMap((response) => response['x-error-codes'] ?? []);
}

/** Schemas by name, each once: equal schemas have the same name, also inside of others. */
function typeBook() {
  const names = new Map();
  const book = new Map();
  return { name, schemas };

  function name(wanted, schema, otherwise) {
    const key = JSON.stringify(schema);
    const known = names.get(key);
    if (known) return known;
    if (book.has(wanted) && otherwise) return name(otherwise, schema);
    if (book.has(wanted))
      throw new Error(`two types want to be called ${wanted}; name one in tools/client-generator/names.mjs`);
    names.set(key, wanted);
    book.set(wanted, schema);
    return wanted;
  }

  /** Where a named schema stands inside of another one, its name stands instead. */
  function schemas() {
    const refer = (schema, isWhole) => {
      if (Array.isArray(schema)) return schema.map((one) => refer(one, false));
      if (typeof schema !== 'object' || schema === null) return schema;
      const known = isWhole ? undefined : names.get(JSON.stringify(schema));
      if (known) return { $ref: `#/components/schemas/${known}` };
      return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, refer(value, false)]));
    };
    return new Map([...book].map(([name, schema]) => [name, refer(schema, true)]));
  }
}
