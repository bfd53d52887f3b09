import type { Contract } from '../contract/contract.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import type { OpenApiProblem } from '../openapi/openapi-problem.ts';
import { below, createOpenApiReading, type OpenApiReading } from '../openapi/openapi-reading.ts';
import { plainDataProblem } from '../openapi/plain-data.ts';
import { isDialect } from '../schema/schema-keywords.ts';
import { createSchemaReader } from '../schema/schema-reader.ts';
import { parseApiVersion } from '../version/api-version.ts';
import type { OpenApiOptions } from './openapi-reader.ts';
import { readPaths } from './read-paths.ts';
import { readWebhooks } from './read-webhooks.ts';

/**
 * The contract that an ordinary OpenAPI document promises: self-contained, as `bundleOpenApi` makes it. The contract is
 * null where anything in the document cannot be kept; each problem says where, and why. Whatever is given, it never
 * throws.
 */
export function readOpenApi(
  document: OpenApiDocument,
  options: OpenApiOptions,
): { contract: Contract | null; problems: OpenApiProblem[] } {
  const unreadable = plainDataProblem(document);
  if (unreadable) return { contract: null, problems: [unreadable] };
  const reading = createOpenApiReading(document);
  const contract = readContract(reading, options);
  const { problems } = reading;
  return { contract: problems.length === 0 ? contract : null, problems };
}

function readContract(reading: OpenApiReading, options: OpenApiOptions): Contract | null {
  if (reading.find(reading.root, 'document') === null) return null;
  checkDialect(reading);
  const reader = { reading, schemas: createSchemaReader(reading), options };
  const version = readVersion(reading);
  const operations = readPaths(reader);
  const events = readWebhooks(reader);
  return version && { version, errorShape: options.errorShape, operations, events };
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
