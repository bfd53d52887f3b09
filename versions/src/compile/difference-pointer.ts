import type { Contract, Operation } from '../contract/contract.ts';
import { pointerBelow, valueAt, valueBelow } from '../openapi/json-pointer.ts';
import { readReference } from '../openapi/openapi-reference.ts';
import { isPart, type OpenApiDocument } from '../openapi/plain-data.ts';
import { mediaTypeOf } from '../reading/read-content.ts';

/**
 * A JSON pointer to where a difference shows in the document of a contract, as near as can be said: what the contract lacks has no place,
 * and is shown at what it is missing in.
 */
export function differencePointer(document: OpenApiDocument, contract: Contract, path: string): string {
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const [id, rest] = nameIn(path, operations.keys());
  const operation = id === null ? undefined : operations.get(id);
  if (operation) return followOperation(document, operation, rest).pointer;
  const kinds = contract.events.map(({ kind }) => kind);
  const [kind, below] = nameIn(path, kinds);
  if (kind === null) return '';
  const content = ['webhooks', kind, 'post', 'requestBody', 'content', 'application/json'];
  return followText(follow(document, ...content), below.replace(/^(?:schema\.)?/, 'schema.')).pointer;
}

interface Spot {
  document: OpenApiDocument;
  pointer: string;
  value: unknown;
}

function followOperation(document: OpenApiDocument, operation: Operation, rest: string): Spot {
  const spot = follow(document, 'paths', operation.path, operation.method.toLowerCase());
  const [part = '', ...further] = rest.split('.');
  const below = further.join('.');
  switch (part) {
    case 'responses':
    case 'errorBodies':
    case 'ranges':
    case 'errors':
      return followBody(step(spot, 'responses'), below);
    case 'answerHeaders':
      return step(spot, 'responses');
    case 'body':
      return followContent(step(spot, 'requestBody'), below);
    case 'query':
    case 'params':
    case 'headers':
      return followParameter(spot, part, below);
    case 'groups':
      return step(spot, 'tags');
    default:
      return followText(spot, rest);
  }
}

function followBody(responses: Spot, rest: string): Spot {
  const [status = '', ...further] = rest.split('.');
  return followContent(step(responses, status), further.join('.'));
}

/** The main media type stands for the body; the others are below it by their place in a list. */
function followContent(spot: Spot, rest: string): Spot {
  const [part, ...further] = rest.split('.');
  const content = step(spot, 'content');
  if (part !== 'schema' || !isPart(content.value)) return rest === '' ? spot : content;
  const names = Object.keys(content.value);
  const name = names.find((type) => mediaTypeOf(type) === 'application/json') ?? names[0] ?? '';
  return followText(step(step(content, name), 'schema'), further.join('.'));
}

const SENT_IN = { query: 'query', params: 'path', headers: 'header' } as const;

function followParameter(operation: Spot, part: keyof typeof SENT_IN, rest: string): Spot {
  const named = /^properties\.(.*)$/s.exec(rest)?.[1];
  if (named === undefined) return step(operation, 'parameters');
  const item = spotAt(operation.document, operation.pointer.replace(/\/[^/]*$/, ''));
  const found = [operation, item]
    .flatMap((spot) => itemsOf(step(spot, 'parameters')))
    .map((spot) => ({ spot, name: String(valueBelow(spot.value, 'name')) }))
    .find(
      ({ spot, name }) => valueBelow(spot.value, 'in') === SENT_IN[part] && nameIn(named, [name])[0] !== null,
    );
  return found ? followText(step(found.spot, 'schema'), nameIn(named, [found.name])[1]) : operation;
}

function itemsOf(list: Spot): Spot[] {
  return Array.isArray(list.value) ? list.value.map((_item, index) => step(list, String(index))) : [];
}

/** Follows names that are joined by dots, as far as there are any: a name may have dots itself. */
function followText(spot: Spot, rest: string): Spot {
  if (rest === '' || typeof spot.value !== 'object' || spot.value === null) return spot;
  const [name, below] = nameIn(rest, Object.keys(spot.value));
  return name === null ? spot : followText(step(spot, name), below);
}

/** The longest of some names that a path begins with, and the rest of it. */
function nameIn(path: string, names: Iterable<string>): [name: string | null, rest: string] {
  let longest: string | null = null;
  for (const name of names)
    if ((path === name || path.startsWith(`${name}.`)) && name.length >= (longest?.length ?? 0))
      longest = name;
  return longest === null ? [null, path] : [longest, path.slice(longest.length + 1)];
}

function follow(document: OpenApiDocument, ...keys: readonly string[]): Spot {
  return keys.reduce(step, spotAt(document, ''));
}

/** Stays where it is where there is nothing below. */
function step(spot: Spot, key: string): Spot {
  if (valueBelow(spot.value, key) === undefined) return spot;
  return spotAt(spot.document, pointerBelow(spot.pointer, key));
}

const REFERENCES_MAX = 100;

/** Where a pointer leads in the end. */
function spotAt(document: OpenApiDocument, pointer: string): Spot {
  let spot = { document, pointer, value: valueAt(document, pointer) };
  for (let count = 0; count < REFERENCES_MAX; count++) {
    const text = valueBelow(spot.value, '$ref');
    const target = typeof text === 'string' ? readReference(text, '') : '';
    if (typeof target === 'string' || target.file !== '') return spot;
    spot = { document, pointer: target.pointer, value: valueAt(document, target.pointer) };
  }
  return spot;
}
