import type { ApiVersion } from '../version/api-version.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

/** The allowed callers: anyone, the bearer of a token that carries all of these scopes, or the bearer of another secret. */
export type Security = { scheme: 'none' } | TokenSecurity | { scheme: 'secret'; name: string };

export interface TokenSecurity {
  scheme: 'bearer';
  scopes: readonly string[];
  /** Other sets of scopes, each of which is enough as well. */
  or?: readonly (readonly string[])[];
  /** Where a call without any token is answered too. */
  optional?: true;
}

/** The way in which a value is written as text (OpenAPI 3.1 §4.8.12.2): in a style, or as content of a media type. */
export type ValueStyle = { style: StyleName; explode: boolean } | { mediaType: string };

export type StyleName = 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';

/** By name. A value that is not among them is written in the usual way of its place. */
export type ValueStyles = Readonly<Record<string, ValueStyle>>;

export interface Body {
  mediaType: string;
  schema: JsonSchema;
  /** Of a form: the ways in which its fields are written. */
  fields?: ValueStyles;
  /** Of a request: that it may come without one. */
  optional?: true;
  /** The other media types that it may have. Null where nothing is said about what is inside. */
  others?: readonly OtherBody[];
}

export interface OtherBody extends Pick<Body, 'mediaType' | 'fields'> {
  schema: JsonSchema | null;
}

/** The form of error bodies: the name of a shape, and its schema. */
export interface ErrorShape extends Body {
  name: string;
}

export interface Operation {
  id: string;
  method: Method;
  /** With parameters in braces: `/v1/things/{id}`. */
  path: string;
  summary: string;
  groups: readonly string[];
  security: Security;
  /** Ways of client authentication, where it is not left to the fields of the body: such as `client_secret_basic`. */
  clientAuthentication?: readonly string[];
  /** An object schema whose properties are the parameters of the path, where they are more than any text. */
  params?: JsonSchema;
  /** The parameters of the path whose values may hold a slash, percent-encoded. */
  allowSlash?: readonly string[];
  /** An object schema whose properties are the query parameters; null where there are none. */
  query: JsonSchema | null;
  /** The ways in which parameters are written, by where they stand; usual are `form` with `explode`, and `simple`. */
  styles?: Readonly<Partial<Record<'path' | 'query' | 'header', ValueStyles>>>;
  /** Where a parameter that the query does not have is refused; elsewhere it is ignored. */
  unknownQuery?: 'refused';
  /** An object schema whose properties are the request headers that the operation knows, where it knows any. */
  headers?: JsonSchema;
  body: Body | null;
  /** The bodies of successes, by status; null for an answer without a body. */
  responses: Readonly<Record<number, Body | null>>;
  /** The bodies of answers whose statuses are not named one by one: by `2XX` to `5XX`, and `default` for other errors. */
  ranges?: Readonly<Record<string, Body | null>>;
  /** The bodies of errors that have a form of their own, by status. */
  errorBodies?: Readonly<Record<number, Body | null>>;
  /** Headers that its answers may have, in lower case, besides those that all answers have. */
  answerHeaders?: readonly string[];
  /** Where its errors look unlike those of the rest. */
  errorShape?: ErrorShape;
  /** The codes of its errors, by status. */
  errors: Readonly<Record<number, readonly string[]>>;
}

/**
 * The body of an operation's answers with a status: null where they have none, undefined where the contract says nothing about it. A
 * status that is named wins over its range, and that over the rest.
 */
export function declaredBody(operation: Operation, status: number): Body | null | undefined {
  const { responses, errorBodies = {}, ranges = {} } = operation;
  const named = status < 400 ? responses[status] : errorBodies[status];
  if (named !== undefined) return named;
  const range = ranges[`${Math.floor(status / 100)}XX`];
  if (range !== undefined) return range;
  return status < 400 ? undefined : ranges.default;
}

export interface EventKind {
  kind: string;
  summary: string;
  /** The scopes that a token needs to subscribe to the kind; left out where anyone may. */
  scopes?: readonly string[];
  schema: JsonSchema;
  example: Readonly<Record<string, unknown>>;
}

/** Everything that one version promises. Prose aside, nothing in a frozen one may ever differ from its file. */
export interface Contract {
  version: ApiVersion;
  errorShape: ErrorShape;
  operations: readonly Operation[];
  events: readonly EventKind[];
}
