import type { ErrorShape, JsonSchema, Operation } from '../contract/contract.ts';
import type { OpenApiReading } from '../openapi/openapi-reading.ts';
import type { SchemaReader } from '../schema/schema-reader.ts';
import type { EarlierReading, UnchangedParts } from './unchanged-parts.ts';

/** The parts of a contract that its document does not say. */
export interface OpenApiOptions {
  errorShape: ErrorShape;
  /** Errors that every operation may answer with, besides those that it declares. */
  errors: Operation['errors'];
  /** Security schemes that are given other scopes than the document says, by name: those are needed besides. */
  schemes?: Readonly<Record<string, readonly string[]>>;
  /** What may be used without a token, by operation id or event kind. Where it is left out, whatever the document says. */
  open?: readonly string[] | '*';
  /** What to do about a scheme that is no token, and about what is open and not listed; for messages. */
  remedies?: { scheme(name: string): string; open(names: readonly string[]): string };
  /** What a document has in common with this one is not read again. */
  earlier?: EarlierReading | undefined;
  /** Examples of events are made when they are asked for, and not while reading: whether there is any is not known then. */
  examples?: 'later';
  /** The schema of an event, around the one of its data. */
  wrapEvent(kind: string, data: JsonSchema): JsonSchema;
  /** The example of an event, around its data. */
  wrapExample(kind: string, data: unknown): Readonly<Record<string, unknown>>;
}

/** The tools that each part of a document is read with. */
export interface OpenApiReader {
  readonly reading: OpenApiReading;
  /** Of requests: without what is `readOnly`. */
  readonly schemas: SchemaReader;
  /** Of answers and events: without what is `writeOnly`. The same one where a document has neither. */
  readonly answers: SchemaReader;
  readonly options: OpenApiOptions;
  readonly unchanged: UnchangedParts;
  /** What is open and not said to be, so far. */
  readonly unmarked: string[];
}
