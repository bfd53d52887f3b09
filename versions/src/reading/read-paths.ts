import { methods, type Operation } from '../contract/contract.ts';
import { below, type Location, namedBelow, type OpenApiReading } from '../openapi/openapi-reading.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { readOperation } from './read-operation.ts';

/** An operation, and where it stands. */
interface FoundOperation {
  operation: Operation;
  location: Location;
}

/** The operations of a document. */
export function readPaths(reader: OpenApiReader): Operation[] {
  const { reading } = reader;
  const paths = below(reading.root, 'paths');
  const items = namedBelow(paths).filter(([path]) => !path.startsWith('x-'));
  for (const [path, location] of items) checkPath(reading, path, location);
  refuseSameShapes(reading, items);
  const found = items.flatMap(([path, location]) => readPathItem(reader, path, location));
  refuseSameIds(reading, found);
  return found.map(({ operation }) => operation);
}

function readPathItem(reader: OpenApiReader, path: string, location: Location): FoundOperation[] {
  const item = reader.reading.find(location, 'pathItem');
  if (item === null) return [];
  for (const method of ['head', 'options', 'trace'])
    if (method in item.value)
      reader.reading.refuse(below(item, method), `the method ${method} is not served`);
  const shared = below(item, 'parameters');
  return methods.flatMap((method) => {
    const location = below(item, method.toLowerCase());
    if (location.value === undefined) return [];
    const operation = readOperation(reader, { path, method, location, shared });
    return operation ? [{ operation, location }] : [];
  });
}

function checkPath({ refuse }: OpenApiReading, path: string, location: Location): void {
  if (!path.startsWith('/')) refuse(location, 'a path begins with /');
  const segments = path.split('/').slice(1);
  // The last one is empty where the path ends with a slash.
  const wrong = segments.find((segment, index) => !isSegment(segment) && index < segments.length - 1);
  const last = segments.at(-1) ?? '';
  const named = wrong ?? (last === '' || isSegment(last) ? undefined : last);
  if (named !== undefined)
    refuse(
      location,
      `"${named}" is neither a parameter in braces nor letters, digits and . _ ~ - between slashes`,
    );
  const parameters = segments.filter((segment) => segment.startsWith('{'));
  if (new Set(parameters).size < parameters.length) refuse(location, 'a parameter stands in it twice');
}

function isSegment(segment: string): boolean {
  return /^(?:\{\w+\}|[A-Za-z0-9._~-]+)$/.test(segment) && !/^\.\.?$/.test(segment);
}

/** Paths that differ in the names of their parameters only are the same address. */
function refuseSameShapes({ refuse }: OpenApiReading, items: readonly (readonly [string, Location])[]): void {
  const known = new Map<string, string>();
  for (const [path, location] of items) {
    const shape = path.replaceAll(/\{[^/]*\}/g, '{}');
    const other = known.get(shape);
    if (other !== undefined) refuse(location, `it is the same address as ${other}`);
    known.set(shape, path);
  }
}

function refuseSameIds({ refuse }: OpenApiReading, found: readonly FoundOperation[]): void {
  const known = new Map<string, string>();
  for (const { operation, location } of found) {
    const other = known.get(operation.id);
    const id = below(location, 'operationId');
    if (other !== undefined) refuse(id, `${operation.id} is also the operationId of #${other}`);
    known.set(operation.id, location.path);
  }
}
