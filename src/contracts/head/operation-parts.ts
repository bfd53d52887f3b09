import type { Body, JsonSchema, Operation } from '@dateline/versions';
import { type TProperties, Type } from 'typebox';

export const FORM = 'application/x-www-form-urlencoded';
/** What people read. */
export const PAGE = 'text/html';

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
/** Of what is done to such a thing without saying more: whoever sends a body all the same may hear of it. */
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

/** Of operations that can be asked for again without being done again: their key is visible ASCII. */
export const repeatableHeaders: JsonSchema = plain(
  Type.Object({
    'Idempotency-Key': Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[!-~]*$' })),
  }),
);

export const json = (schema: object): Body => ({ mediaType: 'application/json', schema: plain(schema) });
/** The same where it may be left out. */
export const maybeJson = (schema: object): Body => ({ ...json(schema), optional: true });
/** A body as HTML forms and OAuth send it; its fields are strings. */
export const form = (schema: object): Body => ({ mediaType: FORM, schema: plain(schema) });
export const page: Body = { mediaType: PAGE, schema: plain(Type.String()) };
export const query = (properties: TProperties): JsonSchema => plain(Type.Object(properties));

/** A schema as the data it stands for, without what its builder keeps beside it. */
export function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

export const bearer = (...scopes: string[]) => ({ scheme: 'bearer', scopes }) as const;
