import type { ErrorShape, JsonSchema, Operation } from '../contract/contract.ts';
import type { OpenApiReading } from '../openapi/openapi-reading.ts';
import type { SchemaReader } from '../schema/schema-reader.ts';

/** The parts of a contract that its document does not say. */
export interface OpenApiOptions {
  errorShape: ErrorShape;
  /** Errors that every operation may answer with, besides those that it declares. */
  errors: Operation['errors'];
  /** The schema of an event, around the one of its data. */
  wrapEvent(kind: string, data: JsonSchema): JsonSchema;
  /** The example of an event, around its data. */
  wrapExample(kind: string, data: unknown): Readonly<Record<string, unknown>>;
}

/** The tools that each part of a document is read with. */
export interface OpenApiReader {
  readonly reading: OpenApiReading;
  readonly schemas: SchemaReader;
  readonly options: OpenApiOptions;
}
