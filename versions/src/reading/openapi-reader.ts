import type { ErrorShape, JsonSchema, Operation } from '../contract/contract.ts';
import type { OpenApiReading } from '../openapi/openapi-reading.ts';
import type { SchemaReader } from '../schema/schema-reader.ts';

/** What a contract has that its document does not say. */
export interface OpenApiOptions {
  errorShape: ErrorShape;
  /** What every operation may answer with, besides what it declares. */
  errors: Operation['errors'];
  /** The schema of an event, around the one of its data. */
  wrapEvent(kind: string, data: JsonSchema): JsonSchema;
  /** The example of an event, around its data. */
  wrapExample(kind: string, data: unknown): Readonly<Record<string, unknown>>;
}

/** What the parts of a document are read with. */
export interface OpenApiReader {
  readonly reading: OpenApiReading;
  readonly schemas: SchemaReader;
  readonly options: OpenApiOptions;
}
