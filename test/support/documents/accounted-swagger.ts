import { pointerBelow, valueAt } from '@dateline/versions';
import { differing, isObject, type Json } from './accounted.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];
const WORDS = ['tags', 'summary', 'description', 'externalDocs', 'deprecated', 'operationId', 'security'];
const OF_SCHEMA = [
  ...[
    'type',
    'format',
    'items',
    'default',
    'enum',
    'multipleOf',
    'pattern',
    'uniqueItems',
    'maximum',
    'minimum',
  ],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'maxLength', 'minLength', 'maxItems', 'minItems'],
];

/** The same for a document of Swagger 2.0, whose parts are somewhere else in OpenAPI 3. The names of whole sections count for nothing. */
export function unaccountedSwagger(original: Json, next: unknown, all: ReadonlySet<string>): string[] {
  const named = new Set(
    [...all].filter(
      (place) => !/^\/(?:definitions|parameters|responses|paths|securityDefinitions)$/.test(place),
    ),
  );
  const isNamed = (place: string): boolean =>
    [...named].some((one) => place === one || place.startsWith(`${one}/`));
  const wrong: string[] = [];
  const compare = (before: unknown, after: unknown, at: string): void => {
    if (!isNamed(at)) wrong.push(...differing(inPlaces3(before), after, { at, named }));
  };
  const inNext = (...names: string[]): unknown => valueAt(next, pointerBelow('', ...names));

  for (const [name, schema] of entries(original.definitions))
    compare(schema, inNext('components', 'schemas', name), pointerBelow('/definitions', name));
  for (const [name, scheme] of entries(original.securityDefinitions))
    if (scheme.type === 'apiKey')
      compare(
        scheme,
        inNext('components', 'securitySchemes', name),
        pointerBelow('/securityDefinitions', name),
      );
  for (const [name, response] of entries(original.responses))
    compareResponse(
      response,
      inNext('components', 'responses', name),
      pointerBelow('/responses', name),
      produced({}),
    );
  for (const [path, item] of entries(original.paths))
    for (const method of METHODS) {
      const operation = item[method];
      const at = pointerBelow('/paths', path, method);
      if (isObject(operation) && !isNamed(at)) compareOperation(item, operation, at);
    }
  return wrong;

  function compareOperation(item: Json, operation: Json, at: string): void {
    const made = valueAt(next, at);
    if (!isObject(made)) {
      wrong.push(at);
      return;
    }
    for (const word of WORDS) compare(operation[word], made[word], pointerBelow(at, word));
    const shared = valueAt(next, at.slice(0, at.lastIndexOf('/')));
    const known = [...list(isObject(shared) ? shared.parameters : []), ...list(made.parameters)].map(
      resolved,
    );
    for (const [index, stated] of list(operation.parameters).entries())
      compareParameter(resolved(stated), known, { made, at: pointerBelow(at, 'parameters', index) });
    for (const [index, stated] of list(item.parameters).entries())
      compareParameter(resolved(stated), known, {
        made,
        at: pointerBelow(at.slice(0, at.lastIndexOf('/')), 'parameters', index),
      });
    for (const [status, response] of entries(operation.responses)) {
      const there = valueAt(made, pointerBelow('/responses', status));
      compareResponse(
        resolved(response),
        isObject(there) ? resolved(there) : there,
        pointerBelow(at, 'responses', status),
        produced(operation),
      );
    }
  }

  function compareParameter(
    parameter: Json,
    known: readonly Json[],
    { made, at }: { made: Json; at: string },
  ): void {
    const media = entries(valueAt(made, '/requestBody/content')).map(([, one]) => one);
    if (parameter.in === 'body') {
      if (media.length === 0) wrong.push(at);
      for (const one of media)
        wrong.push(...differing(inPlaces3(parameter.schema), one.schema, { at: `${at}/schema`, named }));
    } else if (parameter.in === 'formData') {
      const field = valueAt(media[0]?.schema, pointerBelow('/properties', String(parameter.name)));
      wrong.push(
        ...differing(schemaIn(parameter, at), isObject(field) ? pick(field, OF_SCHEMA) : field, {
          at,
          named: without(named, at),
        }),
      );
    } else {
      const found = known.find(({ in: sentIn, name }) => sentIn === parameter.in && name === parameter.name);
      const schema = isObject(found?.schema) ? found.schema : {};
      compare(
        { ...pick(parameter, ['description', 'required']), ...pick(parameter, OF_SCHEMA) },
        found && { ...pick(found, ['description', 'required']), ...schema },
        at,
      );
    }
  }

  function schemaIn(parameter: Json, _at: string): Json {
    const schema = pick(parameter, OF_SCHEMA);
    return parameter.type === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
  }

  function compareResponse(response: Json, made: unknown, at: string, types: readonly string[]): void {
    if (isNamed(at)) return;
    if (!isObject(made)) {
      wrong.push(at);
      return;
    }
    compare(response.description, made.description, `${at}/description`);
    for (const [name, header] of entries(response.headers)) {
      const there = valueAt(made, pointerBelow('/headers', name));
      const schema = isObject(there) && isObject(there.schema) ? there.schema : {};
      compare(
        header,
        isObject(there) ? { ...pick(there, ['description']), ...schema } : there,
        pointerBelow(at, 'headers', name),
      );
    }
    if (response.schema === undefined || valueAt(response, '/schema/type') === 'file') return;
    for (const type of types)
      compare(response.schema, valueAt(made, pointerBelow('/content', type, 'schema')), `${at}/schema`);
  }

  function resolved(part: Json): Json {
    if (typeof part.$ref !== 'string') return part;
    const found = valueAt(part.$ref.startsWith('#/components/') ? next : original, part.$ref.slice(1));
    return isObject(found) ? found : {};
  }

  function produced(operation: Json): string[] {
    const types = [operation.produces, original.produces].find((one) => Array.isArray(one) && one.length > 0);
    return Array.isArray(types) ? types : ['application/json'];
  }
}

const without = (all: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  new Set([...all].filter((name) => name !== one));

function inPlaces3(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value).replaceAll('"#/definitions/', '"#/components/schemas/'));
}

function pick(part: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => name in part).map((name) => [name, part[name]]));
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

function entries(value: unknown): [string, Json][] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, one]) => (isObject(one) ? [[name, one]] : []))
    : [];
}
