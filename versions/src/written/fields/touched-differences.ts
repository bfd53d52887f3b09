import { createComparison, type FoundDifference } from '../../compile/compare-values.ts';
import type { Contract } from '../../contract/contract.ts';
import { touchPattern } from '../../contract/touch-pattern.ts';
import { referenceToDefinition } from '../../schema/schema-definitions.ts';
import type { FieldChange, FieldPath, Subject } from '../written-change.ts';
import { definitionsNamed, type NamedDefinition } from './named-definitions.ts';

export interface Versions {
  older: Contract;
  newer: Contract;
}

/** The paths of the differences that each of some changes of fields is about, in their order. */
export function touchedByFields(
  changes: readonly FieldChange[],
  differences: readonly FoundDifference[],
  versions: Versions,
): string[][] {
  const touched = changes.map((change) => pathsOf(change, changes, differences));
  const moved = changes.flatMap(({ edit }, index) => (edit.kind === 'moved' ? (touched[index] ?? []) : []));
  // What is inside of a field that moved shows where it was and where it is.
  return changes.map((change, index) => {
    const paths = touched[index] ?? [];
    return paths.length === 0 && differsInside(change, changes, versions) ? moved : paths;
  });
}

function pathsOf(
  change: FieldChange,
  changes: readonly FieldChange[],
  differences: readonly FoundDifference[],
): string[] {
  return differences
    .filter((difference) => isAboutField(difference, change) || isAboutRequired(difference, change, changes))
    .map(({ path }) => path);
}

/** The component differs, wherever it is used. */
function differsInside(
  change: FieldChange,
  changes: readonly FieldChange[],
  { older, newer }: Versions,
): boolean {
  const { subject } = change;
  if (!('schema' in subject)) return false;
  const [one] = definitionsNamed(subject.was ?? subject.schema, older);
  const [other] = definitionsNamed(subject.schema, newer);
  if (!one || !other) return false;
  const differences = createComparison()(referenceTo(one), referenceTo(other));
  return pathsOf(change, changes, differences).length > 0;
}

function referenceTo({ name, $defs }: NamedDefinition) {
  return { value: { $ref: referenceToDefinition(name) }, definitions: $defs };
}

/** What maps the values of a field is about all that is in them. */
const WHOLE: readonly string[] = ['changed', 'values'];

function isAboutField(difference: FoundDifference, change: FieldChange): boolean {
  const { subject, edit } = change;
  const outer = WHOLE.includes(edit.kind) ? difference.around : [];
  const paths = [
    ...pathsInSubject(difference, subject),
    ...outer.flatMap((one) => pathsInSubject({ ...one, path: difference.path }, subject)),
  ];
  return paths.some((path) => fieldsOf(change).some((field) => leadsTo(path, field)));
}

/** A list of required properties is explained where each name in it is. */
function isAboutRequired(
  difference: FoundDifference,
  change: FieldChange,
  changes: readonly FieldChange[],
): boolean {
  const { names = [] } = difference;
  return (
    names.some((name) => requiresField(name, difference, change)) &&
    names.every((name) => changes.some((other) => requiresField(name, difference, other)))
  );
}

/** An object around a field counts too: it may come and go with it. */
function requiresField(name: string, difference: FoundDifference, change: FieldChange): boolean {
  const lists = fieldsOf(change).flatMap((field) =>
    field.flatMap((one, index) => (one === name ? [requiredIn(field.slice(0, index))] : [])),
  );
  return pathsInSubject(difference, change.subject).some((path) => lists.includes(withoutParts(path)));
}

function requiredIn(parents: readonly string[]): string {
  return [...parents.map((parent) => `properties.${parent}`), 'required'].join('.');
}

function fieldsOf({ field, edit }: FieldChange): FieldPath[] {
  return edit.kind === 'moved' ? [field, edit.from] : [field];
}

/** The paths of a difference from the objects around it that a subject is about. */
function pathsInSubject(
  { path, local, definitions }: Pick<FoundDifference, 'path' | 'local' | 'definitions'>,
  subject: Subject,
): string[] {
  if ('places' in subject) return pathsAt(subject.places, path);
  const { schema, was = schema } = subject;
  const name = definitions.newer === null ? was : schema;
  return (definitions.newer ?? definitions.older) === name ? [local] : [];
}

function pathsAt(places: readonly string[], path: string): string[] {
  const ends = [...path.matchAll(/\.(?=properties\.|required$)/g)].map(({ index }) => index);
  const patterns = places.map(touchPattern);
  return ends
    .filter((end) => patterns.some((pattern) => pattern.test(path.slice(0, end))))
    .map((end) => path.slice(end + 1));
}

/** A difference of an object around a field is one of the field. */
function leadsTo(where: string, field: FieldPath): boolean {
  if (field.length === 0) return true;
  const target = field.map((name) => `properties.${name}`).join('.');
  const path = withoutParts(where);
  return path === target || path.startsWith(`${target}.`) || (target.startsWith(`${path}.`) && path !== '');
}

/** What `allOf` joins is one object. */
function withoutParts(path: string): string {
  return path.replace(/^(?:(?:allOf|anyOf|oneOf)\.\d+\.)+/, '');
}
