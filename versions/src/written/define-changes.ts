import type { Change, Headers, Json, ResponseContext } from '../contract/change.ts';
import type { Blend, Member, OwnKeys, UnknownFields } from './field-types.ts';
import type { ChangeGroup, PartOfGroup, Undecided, WrittenChange } from './written-change.ts';

/**
 * A list of changes. With the types of the step, which `dateline contract types` writes, a name that no contract has does not compile:
 * `defineChanges<Step>()([…])`. Without them it takes what `Change` takes. Changes by schema stand in the same list.
 */
export function defineChanges<Step extends StepTypes>(): DefineTypedChanges<Step>;
export function defineChanges(changes: readonly Change[]): readonly Change[];
export function defineChanges(changes: readonly WrittenChange[]): readonly WrittenChange[];
export function defineChanges(changes?: readonly WrittenChange[]) {
  return changes ?? ((typed: readonly WrittenChange[]) => typed);
}

/** The types of one version: operations by id, and the data of events by kind. */
export interface VersionTypes {
  operations: object;
  events: object;
}

export interface StepTypes {
  newer: VersionTypes;
  older: VersionTypes;
}

/** Functions read what the one version has, and answer with fields that the two of them have: other changes of the step do the rest. */
export type DefineTypedChanges<Step extends StepTypes> = <
  const Changes extends readonly (TypedChange<Step> | BySubject)[],
>(
  changes: Changes & CheckedChanges<Step, Changes>,
) => readonly WrittenChange[];

/** What `schema`, `operation`, `event`, `together` and `undecided` make. */
type BySubject = PartOfGroup | ChangeGroup | Undecided;

/** A `Change` that knows its step. */
export type TypedChange<Step extends StepTypes> = Without<Change, TypedMember> & {
  readonly upgradeRequest?: ByOperation<Step, 'upgradeRequest'>;
  readonly downgradeResponse?: ByOperation<Step, 'downgradeResponse'>;
  readonly downgradeErrorBody?: ByOperation<Step, 'downgradeErrorBody'>;
  readonly downgradeEvent?: ByKind<Step>;
  readonly redirects?: { readonly [Id in OperationIdOf<Step>]?: OperationIdOf<Step> };
  readonly kept?: readonly OperationIdOf<Step>[];
};

type BridgeName = 'upgradeRequest' | 'downgradeResponse' | 'downgradeErrorBody';
type TypedMember = BridgeName | 'downgradeEvent' | 'redirects' | 'kept';

type Without<Whole, Name extends PropertyKey> = Whole extends unknown ? Omit<Whole, Name> : never;

type ByOperation<Step extends StepTypes, Name extends BridgeName> = {
  readonly [Id in OperationIdOf<Step>]?: Bridges<Step, Id>[Name];
};

type ByKind<Step extends StepTypes> = {
  readonly [Kind in EventKindOf<Step>]?: EventBridge<Step, Kind>;
};

type OperationIdOf<Step extends StepTypes> =
  | keyof Step['newer']['operations']
  | keyof Step['older']['operations'];
type EventKindOf<Step extends StepTypes> = keyof Step['newer']['events'] | keyof Step['older']['events'];

type OperationOf<Version extends VersionTypes, Id> = Member<Version['operations'], Id>;

interface Bridges<Step extends StepTypes, Id> {
  upgradeRequest: (request: RequestTo<OperationOf<Step['older'], Id>>) => UpgradedRequest<Requests<Step, Id>>;
  downgradeResponse: (
    body: BodiesOf<OperationOf<Step['newer'], Id>, 'answers'>,
    context: ResponseContext,
  ) => Blend<Answers<Step, Id, 'answers'>>;
  downgradeErrorBody: (
    body: BodiesOf<OperationOf<Step['newer'], Id>, 'errors'>,
    context: ResponseContext,
  ) => Blend<Answers<Step, Id, 'errors'>>;
}

type EventBridge<Step extends StepTypes, Kind> = (event: {
  readonly kind: string;
  readonly data: Known<Member<Step['newer']['events'], Kind>>;
}) => { readonly kind: EventKindOf<Step> | string; readonly data: Blend<Payloads<Step, Kind>> } | null;

type Requests<Step extends StepTypes, Id> = OperationOf<Step['newer'], Id> | OperationOf<Step['older'], Id>;

type Answers<Step extends StepTypes, Id, Part extends 'answers' | 'errors'> =
  | BodiesOf<OperationOf<Step['newer'], Id>, Part>
  | BodiesOf<OperationOf<Step['older'], Id>, Part>;

type Payloads<Step extends StepTypes, Kind> =
  | Known<Member<Step['newer']['events'], Kind>>
  | Known<Member<Step['older']['events'], Kind>>;

/** A request as it comes from the older version. One that is redirected here by another change is of any form. */
interface RequestTo<Operation> {
  readonly params: Known<Member<Operation, 'params'>>;
  readonly query: Known<Member<Operation, 'query'>>;
  readonly headers: Known<Member<Operation, 'headers'>>;
  readonly body: Known<Exclude<Member<Operation, 'body'>, Uint8Array>>;
  readonly command: Json;
}

interface UpgradedRequest<Operation> {
  readonly params?: Blend<Member<Operation, 'params'>>;
  readonly query?: Blend<Member<Operation, 'query'>>;
  readonly headers?: Blend<Member<Operation, 'headers'>> | Headers;
  readonly body?: Blend<Member<Operation, 'body'>>;
  readonly command?: Json;
}

/** The JSON of all answers, or of all errors. */
type BodiesOf<Operation, Part extends 'answers' | 'errors'> = Known<
  Exclude<ValueOf<Member<Operation, Part>>, undefined | Uint8Array>
>;

type ValueOf<Whole> = Whole extends object ? Whole[keyof Whole] : never;

/** JSON of any form, where neither contract says more. */
type Known<Value> = [Value] extends [never] ? Json : Value;

/** The list again, where it is right; else with a sentence in the place of what is wrong. */
type CheckedChanges<Step extends StepTypes, Changes> = {
  readonly [Index in keyof Changes]: CheckedChange<Step, Changes[Index]>;
};

/**
 * The compiler asks about changes of any form first, to type the parameters of functions: with a large API, a look at every
 * operation would take it half a minute. Changes that are written down have a name that is known.
 */
type CheckedChange<Step extends StepTypes, One> = One extends BySubject
  ? unknown
  : One extends { readonly name: infer Name }
    ? string extends Name
      ? unknown
      : CheckedMembers<Step, One>
    : unknown;

type CheckedMembers<Step extends StepTypes, One> = {
  readonly [Name in keyof One]: Name extends BridgeName
    ? CheckedTable<Step, Name, One[Name]>
    : Name extends 'downgradeEvent'
      ? CheckedEvents<Step, One[Name]>
      : Name extends OwnKeys<Change>
        ? unknown
        : `a change has no member ${Name & string}`;
};

type CheckedTable<Step extends StepTypes, Name extends BridgeName, Table> = {
  readonly [Id in keyof Table]: Id extends OperationIdOf<Step>
    ? CheckedResult<Table[Id], ResultOf<Step, Id, Name>>
    : `neither version has the operation ${Id & string}`;
};

type CheckedEvents<Step extends StepTypes, Table> = {
  readonly [Kind in keyof Table]: Kind extends EventKindOf<Step>
    ? CheckedResult<Table[Kind], { kind: string; data: Payloads<Step, Kind> }>
    : `neither version has the event ${Kind & string}`;
};

type ResultOf<Step extends StepTypes, Id, Name extends BridgeName> = Name extends 'upgradeRequest'
  ? Requests<Step, Id> & { command: Json }
  : Answers<Step, Id, Name extends 'downgradeResponse' ? 'answers' : 'errors'>;

/** Spreading a value hides unknown names from the compiler: they are looked for in what the function answers with. */
type CheckedResult<Work, Expected> = Work extends (...args: never[]) => infer Result
  ? Unknowns<UnknownFields<Result, Expected>>
  : unknown;

type Unknowns<Names> = [Names] extends [never]
  ? unknown
  : `neither version has a field ${Names & string} here`;
