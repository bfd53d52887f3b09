import type { Contract } from '../../contract/contract.ts';
import { touchPattern } from '../../contract/touch-pattern.ts';
import { heldBy } from '../../openapi/openapi-grammar.ts';
import { isPart } from '../../openapi/plain-data.ts';
import { nameOfDefinition } from '../../schema/schema-definitions.ts';
import type { FieldChange } from '../written-change.ts';
import { bodySchemas, definitionsNamed } from './named-definitions.ts';
import type { SchemaPlace } from './statements-at.ts';

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

function hasProperty(schema: unknown, name: string | undefined): boolean {
  if (name === undefined) return true;
  return isPart(schema) && isPart(schema.properties) && Object.hasOwn(schema.properties, name);
}

/** The schemas of the newer version that a change is about, with the definitions that they refer to. */
export function subjectSchemas(change: FieldChange, newer: Contract): { schema: unknown; $defs: unknown }[] {
  if ('schema' in change.subject) return definitionsNamed(change.subject.schema, newer);
  const isAt = subjectAt(change, 'newer');
  return placesIn(newer).flatMap(({ place, $defs }) =>
    isAt(place) ? [{ schema: place.schema, $defs }] : [],
  );
}

/** Of the places that a change names exactly, those at which a component stands, with its name: that is edited wherever it is used. */
export function componentsAt({ subject }: FieldChange, contract: Contract): Map<string, string> {
  if (!('places' in subject)) return new Map();
  return new Map(
    placesIn(contract).flatMap(({ place: { path, schema } }) => {
      const to = isPart(schema) && subject.places.includes(path) ? schema.$ref : undefined;
      return typeof to === 'string' ? [[path, nameOfDefinition(to)] as const] : [];
    }),
  );
}

/** All that stand in a contract in place, with the definitions that they refer to. */
function placesIn(contract: Contract): { place: SchemaPlace; $defs: unknown }[] {
  return bodySchemas(contract).flatMap(({ schema, path }) =>
    placesBelow({ schema, path, name: null, isShared: false }).map((place) => ({
      place,
      $defs: schema.$defs,
    })),
  );
}

/** The schema itself and all that stand in it in place. */
function placesBelow(root: SchemaPlace): SchemaPlace[] {
  const places = [root];
  for (const { schema, path } of places)
    if (isPart(schema))
      for (const { keys, value } of heldBy('schema', schema))
        places.push({ schema: value, path: [path, ...keys].join('.'), name: null, isShared: false });
  return places;
}
