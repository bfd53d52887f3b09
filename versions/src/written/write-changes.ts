import type {
  ChangeGroup,
  ErrorName,
  EventChange,
  FieldChange,
  FieldEdit,
  FieldPath,
  MakeValue,
  MapValue,
  OperationChange,
  OperationEdit,
  PartOfGroup,
  Subject,
  Undecided,
  Words,
} from './written-change.ts';

/** Changes of one field, as a release note would say them. */
export interface FieldChanges {
  /** The older version lacks it. `newer` makes one for older requests, where the newer version requires it. */
  added(more?: Words & { newer?: MakeValue }): FieldChange;
  /** The newer version lacks it. `older` makes one for older answers, which may require it. */
  removed(more?: Words & { older?: MakeValue }): FieldChange;
  /** The newer version requires what the older one does not. `newer` makes one for older requests that leave it out. */
  required(more?: Words & { newer?: MakeValue }): FieldChange;
  /** The newer version does not require what the older one does. `older` makes one for answers that leave it out. */
  optional(more?: Words & { older?: MakeValue }): FieldChange;
  /** The older version has it in the same object by another name. */
  renamedFrom(older: string, more?: Words): FieldChange;
  /** The older version has it elsewhere in the same object: `'customer.name'`, or a list of names. */
  movedFrom(older: string | FieldPath, more?: Words): FieldChange;
  /** Its values are others. Without functions, only the rule for them is another one. */
  changed(more?: Words & { upgrade?: MapValue; downgrade?: MapValue }): FieldChange;
  /** It has values that older versions know as others: `{ cancelled: 'canceled' }`, the newer one first. */
  values(older: Readonly<Record<string, string>>, more?: Words): FieldChange;
}

/** A component schema. Its changes hold wherever it is used: in requests, answers, lists, nested places and events. */
export function schema(name: string, { was }: { was?: string } = {}) {
  const subject = was === undefined ? { schema: name } : { schema: name, was };
  const { changed, values } = fieldChanges(subject, []);
  // Of the component itself, where it is no object.
  return { field: (path: string | FieldPath) => fieldChanges(subject, path), changed, values };
}

/** Objects at places of the contract, written as in `touches`, for documents without component schemas. */
export function at(...places: readonly string[]) {
  return { field: (path: string | FieldPath) => fieldChanges({ places }, path) };
}

function fieldChanges(subject: Subject, path: string | FieldPath): FieldChanges {
  const field = pathOf(path);
  const change = (edit: FieldEdit, words: Words): FieldChange => ({
    ...words,
    by: 'field',
    subject,
    field,
    edit,
  });
  return {
    added: ({ newer, ...words } = {}) => change({ kind: 'added', ...(newer && { newer }) }, words),
    removed: ({ older, ...words } = {}) => change({ kind: 'removed', ...(older && { older }) }, words),
    required: ({ newer, ...words } = {}) => change({ kind: 'required', ...(newer && { newer }) }, words),
    optional: ({ older, ...words } = {}) => change({ kind: 'optional', ...(older && { older }) }, words),
    renamedFrom: (older, words = {}) =>
      change({ kind: 'moved', from: [...field.slice(0, -1), older] }, words),
    movedFrom: (older, words = {}) => change({ kind: 'moved', from: pathOf(older) }, words),
    changed: ({ upgrade, downgrade, ...words } = {}) =>
      change({ kind: 'changed', ...(upgrade && { upgrade }), ...(downgrade && { downgrade }) }, words),
    values: (older, words = {}) => change({ kind: 'values', older }, words),
  };
}

function pathOf(path: string | FieldPath): FieldPath {
  if (typeof path !== 'string') return path;
  return path.split('.');
}

/** An operation, by its id. */
export function operation(id: string) {
  const change = (edit: OperationEdit, words: Words): OperationChange => ({
    ...words,
    by: 'operation',
    operation: id,
    edit,
  });
  return {
    added: (words: Words = {}) => change({ kind: 'added' }, words),
    /** `as` names the operation that does its work in the newer version; without it, the work is still done as it was. */
    removed: ({
      as,
      upgrade,
      ...words
    }: Words & Omit<Extract<OperationEdit, { kind: 'removed' }>, 'kind'> = {}) =>
      change({ kind: 'removed', ...(as !== undefined && { as }), ...(upgrade && { upgrade }) }, words),
    /** It answers with another status than before. */
    status: (newer: number) => ({
      was: (older: number, words: Words = {}) => change({ kind: 'status', newer, older }, words),
    }),
    /** It has an error that the older version knows as another one. */
    error: (status: number, code: string) => ({
      was: (older: ErrorName, words: Words = {}) =>
        change({ kind: 'error', newer: { status, code }, older }, words),
    }),
    /** A rule that needs no code is another one: `security`, or another part of the operation as differences name it. */
    rule: (part: string, words: Words = {}) => change({ kind: 'rule', part }, words),
    /** A header of its answers. */
    header: (header: string) => ({
      added: (words: Words = {}) => change({ kind: 'header added', header: header.toLowerCase() }, words),
      removed: ({
        older,
        ...words
      }: Words & Pick<Extract<OperationEdit, { kind: 'header removed' }>, 'older'>) =>
        change({ kind: 'header removed', header: header.toLowerCase(), older }, words),
    }),
    /** A parameter of its query. */
    query: (name: string) => fieldChanges({ places: [`${id}.query`] }, [name]),
  };
}

/** A kind of event. */
export function event(kind: string) {
  const change = (edit: EventChange['edit'], words: Words): EventChange => ({
    ...words,
    by: 'event',
    event: kind,
    edit,
  });
  return {
    /** Older versions do not hear of it. */
    added: (words: Words = {}) => change({ kind: 'added' }, words),
    removed: (words: Words = {}) => change({ kind: 'removed' }, words),
  };
}

/** Several of them as one change, for the release notes. Words that are left out are those of the first. */
export function together(
  changes: readonly PartOfGroup[],
  words: Omit<ChangeGroup, 'by' | 'changes'> = {},
): ChangeGroup {
  return { ...words, by: 'group', changes };
}

/**
 * Stands for what only a person knows, in a list of changes or in the place of a function or a name: `contract check` refuses it with
 * the question.
 */
export function undecided(question: string): Undecided {
  const refuse = (): never => {
    throw new Error(`this is not decided yet: ${question}`);
  };
  return Object.assign(refuse, { by: 'undecided' as const, question });
}
