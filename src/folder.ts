// Types of an API folder's modules, exported as `dateline/folder`. They run as what they are given.
import type { Json, UpgradableRequest } from '@dateline/versions';

/** For `dateline.config.ts`: its members, checked and explained by an editor. */
export function defineConfig(config: FolderConfig): FolderConfig {
  return config;
}

/**
 * For `handlers.ts`: operations that the folder answers itself. With the types that `dateline contract types` writes, requests and answers are
 * those of the contract: `defineHandlers<Operations>({…})`.
 */
export function defineHandlers<Operations extends object = Record<string, AnyOperation>>(
  handlers: Handlers<Operations>,
): Handlers<Operations> {
  return handlers;
}

/** For `errors.ts`: the API's own form of errors that Dateline answers. */
export function defineErrors(write: (error: ToldError) => WrittenError): (error: ToldError) => WrittenError {
  return write;
}

/** The configuration of an API folder. */
export interface FolderConfig {
  /** The name of the API. */
  title: string;
  /** A prefix of all paths, such as `/api`. */
  mount?: string;
  /** Your server, which answers the newest version. */
  upstream: {
    production: string;
    /** Another address than production's: a call of the sandbox never reaches that. */
    sandbox: string;
    /** The audience of the tokens that your server gets. */
    audience: string;
    timeoutSeconds?: number;
    connectionsMax?: number;
    inFlightMax?: number;
    inFlightPerClientMax?: number;
    idleSeconds?: number;
    requestBytesMax?: number;
    /** True where `/readyz` is to fail while your server does not answer. */
    readiness?: boolean;
    /** Headers about the caller that your server is to get. */
    forward?: ('user-agent' | 'x-forwarded-for')[];
  };
  /** By name: the words that people read before they allow it, and false for a scope that is of no organization. */
  scopes: Record<string, { consent: string; organization?: boolean }>;
  /** The scopes that stand for a security scheme of the document, by its name. */
  security?: Record<string, { scopes: string[] }>;
  /** Operations and webhooks that need no token, by their ids; `*` for all that the document gives no security. */
  open?: '*' | string[];
  unknownQuery?: 'ignore' | 'refuse';
  readOnlyInRequests?: 'ignore' | 'refuse';
  brand?: {
    name?: string;
    /** Such as `#7a2e0e`; dark enough for white text on it. */
    colour?: string;
    logo?: string;
  };
}

/** Functions by operation id. */
export type Handlers<Operations extends object> = {
  readonly [Id in keyof Operations]?: (call: FolderCall<Operations[Id]>) => Promise<AnswerOf<Operations[Id]>>;
};

/** A call of an operation: a request of Next, and who asks. */
export interface FolderCall<Operation> {
  readonly request: RequestOf<Operation>;
  /** The claims about the caller that your server would get; null if the operation is open. */
  readonly claims: Json | null;
  /** Aborted when the caller has gone, or the time is over. */
  readonly signal: AbortSignal;
}

type RequestOf<Operation> = Omit<UpgradableRequest, PartName> & {
  readonly [Name in PartName]: Name extends keyof Operation ? Operation[Name] : UpgradableRequest[Name];
};

type PartName = 'params' | 'query' | 'headers' | 'body';

/** A status of the contract with its body; `2XX` and the like stand for any status. */
export type AnswerOf<Operation> = Operation extends { answers: infer Answers; errors: infer Errors }
  ? AnswerIn<Answers> | AnswerIn<Errors>
  : { status: number; body?: unknown };

type AnswerIn<Bodies> = {
  [Status in keyof Bodies]: { status: Status extends number ? Status : number } & BodyPart<Bodies[Status]>;
}[keyof Bodies];

type BodyPart<Body> = [Body] extends [undefined] ? { body?: null } : { body: Body };

/** An operation of which nothing is known. */
interface AnyOperation {
  readonly answers: Record<number, unknown>;
  readonly errors: Record<number, unknown>;
}

/** An error that Dateline answers itself. */
export interface ToldError {
  readonly status: number;
  readonly code: string;
  /** The usual text of the code. */
  readonly title: string;
  /** About this request. */
  readonly detail: string;
  /** The parts of an invalid request that are wrong. */
  readonly errors: readonly { in: string; pointer: string; message: string }[];
  readonly requestId: string;
  /** The version of the caller. */
  readonly version: string;
  /** The id of the operation of Next; null where the address or the method leads to none. */
  readonly operation: string | null;
}

export interface WrittenError {
  body: unknown;
  contentType?: string;
  status?: number;
}
