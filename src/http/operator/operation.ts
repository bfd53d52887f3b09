import { type JsonSchema, type Validate, validator } from '@dateline/versions';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import type { OperatorRole } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { byWholePath, validationError } from '../app/validation-error.ts';
import { object } from './fields.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** The credentials that an operation needs: a key with this role or `admin`, any live key, or none. */
export type Needs = OperatorRole | 'any role' | 'no key';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The part of an operation's declaration that does not depend on its types. */
interface Words {
  /** Unique, in snake_case: a verb and what it is done to. */
  id: string;
  needs: Needs;
  /** One short sentence. */
  summary: string;
  /** Details, after the summary. */
  description?: string;
  /** The codes of errors beyond those that every operation of its kind has. What names a thing by its `:id` has not_found. */
  errors?: readonly ErrorCode[];
  /** A request without a body is taken as one with an empty object. */
  bodyOptional?: true;
  /** The limit of the body, if it is above the default. */
  bodyBytesMax?: number;
}

/** An operation as the document describes it. */
export interface Operation extends Words {
  group: string;
  method: Method;
  /** As in the route: `/operator/users/:id`. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: TObject;
  body: TSchema | null;
  answer: Omit<Answer<TSchema>, 'status'> & { status: number };
}

interface Answer<Body extends TSchema> {
  /** By default 200. */
  status?: 201 | 202 | 204;
  description: string;
  /** Left out where the answer has none. */
  body?: Body;
  /** Where it is not JSON. */
  mediaType?: string;
}

type Declaration<
  Path extends string,
  Query extends TProperties,
  Body extends TSchema,
  Answered extends TSchema,
> = Words & {
  /** The query parameters; any other is refused. */
  query?: Query;
  body?: Body;
  answer: Answer<Answered>;
} & ([ParamsOf<Path>] extends [never]
    ? { params?: never }
    : { /** What each parameter of the path is. */ params: Readonly<Record<ParamsOf<Path>, string>> });

type AnyDeclaration = Words &
  Partial<Pick<Operation, 'params' | 'body'>> & {
    query?: TProperties;
    answer: Answer<TSchema>;
  };

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Handler<
  Path extends string,
  Query extends TProperties,
  Body extends TSchema,
  Answered extends TSchema,
> = (
  request: FastifyRequest<{
    Params: Record<ParamsOf<Path>, string>;
    Querystring: Static<TObject<Query>>;
    Body: Static<Body>;
  }>,
  reply: FastifyReply,
  // A reply is for what is not JSON: a page, or a stream.
) => [Answered] extends [never] ? Promise<void> : Promise<Wire<Answered> | FastifyReply>;

/**
 * Declares operations of one group and serves them. What is declared is what is checked: who may call, which parameters and
 * which body are taken, and the type of the answer. The OpenAPI document is made of the same.
 */
export function operationsOf(app: App, group: string) {
  return function operation<
    Path extends string,
    Query extends TProperties = Record<never, never>,
    Body extends TSchema = never,
    Answered extends TSchema = never,
  >(
    route: `${Method} ${Path}`,
    declaration: Declaration<Path, Query, Body, Answered>,
    handle: Handler<Path, Query, Body, Answered>,
  ): void {
    const [method, path] = route.split(' ') as [Method, string];
    const { params = {}, query = {}, body = null, ...words } = declaration as AnyDeclaration;
    const errors = [...(/:id\b/.test(path) ? (['not_found'] as const) : []), ...(words.errors ?? [])];
    const answer = { status: 200, ...words.answer };
    const checked = { params, query: object(query), body };
    const declared: Operation = { ...words, ...checked, errors, answer, group, method, path };
    app.route({
      method,
      url: path,
      config: { operation: declared },
      schema: schemaOf(declared),
      ...(declared.bodyBytesMax === undefined ? {} : { bodyLimit: declared.bodyBytesMax }),
      validatorCompiler: checksOf(declared),
      async handler(request, reply) {
        const answer = await handle(request as Parameters<typeof handle>[0], reply);
        // A stream is sent later.
        return reply.sent || answer === reply ? reply : reply.status(declared.answer.status).send(answer);
      },
    });
  };
}

/** Stops the start at a route that was not declared, and collects those that were. */
export function collectOperations(app: App): readonly Operation[] {
  const collected: Operation[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.operation)
      throw new Error(
        `${String(method)} ${url} is not declared: serve it with operationsOf (src/http/operator/operation.ts), which says who may call it.`,
      );
    // The framework adds HEAD to every GET, with the same declaration.
    if (method !== 'HEAD') collected.push(config.operation);
  });
  return collected;
}

// Answers are not written by their schemas: that would drop a field which a schema forgets, and no test would see it.
function schemaOf({ query, body }: Operation): FastifySchema {
  return { querystring: query, ...(body && { body }) };
}

/** Compiled at the first request: a start has no use for it. */
function checksOf({ bodyOptional }: Operation) {
  return ({ schema, httpPart }: { schema: TSchema; httpPart?: string }) => {
    const readBody = bodyOptional ? orEmpty : asSent;
    const read = httpPart === 'querystring' ? createQueryReader(schema as TObject) : readBody;
    let validate: Validate | undefined;
    return (sent: unknown) => {
      validate ??= validator(schema as JsonSchema);
      const value = read(sent);
      if (value instanceof ApiError) return { error: value };
      const findings = validate(value);
      return findings.length === 0 ? { value } : { error: validationError(findings, byWholePath) };
    };
  };
}

const asSent = (value: unknown): unknown => value;
const orEmpty = (value: unknown): unknown => value ?? {};

interface WholeNumber {
  type: 'integer';
  minimum: number;
  maximum: number;
}

/** A query string is text, and each parameter is given once; the schema says which of them are numbers. */
function createQueryReader({ properties }: TObject): (sent: unknown) => unknown {
  const numbers = Object.entries(properties as Record<string, Partial<WholeNumber>>).filter(
    (entry): entry is [string, WholeNumber] => entry[1].type === 'integer',
  );
  return (sent) => {
    const query = { ...(sent as Record<string, unknown>) };
    const repeated = Object.keys(query).find((name) => Array.isArray(query[name]));
    if (repeated !== undefined) return refused(`${repeated} is given more than once.`);
    for (const [name, { minimum, maximum }] of numbers) {
      const text = query[name];
      if (text === undefined) continue;
      const value = /^\d{1,9}$/.test(String(text)) ? Number(text) : Number.NaN;
      if (!(value >= minimum && value <= maximum))
        return refused(`${name} must be a whole number from ${minimum} to ${maximum}.`);
      query[name] = value;
    }
    return query;
  };
}

function refused(detail: string): ApiError {
  return new ApiError('validation_failed', { detail });
}
