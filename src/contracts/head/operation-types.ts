import type { headOperations } from './index.ts';
import type { Accepted } from './operation-parts.ts';

// What handlers take and give, from the contract of Next: a field that is added there has a type here.

export type HeadOperations = typeof headOperations;
export type OperationId = keyof HeadOperations;

type Part<Id extends OperationId, Name extends string> =
  HeadOperations[Id] extends Readonly<Record<Name, infer Value>> ? Value : null;

/** The parameters in a path such as `/v1/things/{id}`. */
type ParamsIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsIn<Rest>
  : unknown;

/** A request to an operation as it reaches its handler: checked, and upgraded to Next. */
export interface RequestTo<Id extends OperationId> {
  readonly params: ParamsIn<HeadOperations[Id]['path']>;
  readonly query: Accepted<Part<Id, 'query'>>;
  readonly body: Accepted<Part<Id, 'body'>>;
  readonly command: Accepted<Part<Id, 'command'>>;
}

type Responses<Id extends OperationId> = HeadOperations[Id]['responses'];

/** The answers of an operation in Next, with the extras that older versions need. */
export type AnswerOf<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: {
    status: Status;
    body: Responses<Id>[Status] extends null ? null : Accepted<Responses<Id>[Status]>;
    /** The answer is stored sealed where it is stored. */
    holdsSecret?: true;
  } & (HeadOperations[Id] extends { extras: infer Extras } ? { extras: Accepted<Extras> } : unknown);
}[keyof Responses<Id>];

export type IsBearer<Id extends OperationId> = HeadOperations[Id]['security'] extends { scheme: 'bearer' }
  ? true
  : false;
