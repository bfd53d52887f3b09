import { keysOfPointer, type OpenApiKind, openApiGrammar, pointerBelow, valueAt } from '@dateline/versions';
import { isPart } from '../../document/parts.ts';

/** The way to a place in a document: the objects that are passed, and the keys that are left in the last one. */
export interface Way {
  /** Outermost first; the document itself is the first. */
  passed: readonly Passed[];
  rest: readonly string[];
}

export interface Passed {
  kind: OpenApiKind;
  pointer: string;
}

export function wayTo(pointer: string): Way {
  const passed: Passed[] = [{ kind: 'document', pointer: '' }];
  let rest = keysOfPointer(pointer);
  for (;;) {
    const last = passed.at(-1);
    const holding = last && rest[0] !== undefined ? openApiGrammar[last.kind].holds[rest[0]] : undefined;
    const isExtension = holding?.extensible === true && rest[1]?.startsWith('x-') === true;
    const length = holding?.as === 'one' ? 1 : 2;
    if (!last || !holding || isExtension || rest.length < length) return { passed, rest };
    passed.push({ kind: holding.kind, pointer: pointerBelow(last.pointer, ...rest.slice(0, length)) });
    rest = rest.slice(length);
  }
}

/** Members without which an object of a kind means nothing: it is left out as a whole. */
const NEEDED: Readonly<Partial<Record<OpenApiKind, readonly string[]>>> = {
  document: ['openapi', 'info', 'paths', 'security', 'components', 'webhooks'],
  components: ['securitySchemes', 'schemas', 'responses', 'parameters', 'requestBodies', 'headers'],
  pathItem: ['parameters', '$ref'],
  operation: ['responses', 'security', 'requestBody', 'parameters', 'operationId', '$ref'],
  parameter: ['name', 'in', 'schema', 'content', 'required', '$ref'],
  header: ['$ref'],
  requestBody: ['content', '$ref'],
  response: ['$ref'],
  securityScheme: ['type', 'scheme', 'flows', '$ref'],
};

/** Objects that can be left out by themselves. */
const ALONE: readonly OpenApiKind[] = [
  ...(['pathItem', 'operation', 'parameter', 'header', 'requestBody', 'response'] as const),
  ...(['mediaType', 'encoding', 'example', 'link', 'callback'] as const),
];

/** Something that a document can do without, from the smallest to the largest. */
export interface Removable {
  pointer: string;
  /** A schema stays in its place, and takes anything. */
  isOpened: boolean;
}

/** The parts that a problem at a place goes away with. `isInPath` says of a parameter that its path needs it. */
export function removables(
  document: unknown,
  pointer: string,
  isInPath: (parameter: string) => boolean,
): Removable[] {
  const { passed, rest } = wayTo(pointer);
  const last = passed.at(-1);
  const inside = last && rest.length > 0 ? membersOf(document, last, rest) : [];
  const around = passed.toReversed().flatMap(({ kind, pointer: at }): Removable[] => {
    if (kind === 'schema') return [{ pointer: at, isOpened: true }];
    if (!ALONE.includes(kind) || (kind === 'parameter' && isInPath(at))) return [];
    return [{ pointer: at, isOpened: false }];
  });
  return [...inside, ...around];
}

function membersOf(
  document: unknown,
  { kind, pointer }: Passed,
  [name = '']: readonly string[],
): Removable[] {
  if (NEEDED[kind]?.includes(name)) return [];
  const at = pointerBelow(pointer, name);
  const names = kind === 'schema' ? impossibleNames(valueAt(document, at), at) : [];
  return (names.length > 0 ? names : [at]).map((found) => ({ pointer: found, isOpened: false }));
}

/** Names of properties that every object has: they alone are left out, and not all properties. */
function impossibleNames(value: unknown, at: string): string[] {
  const isImpossible = (name: unknown): boolean =>
    typeof name === 'string' && name !== 'constructor' && name in Object.prototype;
  if (Array.isArray(value))
    return value.flatMap((name, index) => (isImpossible(name) ? [pointerBelow(at, index)] : []));
  if (!isPart(value)) return [];
  return Object.keys(value)
    .filter(isImpossible)
    .map((name) => pointerBelow(at, name));
}
