import type { Change, ChangeSet, Json, UpgradableRequest } from '../contract/change.ts';

/**
 * A change as its author writes it: with functions by operation, or by the schema, operation or event that it is about. The latter
 * are plain data, since the module that makes them may have another copy of this package.
 */
export type WrittenChange = Change | PartOfGroup | ChangeGroup | Undecided;

/** The differences between two neighbours, as their author writes them. */
export interface WrittenChangeSet extends Pick<ChangeSet, 'newer' | 'older'> {
  changes: readonly WrittenChange[];
}

/** Words for the release notes. Those that are left out are derived. */
export interface Words {
  name?: string;
  kind?: Change['kind'];
  summary?: string;
  why?: string;
  upgradeNote?: string;
  part?: string;
  examples?: Change['examples'];
}

/** Where a field is: in every value of a component schema, or in objects at these places, written as in `touches`. */
export type Subject =
  /** `was` is the name of the component in the older version, if it had another one. */
  { schema: string; was?: string } | { places: readonly string[] };

/** Names from the outside in: `customer`, `name`. None for the value itself. */
export type FieldPath = readonly string[];

export interface FieldChange extends Words {
  by: 'field';
  subject: Subject;
  field: FieldPath;
  edit: FieldEdit;
}

export type FieldEdit =
  /** `newer` makes the value for older requests, where the newer version requires one. */
  | { kind: 'added'; newer?: MakeValue }
  /** `older` makes the value that older answers still have. */
  | { kind: 'removed'; older?: MakeValue }
  /** One of the two versions requires it, and the other does not: the values where it is left out. */
  | { kind: 'required'; newer?: MakeValue }
  | { kind: 'optional'; older?: MakeValue }
  | { kind: 'moved'; from: FieldPath }
  /** Without functions, only the rule for its values changed. */
  | { kind: 'changed'; upgrade?: MapValue; downgrade?: MapValue }
  /** Newer values, and what older versions know them as. */
  | { kind: 'values'; older: Readonly<Record<string, string>> };

/** Gets the object that the field belongs to. */
export type MakeValue = (object: Json) => unknown;
export type MapValue = (value: never) => unknown;

export interface OperationChange extends Words {
  by: 'operation';
  operation: string;
  edit: OperationEdit;
}

export type OperationEdit =
  | { kind: 'added' }
  /** `as` names the operation that does its work; without it, the work is still done as it was. */
  | { kind: 'removed'; as?: string; upgrade?: (request: UpgradableRequest) => Partial<UpgradableRequest> }
  | { kind: 'status'; newer: number; older: number }
  | { kind: 'error'; newer: ErrorName; older: ErrorName }
  /** A rule that needs no code: such as who may call it. */
  | { kind: 'rule'; part: string }
  | { kind: 'header added'; header: string }
  | { kind: 'header removed'; header: string; older: (headers: Readonly<Record<string, string>>) => string };

export interface ErrorName {
  status: number;
  code: string;
  detail?: string;
}

export interface EventChange extends Words {
  by: 'event';
  event: string;
  edit: { kind: 'added' | 'removed' };
}

/** Several changes that are one for the release notes. */
export interface ChangeGroup extends Words {
  by: 'group';
  changes: readonly PartOfGroup[];
}

export type PartOfGroup = FieldChange | OperationChange | EventChange;

/** A question that somebody has to answer, in a list of changes or in the place of a function or a name. */
export interface Undecided {
  (...values: readonly unknown[]): never;
  by: 'undecided';
  question: string;
}

export function isUndecided(value: unknown): value is Undecided {
  return typeof value === 'function' && 'by' in value && value.by === 'undecided';
}

export function isFieldChange(change: WrittenChange): change is FieldChange {
  return 'by' in change && change.by === 'field';
}

export function isPlainChange(change: WrittenChange): change is Change {
  return !('by' in change);
}
