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
  const all = changes.map(readChange);
  const touched = all.map((one) => pathsOf(one, all, differences));
  const moved = all.flatMap(({ edit }, index) => (edit.kind === 'moved' ? (touched[index] ?? []) : []));
  // What is inside of a field that moved shows where it was and where it is.
  return all.map((one, index) => {
    const paths = touched[index] ?? [];
    return paths.length === 0 && differsInside(one, all, versions) ? moved : paths;
  });
}

/** A change of a field, read once for all differences. */
interface ReadChange extends Pick<FieldChange, 'subject' | 'edit'> {
  fields: readonly FieldPath[];
  /** The paths of a difference from the objects around it that the change is about. */
  pathsIn(difference: PlacedDifference): string[];
}

type PlacedDifference = Pick<FoundDifference, 'path' | 'local' | 'definitions'>;

function readChange({ subject, field, edit }: FieldChange): ReadChange {
  const fields = edit.kind === 'moved' ? [field, edit.from] : [field];
  return { subject, edit, fields, pathsIn: subjectReader(subject) };
}

function pathsOf(
  change: ReadChange,
  all: readonly ReadChange[],
  differences: readonly FoundDifference[],
): string[] {
  return differences
    .filter((difference) => isAboutField(difference, change) || isAboutRequired(difference, change, all))
    .map(({ path }) => path);
}

/** The component differs, wherever it is used. */
function differsInside(change: ReadChange, all: readonly ReadChange[], { older, newer }: Versions): boolean {
  const { subject } = change;
  if (!('schema' in subject)) return false;
  const [one] = definitionsNamed(subject.was ?? subject.schema, older);
  const [other] = definitionsNamed(subject.schema, newer);
  if (!one || !other) return false;
  const differences = createComparison()(referenceTo(one), referenceTo(other));
  return pathsOf(change, all, differences).length > 0;
}

function referenceTo({ name, $defs }: NamedDefinition) {
  return { value: { $ref: referenceToDefinition(name) }, definitions: $defs };
}

/** What maps the values of a field is about all that is in them. */
const WHOLE: readonly string[] = ['changed', 'values'];

function isAboutField(difference: FoundDifference, { edit, fields, pathsIn }: ReadChange): boolean {
  const outer = WHOLE.includes(edit.kind) ? difference.around : [];
  const paths = [
    ...pathsIn(difference),
    ...outer.flatMap((one) => pathsIn({ ...one, path: difference.path })),
  ];
  return paths.some((path) => fields.some((field) => leadsTo(path, field)));
}

/** A list of required properties is explained where each name in it is. */
function isAboutRequired(
  difference: FoundDifference,
  change: ReadChange,
  all: readonly ReadChange[],
): boolean {
  const { names = [] } = difference;
  return (
    names.some((name) => requiresField(name, difference, change)) &&
    names.every((name) => all.some((other) => requiresField(name, difference, other)))
  );
}

/** An object around a field counts too: it may come and go with it. */
function requiresField(name: string, difference: FoundDifference, { fields, pathsIn }: ReadChange): boolean {
  const lists = fields.flatMap((field) =>
    field.flatMap((one, index) => (one === name ? [requiredIn(field.slice(0, index))] : [])),
  );
  return lists.length > 0 && pathsIn(difference).some((path) => lists.includes(withoutParts(path)));
}

function requiredIn(parents: readonly string[]): string {
  return [...parents.map((parent) => `properties.${parent}`), 'required'].join('.');
}

function subjectReader(subject: Subject): ReadChange['pathsIn'] {
  if ('places' in subject) {
    const patterns = subject.places.map(touchPattern);
    return ({ path }) => pathsBehind(patterns, path);
  }
  const { schema, was = schema } = subject;
  return ({ local, definitions: { newer, older } }) =>
    (newer ?? older) === (newer === null ? was : schema) ? [local] : [];
}

/** What follows in a path where a pattern matches its beginning. */
function pathsBehind(patterns: readonly RegExp[], path: string): string[] {
  const ends = [...path.matchAll(/\.(?=properties\.|required$)/g)].map(({ index }) => index);
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
