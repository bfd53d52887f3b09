import { isPart, type Part } from '../../openapi/plain-data.ts';
import { limitsOf } from '../../samples/limits-of.ts';
import { sampleOf } from '../../samples/sample-of.ts';
import { variationsOf } from '../../samples/variations-of.ts';
import { definitionIn, nameOfDefinition, reachedIn } from '../../schema/schema-definitions.ts';
import { typesOf, typesOfValue } from '../../schema/schema-types.ts';
import { createFits } from '../../schema/validator.ts';
import type { ValueEdit } from './field-edits.ts';

/** A schema on the way through a contract. */
export interface SchemaPlace {
  schema: unknown;
  /** As paths of differences have it. */
  path: string;
  /** The name of the definition that it is; null where it is none. */
  name: string | null;
  /** True in definitions, which stand at many places. */
  isShared: boolean;
}

/** Makes another value of one; the same where there is nothing to do. It changes none. */
export type Rewrite = (value: unknown) => unknown;

export interface RewriteRules {
  definitions: unknown;
  /** The edits of the values that some schemas are all about, in the order in which they are made. */
  editsAt(places: readonly SchemaPlace[]): readonly ValueEdit[];
  /** The names of the definitions with edits. */
  edited: ReadonlySet<string>;
  /** Told where nobody can say which edits a value needs. */
  onProblem(path: string, reason: string): void;
}

/** Compiles schemas to functions that edit values of them wherever the rules say so. Null where they never do. */
export function createRewriter(rules: RewriteRules): (place: SchemaPlace) => Rewrite | null {
  const { definitions, edited, editsAt } = rules;
  const known = new Map<string, { rewrite: Rewrite | null; isMade: boolean }>();
  const reachedFrom = isPart(definitions) ? reachedIn(definitions) : () => new Set<string>();
  const reaching = new Map<string, boolean>();

  function reaches(reference: string): boolean {
    const found =
      reaching.get(reference) ??
      [...reachedFrom(reference)].some((reached) => edited.has(nameOfDefinition(reached)));
    reaching.set(reference, found);
    return found;
  }

  /** A schema that is nothing but a reference has one function for all of its places. */
  function rewriteOf(place: SchemaPlace): Rewrite | null {
    const reference = referenceAlone(place.schema);
    if (reference === null) return build(place);
    if (!reaches(reference)) return null;
    const found = known.get(reference);
    // What contains itself is on its way.
    if (found) return found.isMade ? found.rewrite : (value) => found.rewrite?.(value) ?? value;
    const entry: { rewrite: Rewrite | null; isMade: boolean } = { rewrite: null, isMade: false };
    known.set(reference, entry);
    entry.rewrite = build(place);
    entry.isMade = true;
    return entry.rewrite;
  }

  function build(place: SchemaPlace): Rewrite | null {
    const { said, choices, conditions } = statementsAt(place, definitions);
    const below: Below = (schema, path, { isShared }) => rewriteOf({ schema, path, name: null, isShared });
    for (const one of conditions)
      if (rewriteOf(one)) rules.onProblem(one.path, 'what it is depends on a condition');
    const members = createMembers(said, below);
    const items = createItems(said, below);
    const chosen = choices.flatMap((choice) => createChoice(choice, below) ?? []);
    const edits = editsAt(said);
    if (!members && !items && chosen.length === 0 && edits.length === 0) return null;
    const inside = (value: unknown): unknown => {
      if (Array.isArray(value)) return items ? items(value) : value;
      return members && isPart(value) ? members(value) : value;
    };
    return (value) => {
      const picked = throughAll(chosen, inside(value), value);
      return edits.reduce<unknown>((edited, edit) => edit(edited), picked);
    };
  }

  /** Which of several schemas a value has is found out from the value as it came. */
  function createChoice(choice: Choice, below: Below): Chosen | null {
    const alternatives = choice.places.map((one) => ({
      schema: one.schema,
      rewrite: below(one.schema, one.path, one),
    }));
    const active = alternatives.filter(({ rewrite }) => rewrite !== null);
    const [first] = active;
    if (!first) return null;
    const types = typesOf(withDefinitions(first.schema, definitions));
    const others = alternatives.filter(
      (one) =>
        one.rewrite !== first.rewrite && share(types, typesOf(withDefinitions(one.schema, definitions))),
    );
    if (others.length === 0)
      return (value, original) =>
        first.rewrite && share(types, typesOfValue(original)) ? first.rewrite(value) : value;
    const fits = createFits(definitions);
    if (choice.mayBeSeveral && isAmbiguous(alternatives, definitions))
      rules.onProblem(choice.path, 'a value may be several of its alternatives');
    return (value, original) => {
      const found = alternatives.find(({ schema }) => fits(schema, original));
      return found?.rewrite ? found.rewrite(value) : value;
    };
  }

  return rewriteOf;
}

type Below = (schema: unknown, path: string, above: Pick<SchemaPlace, 'isShared'>) => Rewrite | null;
type Chosen = (value: unknown, original: unknown) => unknown;

function throughAll(chosen: readonly Chosen[], value: unknown, original: unknown): unknown {
  return chosen.reduce((rewritten, choose) => choose(rewritten, original), value);
}

function referenceAlone(schema: unknown): string | null {
  if (!isPart(schema) || typeof schema.$ref !== 'string') return null;
  const { $ref, $defs: _definitions, ...beside } = schema;
  return Object.keys(beside).length === 0 ? $ref : null;
}

interface Choice {
  path: string;
  places: readonly SchemaPlace[];
  /** True for `anyOf`: a value of a `oneOf` has one alternative. */
  mayBeSeveral: boolean;
}

/** Everything that is said about one and the same value: at once, as one of several choices, or on a condition. */
function statementsAt(place: SchemaPlace, definitions: unknown) {
  const said: (SchemaPlace & { schema: Part })[] = [];
  const choices: Choice[] = [];
  const conditions: SchemaPlace[] = [];
  const waiting = [place];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { schema, path, name, isShared } = next;
    if (!isPart(schema) || said.some((one) => one.schema === schema)) continue;
    said.push({ schema, path, name, isShared });
    const { $ref, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
    if (typeof $ref === 'string')
      waiting.push({
        schema: definitionIn(definitions, $ref),
        path,
        name: nameOfDefinition($ref),
        isShared: true,
      });
    waiting.push(...placesIn(allOf, `${path}.allOf`, isShared));
    for (const [keyword, list] of Object.entries({ anyOf, oneOf }))
      if (Array.isArray(list))
        choices.push({
          path: `${path}.${keyword}`,
          places: placesIn(list, `${path}.${keyword}`, isShared),
          mayBeSeveral: keyword === 'anyOf',
        });
    const dependent = isPart(dependentSchemas) ? Object.values(dependentSchemas) : [];
    conditions.push(...placesIn([then, otherwise, ...dependent].filter(isPart), path, isShared));
  }
  return { said, choices, conditions };
}

function placesIn(list: unknown, path: string, isShared: boolean): SchemaPlace[] {
  if (!Array.isArray(list)) return [];
  return list.map((schema, index) => ({ schema, path: `${path}.${index}`, name: null, isShared }));
}

type Said = readonly (SchemaPlace & { schema: Part })[];

/** The members of an object that have something to edit in them. */
function createMembers(said: Said, below: Below): ((object: Part) => Part) | null {
  const named = new Map<string, Rewrite | null>();
  const others: { isFor(name: string): boolean; rewrite: Rewrite }[] = [];
  for (const place of said) {
    const { schema, path } = place;
    const { properties, additionalProperties, patternProperties } = schema;
    for (const [name, property] of Object.entries(isPart(properties) ? properties : {}))
      named.set(name, named.get(name) ?? below(property, `${path}.properties.${name}`, place));
    for (const [pattern, property] of Object.entries(isPart(patternProperties) ? patternProperties : {})) {
      const rewrite = below(property, `${path}.patternProperties.${pattern}`, place);
      if (rewrite) others.push({ isFor: (name) => new RegExp(pattern, 'u').test(name), rewrite });
    }
    const rewrite = below(additionalProperties, `${path}.additionalProperties`, place);
    if (rewrite) others.push({ isFor: () => true, rewrite });
  }
  if (others.length === 0 && [...named.values()].every((rewrite) => rewrite === null)) return null;
  const rewriteFor = (name: string): Rewrite | null =>
    named.has(name) ? (named.get(name) ?? null) : (others.find(({ isFor }) => isFor(name))?.rewrite ?? null);
  return (object) => {
    let copy: Record<string, unknown> | null = null;
    for (const name of Object.keys(object)) {
      const rewritten = rewriteFor(name)?.(object[name]) ?? object[name];
      if (rewritten === object[name]) continue;
      copy ??= { ...object };
      copy[name] = rewritten;
    }
    return copy ?? object;
  };
}

function createItems(said: Said, below: Below): ((list: readonly unknown[]) => readonly unknown[]) | null {
  const firsts = said.flatMap((place) =>
    Array.isArray(place.schema.prefixItems)
      ? [
          place.schema.prefixItems.map((item, index) =>
            below(item, `${place.path}.prefixItems.${index}`, place),
          ),
        ]
      : [],
  );
  const [first = []] = firsts;
  const rest = said
    .map((place) => below(place.schema.items, `${place.path}.items`, place))
    .find((rewrite) => rewrite !== null);
  if (!rest && first.every((rewrite) => rewrite === null)) return null;
  return (list) => list.map((item, index) => (index < first.length ? first[index] : rest)?.(item) ?? item);
}

function withDefinitions(schema: unknown, definitions: unknown): unknown {
  return isPart(schema) ? { ...schema, $defs: definitions } : schema;
}

function share(types: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...others].some((type) => types.has(type));
}

const TRIED_MAX = 40;

/** True where a sample of one alternative also fits another one, which is edited in another way. */
function isAmbiguous(
  alternatives: readonly { schema: unknown; rewrite: Rewrite | null }[],
  definitions: unknown,
): boolean {
  const fits = createFits(definitions);
  return alternatives.some(({ schema, rewrite }) => {
    const others = alternatives.filter((other) => other.rewrite !== rewrite);
    return samplesOf(schema, definitions).some(
      (sample) => fits(schema, sample) && others.some((other) => fits(other.schema, sample)),
    );
  });
}

function samplesOf(schema: unknown, definitions: unknown): unknown[] {
  if (!isPart(schema)) return [];
  const whole = { ...schema, $defs: definitions };
  const samples = [sampleOf(whole)];
  for (const sample of variationsOf(whole, { limits: limitsOf([whole]), names: new Set() })) {
    samples.push(sample);
    if (samples.length >= TRIED_MAX) break;
  }
  return samples;
}
