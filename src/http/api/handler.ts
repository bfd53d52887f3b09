import type { Json, UpgradableRequest } from '@dateline/versions';
import type {
  AnswerOf,
  HeadOperations,
  IsBearer,
  OperationId,
  RequestTo,
} from '../../contracts/head/operation-types.ts';
import type { Context } from '../../environments/environment.ts';
import type { ActiveToken, OAuthClientId } from '../../oauth/types.ts';

/** A call of an operation that needs no token: a request of Next, whatever version it came in. */
export interface OpenCall<Request = UpgradableRequest> {
  /** The environment, or a transaction of it that ends with the answer. */
  context: Context;
  request: Request;
  caller: Caller;
}

/** The same with the token that the operation needs. */
export interface TokenCall<Request = UpgradableRequest> extends OpenCall<Request> {
  token: ActiveToken;
}

/** The caller of an operation, before authentication. */
export interface Caller {
  /** The peer's, unless a trusted proxy sends another one. */
  address(): string;
  /** It has closed its connection: nobody hears the answer. */
  hasLeft(): boolean;
  authorization: string | undefined;
  /** Called with the client that a request names, before it is authenticated: a failure is listed under it. */
  named(clientId: string): void;
  /** Called once a client has authenticated without a token: usage counts it as the caller. */
  admitted(clientId: OAuthClientId): void;
}

/** Does the work of one operation of Next. The contract types its request and its answer. */
export type Handler<Id extends OperationId> = (
  call: IsBearer<Id> extends true ? TokenCall<RequestTo<Id>> : OpenCall<RequestTo<Id>>,
) => Promise<AnswerOf<Id>>;

/** One handler for each operation: a missing one, or one for an unknown operation, does not compile. */
export type OperationHandlers = { readonly [Id in keyof HeadOperations]: Handler<Id> };

/** The handlers of some operations, such as `HandlersOf<typeof productOperations>`. */
export type HandlersOf<Operations> = Pick<OperationHandlers, Extract<keyof Operations, OperationId>>;

/** An answer of Next, before it is downgraded to the version of the request. */
export interface Answer {
  status: number;
  /** Null for an answer without a body. */
  body: Json | null;
  /** Values that only older versions answer. */
  extras?: Json;
  holdsSecret?: true;
}

/** A handler for either kind of call. */
export type AnyHandler = (call: OpenCall & { token?: ActiveToken | undefined }) => Promise<Answer>;

/** The handler of an operation that is known by name only, as routes know it. */
export function handlerOf(handlers: OperationHandlers, operationId: string): AnyHandler {
  // Routes are data: the contract's checks and the upgrade to Next ensure that a request fits its handler.
  const handler = (handlers as unknown as Readonly<Record<string, AnyHandler | undefined>>)[operationId];
  if (!handler) throw new Error(`no handler does ${operationId}`);
  return handler;
}
