import type { Body, JsonSchema, Operation } from '@dateline/versions';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

export const FORM = 'application/x-www-form-urlencoded';
const PAGE = 'text/html';

/** The errors that any operation with a token may answer with. */
const always = {
  401: ['unauthorized'],
  403: ['insufficient_scope'],
  500: ['internal_error'],
  503: ['storage_unavailable', 'timeout'],
};

type Errors = Operation['errors'];

const malformed = { 400: ['invalid_request'] };

export const readErrors: Errors = { ...always, 422: ['validation_failed'] };
/** Of what has an id in its address, which may be unreadable, unknown or too long. */
export const itemErrors: Errors = {
  ...always,
  ...malformed,
  404: ['not_found'],
  414: ['uri_too_long'],
};
/** The same for operations without a body: one that is sent all the same may be refused. */
export const actionErrors: Errors = {
  ...itemErrors,
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
};
export const writeErrors: Errors = {
  ...readErrors,
  ...malformed,
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
};

export const createErrors: Errors = { ...writeErrors, 422: ['validation_failed', 'idempotency_key_reused'] };

/** For operations that can be retried safely: the key is visible ASCII. */
export const repeatableHeaders: JsonSchema = plain(
  Type.Object({
    'Idempotency-Key': Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]*$' })),
  }),
);

declare const accepted: unique symbol;

/** A schema as data, with the type of what it accepts, which only the compiler sees. */
export type TypedSchema<Value> = JsonSchema & { readonly [accepted]?: Value };
export type TypedBody<Value> = Body & { readonly [accepted]?: Value };
/** The type that a schema of an operation accepts; an empty object if it has none. */
export type Accepted<Part> = Part extends { readonly [accepted]?: infer Value }
  ? Exclude<Value, undefined>
  : Readonly<Record<string, never>>;

/** The type that a schema accepts, read-only. */
export type Wire<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;

/** An operation as it is written here: under its id, and with what no version sees of it. */
export interface OperationDefinition extends Omit<Operation, 'id'> {
  /** Requests of older versions that the newest request cannot express; change modules add it. */
  command?: JsonSchema;
  /** Members that only older versions answer; change modules read it. */
  extras?: JsonSchema;
}

/** Operations by their ids, as literal as they are written: the types of handlers follow from them. */
export const operations = <const Definitions extends Readonly<Record<string, OperationDefinition>>>(
  definitions: Definitions,
): Definitions => definitions;

export const json = <Schema extends TSchema>(schema: Schema): TypedBody<Wire<Schema>> => ({
  mediaType: 'application/json',
  schema: plain(schema),
});
/** The same where it may be left out. */
export const maybeJson = <Schema extends TSchema>(schema: Schema): TypedBody<Wire<Schema>> => ({
  ...json(schema),
  optional: true,
});
/** A body as HTML forms and OAuth send it; its fields are strings. */
export const form = <Schema extends TSchema>(schema: Schema): TypedBody<Wire<Schema>> => ({
  mediaType: FORM,
  schema: plain(schema),
});
export const page: Body = { mediaType: PAGE, schema: plain(Type.String()) };
export const query = <Properties extends TProperties>(
  properties: Properties,
): TypedSchema<Wire<TObject<Properties>>> => plain(Type.Object(properties));
/** A command, or extras: for the compiler and the tests, on no wire. */
export const internal = <Properties extends TProperties>(
  properties: Properties,
): TypedSchema<Wire<TObject<Properties>>> => plain(Type.Object(properties, { additionalProperties: false }));

/** True for operations of a browser: their errors are pages, too. */
export function isForPeople({ errorShape }: Operation): boolean {
  return errorShape?.mediaType === PAGE;
}

/** A schema as the data it stands for, without what its builder keeps beside it. */
export function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}

export const bearer = <const Scopes extends readonly string[]>(...scopes: Scopes) =>
  ({ scheme: 'bearer', scopes }) as const;
