import { isPart, type Part, textsIn } from '../../document/parts.ts';
import { belowPlace } from '../document-tree.ts';
import type { SourcePlace } from '../import-notes.ts';
import { followed, METHODS } from '../places.ts';
import {
  bodyTypes,
  formBody,
  isFormField,
  parameterOf,
  requestBodyOf,
  type Stated,
} from './swagger-parameters.ts';
import { moved, type SwaggerReader } from './swagger-reader.ts';
import { responseOf } from './swagger-responses.ts';

const ALL_METHODS = new Set([...METHODS, 'options']);

/** A path with its operations. What all of its operations have in their bodies goes to each of them. */
export function pathItemOf(reader: SwaggerReader, stated: SourcePlace): unknown {
  const place = followed(reader.tree, stated);
  const item = reader.tree.valueAt(place);
  if (!isPart(item)) return item;
  const shared = parametersAt(reader, belowPlace(place, 'parameters'));
  const members = Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'parameters') return parametersEntry(plainParameters(reader, belowPlace(place, name)));
    const isOperation = ALL_METHODS.has(name) && isPart(value);
    return [[name, isOperation ? operationOf(reader, belowPlace(place, name), shared) : value]];
  });
  return reader.made(Object.fromEntries(members), place);
}

function operationOf(reader: SwaggerReader, place: SourcePlace, shared: readonly Stated[]): Part {
  const value = reader.tree.valueAt(place);
  const operation = isPart(value) ? value : {};
  const { consumes, produces, schemes, ...others } = operation;
  if (schemes !== undefined)
    reader.notes.add(
      'left out',
      belowPlace(place, 'schemes'),
      'OpenAPI 3 has no schemes of one operation; see servers',
    );
  const takes = textsIn(operation, 'consumes');
  const body = bodyOf(reader, place, shared, takes.length > 0 ? takes : reader.consumes);
  const members = Object.entries(others).flatMap(([name, member]): [string, unknown][] => {
    if (name === 'parameters') return parametersEntry(plainParameters(reader, belowPlace(place, name)));
    if (name === 'responses') return [...bodyEntry(body), [name, responsesOf(reader, place)]];
    return [[name, member]];
  });
  const isPlaced = members.some(([name]) => name === 'requestBody');
  return reader.made(Object.fromEntries(isPlaced ? members : [...members, ...bodyEntry(body)]), place);
}

/** Where all of them were parts of the body, none are left. */
const parametersEntry = (list: unknown): [string, unknown][] =>
  Array.isArray(list) && list.length === 0 ? [] : [['parameters', list]];

const bodyEntry = (body: Part | null): [string, unknown][] => (body === null ? [] : [['requestBody', body]]);

/** Its own parameters take the place of those that its path shares. */
function bodyOf(
  reader: SwaggerReader,
  place: SourcePlace,
  shared: readonly Stated[],
  consumes: readonly string[],
): Part | null {
  const own = parametersAt(reader, belowPlace(place, 'parameters'));
  const byName = new Map(
    [...shared, ...own].map((stated) => [`${stated.part.in} ${stated.part.name}`, stated]),
  );
  const fields = [...byName.values()].filter(isFormField);
  if (fields.length > 0) return formBody(reader, fields, consumes);
  const body = [...byName.values()].findLast(({ part }) => part.in === 'body');
  return body ? requestBodyOf(reader, body, bodyTypes(consumes)) : null;
}

/** The parameters of a list, wherever they are written. */
function parametersAt(reader: SwaggerReader, list: SourcePlace): Stated[] {
  const value = reader.tree.valueAt(list);
  const items = Array.isArray(value) ? value : [];
  return items.flatMap((_item, index) => {
    const place = followed(reader.tree, belowPlace(list, index));
    const part = reader.tree.valueAt(place);
    return isPart(part) ? [{ part, place }] : [];
  });
}

/** Those of a list that are neither bodies nor fields of forms. */
function plainParameters(reader: SwaggerReader, list: SourcePlace): unknown {
  const value = reader.tree.valueAt(list);
  if (!Array.isArray(value)) return value;
  return value.flatMap((item: unknown, index) => {
    const stated = belowPlace(list, index);
    const place = followed(reader.tree, stated);
    const part = reader.tree.valueAt(place);
    if (!isPart(part)) return [item];
    if (part.in === 'body' || part.in === 'formData') return [];
    const own = isPart(item) && typeof item.$ref === 'string' ? moved(item.$ref) : null;
    if (own?.startsWith('#/components/parameters/')) return [reader.made({ $ref: own }, stated)];
    return [parameterOf(reader, { part, place })];
  });
}

function responsesOf(reader: SwaggerReader, operation: SourcePlace): unknown {
  const place = belowPlace(operation, 'responses');
  const value = reader.tree.valueAt(place);
  if (!isPart(value)) return value;
  const stated = reader.tree.valueAt(operation);
  const named = isPart(stated) ? textsIn(stated, 'produces') : [];
  const made = Object.entries(value).map(([status, response]) => {
    if (status.startsWith('x-')) return [status, response];
    return [status, answerOf(reader, belowPlace(place, status), named)];
  });
  return Object.fromEntries(made);
}

/** A shared answer has the media types of the document: where an operation names its own, it gets a copy. */
function answerOf(reader: SwaggerReader, place: SourcePlace, named: readonly string[]): unknown {
  const value = reader.tree.valueAt(place);
  const text = isPart(value) && typeof value.$ref === 'string' ? moved(value.$ref) : null;
  const isSame = named.length === 0 || named.join() === reader.produces.join();
  if (text?.startsWith('#/components/responses/') && isSame) return reader.made({ $ref: text }, place);
  const target = followed(reader.tree, place);
  if (text !== null && target !== place)
    reader.notes.add(
      'changed',
      place,
      'a copy stands here, since its operation or its file has other media types',
    );
  return responseOf(reader, target, named.length > 0 ? named : reader.produces);
}

/** True where operations can refer to a parameter in OpenAPI 3: bodies and forms are written where they are used. */
export const isReferable = (part: Part): boolean => part.in !== 'body' && part.in !== 'formData';

/** The addresses of a document, as servers. */
export function serversOf(document: Part): Part[] {
  const { host, basePath } = document;
  const path = typeof basePath === 'string' ? basePath.replace(/\/$/, '') : '';
  if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
  const schemes = textsIn(document, 'schemes').filter((scheme) => /^https?$/.test(scheme));
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}
