import { type Contract, methods, type Operation } from '../contract/contract.ts';
import { pathProblem, pathShape } from '../contract/path-template.ts';
import type { OpenApiProblem } from '../openapi/openapi-problem.ts';
import {
  below,
  createOpenApiReading,
  type Location,
  namedBelow,
  type OpenApiReading,
} from '../openapi/openapi-reading.ts';
import { type OpenApiDocument, plainDataProblem } from '../openapi/plain-data.ts';
import { isDialect } from '../schema/schema-keywords.ts';
import { hasMarks } from '../schema/schema-marks.ts';
import { createSchemaReader } from '../schema/schema-reader.ts';
import { parseApiVersion } from '../version/api-version.ts';
import type { OpenApiOptions, OpenApiReader } from './openapi-reader.ts';
import { readOperation } from './read-operation.ts';
import { readWebhooks } from './read-webhooks.ts';
import { type UnchangedParts, unchangedParts } from './unchanged-parts.ts';

export interface OpenApiContract {
  /** Null where there are problems. */
  contract: Contract | null;
  /** As much of it as could be read, to be shown; null where that is nothing. */
  partial: Contract | null;
  problems: OpenApiProblem[];
}

/**
 * The contract that an ordinary OpenAPI document promises: self-contained, as `bundleOpenApi` makes it. The contract is
 * null where anything in the document cannot be kept; each problem says where, and why. Whatever is given, it never
 * throws.
 */
export function readOpenApi(document: OpenApiDocument, options: OpenApiOptions): OpenApiContract {
  const unreadable = plainDataProblem(document);
  if (unreadable) return { contract: null, partial: null, problems: [unreadable] };
  const reading = createOpenApiReading(document);
  const partial = readContract(reading, options, unchangedParts(document, options.earlier));
  const { problems } = reading;
  return { contract: problems.length === 0 ? partial : null, partial, problems };
}

function readContract(
  reading: OpenApiReading,
  options: OpenApiOptions,
  unchanged: UnchangedParts,
): Contract | null {
  if (reading.find(reading.root, 'document') === null) return null;
  checkDialect(reading);
  const reader = { reading, ...schemaReaders(reading), options, unchanged, unmarked: [] };
  const version = readVersion(reading);
  const operations = readPaths(reader);
  const events = readWebhooks(reader);
  refuseUnmarked(reader);
  return version && { version, errorShape: options.errorShape, operations, events };
}

function schemaReaders(reading: OpenApiReading): Pick<OpenApiReader, 'schemas' | 'answers'> {
  if (hasMarks(reading.root.value))
    return {
      schemas: createSchemaReader(reading, { mark: 'readOnly' }),
      answers: createSchemaReader(reading, { mark: 'writeOnly' }),
    };
  const both = createSchemaReader(reading);
  return { schemas: both, answers: both };
}

/** Told once: it may be all of them. */
function refuseUnmarked({ reading, options, unmarked }: OpenApiReader): void {
  if (unmarked.length === 0) return;
  const remedy = options.remedies?.open(unmarked) ?? 'list them as open';
  const count = unmarked.length.toLocaleString('en');
  const what =
    unmarked.length === 1 ? '1 operation or webhook needs' : `${count} operations and webhooks need`;
  reading.refuse(below(reading.root, 'security'), `${what} no token, so anyone could use it: ${remedy}`);
}

function checkDialect({ root, refuse }: OpenApiReading): void {
  const edition = below(root, 'openapi');
  if (typeof edition.value !== 'string' || !/^3\.[01]\.\d+$/.test(edition.value))
    refuse(edition, 'it must be an edition of OpenAPI 3.1 or 3.0, such as "3.1.0"');
  const dialect = below(root, 'jsonSchemaDialect');
  if (dialect.value !== undefined && !isDialect(dialect.value))
    refuse(dialect, 'it must be the dialect of JSON Schema 2020-12 or OpenAPI 3.1');
}

function readVersion({ root, refuse }: OpenApiReading): Contract['version'] | null {
  const location = below(root, 'info', 'version');
  const version = typeof location.value === 'string' ? parseApiVersion(location.value) : null;
  if (version === null) refuse(location, 'it must be the version of this contract, such as "2027-01"');
  return version;
}

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
  const found = items.flatMap(([path, location]) => readPathItem(reader, path, location));
  refuseSameAddresses(reading, found);
  refuseSameIds(reading, found);
  return found.map(({ operation }) => operation);
}

function readPathItem(reader: OpenApiReader, path: string, location: Location): FoundOperation[] {
  const known = reader.unchanged.operationsOf(path);
  if (known)
    return known.map((operation) => ({
      operation,
      location: below(location, operation.method.toLowerCase()),
    }));
  const item = reader.reading.find(location, 'pathItem');
  if (item === null) return [];
  for (const method of ['options', 'trace'])
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
  const problem = pathProblem(path);
  if (problem !== null) refuse(location, problem);
}

/** Operations of one method whose paths differ in the names of their parameters only have the same address. */
function refuseSameAddresses({ refuse }: OpenApiReading, found: readonly FoundOperation[]): void {
  const known = new Map<string, string>();
  for (const { operation, location } of found) {
    const address = `${operation.method} ${pathShape(operation.path)}`;
    const other = known.get(address);
    if (other !== undefined) refuse(location, `it has the same address as ${operation.method} ${other}`);
    known.set(address, operation.path);
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
