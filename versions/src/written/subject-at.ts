import { touchPattern } from '../contract/touch-pattern.ts';
import { isPart } from '../openapi/plain-data.ts';
import type { SchemaPlace } from './rewrite-values.ts';
import type { FieldChange } from './written-change.ts';

/** The version whose values are looked at. */
export type Side = 'older' | 'newer';

/** Says whether a change is about the objects of a schema, of one of the two versions. */
export function subjectAt(
  { subject, field, edit }: FieldChange,
  side: Side,
): (place: SchemaPlace) => boolean {
  if ('schema' in subject) {
    const name = side === 'older' ? (subject.was ?? subject.schema) : subject.schema;
    return (place) => place.name === name;
  }
  const patterns = subject.places.map(touchPattern);
  const [known] = side === 'older' && edit.kind === 'moved' ? edit.from : field;
  return ({ path, schema, isShared }) =>
    !isShared &&
    (subject.places.includes(path) ||
      (hasProperty(schema, known) && patterns.some((pattern) => pattern.test(path))));
}

function hasProperty(schema: unknown, name: string): boolean {
  return isPart(schema) && isPart(schema.properties) && Object.hasOwn(schema.properties, name);
}
