import { foundDifferences } from '../compile/contract-differences.ts';
import type { Change, ChangeSet } from '../contract/change.ts';
import type { Contract } from '../contract/contract.ts';
import { fieldWords } from './change-words.ts';
import { downwards, upwards } from './code-of-fields.ts';
import type { FieldEdits } from './fields/field-edits.ts';
import { fieldExample } from './fields/field-example.ts';
import { contractRewrites } from './fields/field-rewrites.ts';
import { touchedByFields } from './fields/touched-differences.ts';
import { groupedChange } from './grouped-change.ts';
import { eventChange, type Neighbours, operationChange } from './operation-changes.ts';
import {
  type ChangeGroup,
  type FieldChange,
  isFieldChange,
  isPlainChange,
  isUndecided,
  type PartOfGroup,
  type Undecided,
  type WrittenChange,
  type WrittenChangeSet,
} from './written-change.ts';

export interface ExpandedChanges {
  changeSet: ChangeSet;
  /** Why some of them cannot be carried out, in sentences. */
  problems: readonly string[];
}

/** The same for each of some change sets, with the contracts of their versions. */
export function expandChangeSets(
  sets: readonly WrittenChangeSet[],
  contracts: readonly Contract[],
): ExpandedChanges[] {
  const found = new Map(contracts.map((contract) => [contract.version, contract]));
  return sets.map((set) => {
    const [older, newer] = [found.get(set.older), found.get(set.newer)];
    if (older && newer) return expandChanges(set, older, newer);
    const problem = `there is no contract of ${older ? set.newer : set.older}`;
    return { changeSet: { ...set, changes: set.changes.filter(isPlainChange) }, problems: [problem] };
  });
}

/**
 * Changes as the engine carries them out: with code by operation, with what they touch, and with words. Changes of fields are made
 * first in both directions, all of them at once: so each finds values as its own version has them, and the functions of other changes
 * of the same step get what they have made.
 */
export function expandChanges(set: WrittenChangeSet, older: Contract, newer: Contract): ExpandedChanges {
  if (set.changes.every(isPlainChange)) return { changeSet: { ...set, changes: set.changes }, problems: [] };
  const changes = set.changes.filter(isDecided);
  const questions = set.changes.flatMap(questionsIn);
  if (questions.length > 0) return { changeSet: { ...set, changes: [] }, problems: questions };
  const differences = [...foundDifferences(older, newer).values()].flat();
  const between = { older, newer, paths: differences.map(({ path }) => path) };
  const ofFields = changes.flatMap(partsOf).filter(isFieldChange);
  const code = contractRewrites({ older, newer, changes: ofFields, redirects: redirectsIn(changes) });
  const touched = touchedByFields(ofFields, differences, between);
  // A group with examples needs none of its parts.
  const shown = new Set(
    changes.flatMap((change) => (isGroup(change) && change.examples ? change.changes : [])),
  );
  const fieldChanges = new Map(
    ofFields.map((change, index) => {
      const {
        examples = shown.has(change) ? NO_EXAMPLES : [fieldExample(change, code.edits[index], between)],
      } = change;
      return [change, fieldChange(change, examples, touched[index] ?? [])];
    }),
  );
  const expanded = changes.map((change) => {
    if (isGroup(change)) return groupedChange(change, change.changes.map(ownChange));
    return isFieldChange(change) ? ownChange(change) : otherChange(change, between);
  });

  function ownChange(part: PartOfGroup): Change {
    const found = isFieldChange(part) ? fieldChanges.get(part) : otherChange(part, between);
    if (!found) throw new Error('every change of a field was expanded');
    return found;
  }

  /** The changes that have code in a direction. */
  function namesOf(direction: keyof FieldEdits): string[] {
    const isCode = (part: Part): boolean =>
      isFieldChange(part) && Boolean(code.edits[ofFields.indexOf(part)]?.[direction]);
    return changes.flatMap((change, index) =>
      partsOf(change).some(isCode) ? (expanded[index]?.name ?? []) : [],
    );
  }

  return {
    changeSet: {
      ...set,
      writtenAs: set.changes,
      changes: [...upwards(code.up, namesOf('up')), ...expanded, ...downwards(code.down, namesOf('down'))],
    },
    problems: [...code.problems, ...twice(expanded)],
  };
}

/** While something is undecided, nothing else can be told of the changes. */
function questionsIn(change: WrittenChange): string[] {
  if (isUndecided(change)) return [`not decided yet: ${change.question}`];
  if (isGroup(change)) return change.changes.flatMap(questionsIn);
  if (isPlainChange(change)) return [];
  const { edit } = change;
  const values = Object.values(edit).flatMap((value) =>
    typeof value === 'object' && value !== null ? Object.values(value) : [value],
  );
  return values.filter(isUndecided).map(({ question }) => `not decided yet: ${question}`);
}

const NO_EXAMPLES: Change['examples'] = [{ before: null, after: null }];

type DecidedChange = Exclude<WrittenChange, Undecided>;

function isDecided(change: WrittenChange): change is DecidedChange {
  return !isUndecided(change);
}

type Part = Exclude<WrittenChange, ChangeGroup | Undecided>;

function partsOf(change: DecidedChange): readonly Part[] {
  return isGroup(change) ? change.changes : [change];
}

function isGroup(change: WrittenChange): change is ChangeGroup {
  return 'by' in change && change.by === 'group';
}

function redirectsIn(changes: readonly DecidedChange[]): Record<string, string> {
  const pairs = changes.flatMap(partsOf).flatMap((part) => {
    if (isPlainChange(part)) return Object.entries(part.redirects ?? {});
    if (part.by !== 'operation' || part.edit.kind !== 'removed' || part.edit.as === undefined) return [];
    return [[part.operation, part.edit.as] as const];
  });
  return Object.fromEntries(pairs);
}

function otherChange(change: Exclude<Part, FieldChange>, between: Neighbours): Change {
  if (isPlainChange(change)) return change;
  return change.by === 'operation' ? operationChange(change, between) : eventChange(change, between);
}

function fieldChange(change: FieldChange, examples: Change['examples'], touches: readonly string[]): Change {
  const { by: _by, subject: _subject, field: _field, edit: _edit, ...words } = change;
  return { why: '', ...fieldWords(change), ...words, examples, touches };
}

/** Names are addresses in the release notes. */
function twice(changes: readonly Change[]): string[] {
  const names = changes.map(({ name }) => name);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `two changes are called ${name}: give one of them another name, with { name: '…' }`,
  );
}
