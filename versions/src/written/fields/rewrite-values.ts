import { isPart, type Part } from '../../openapi/plain-data.ts';
import { limitsOf } from '../../samples/limits-of.ts';
import { sampleOf } from '../../samples/sample-of.ts';
import { variationsOf } from '../../samples/variations-of.ts';
import { nameOfDefinition, reachedIn } from '../../schema/schema-definitions.ts';
import { typesOf, typesOfValue } from '../../schema/schema-types.ts';
import { createFits } from '../../schema/validator.ts';
import type { ValueEdit } from './field-edits.ts';
import {
  type Choice,
  itemPlaces,
  memberPlaces,
  ownStatement,
  type Said,
  type SchemaPlace,
  statementsAt,
} from './statements-at.ts';

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
  const numbers = new Map<unknown, number>();

  function reaches(reference: string): boolean {
    const found =
      reaching.get(reference) ??
      [...reachedFrom(reference)].some((reached) => edited.has(nameOfDefinition(reached)));
    reaching.set(reference, found);
    return found;
  }

  /** One function for all that schemas say about a value together: what two of them lead to is edited once. */
  const rewriteOf: Below = (places) => {
    const distinct = new Map(places.filter(mayBeEdited).map((place) => [keyOf(place), place]));
    if (distinct.size === 0) return null;
    const key = [...distinct.keys()].join('\n');
    const found = known.get(key);
    // What contains itself is on its way.
    if (found)
      return found.isMade ? found.rewrite : (value) => (found.rewrite ? found.rewrite(value) : value);
    const entry: { rewrite: Rewrite | null; isMade: boolean } = { rewrite: null, isMade: false };
    known.set(key, entry);
    entry.rewrite = build([...distinct.values()]);
    entry.isMade = true;
    return entry.rewrite;
  };

  function mayBeEdited({ schema }: SchemaPlace): boolean {
    const reference = referenceAlone(schema);
    return reference === null ? isPart(schema) : reaches(reference);
  }

  /** A schema that is nothing but a reference is the same at all of its places, and so is what stands in a definition. */
  function keyOf({ schema, path, isShared }: SchemaPlace): string {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return referenceAlone(schema) ?? `${number}${isShared ? '' : ` ${path}`}`;
  }

  function build(places: readonly SchemaPlace[]): Rewrite | null {
    const { said, choices, conditions } = statementsAt(places, definitions);
    for (const one of conditions)
      if (rewriteOf([one])) rules.onProblem(one.path, 'what it is depends on a condition');
    const active = choices.filter((choice) => choice.places.some((one) => rewriteOf([one]) !== null));
    if (active.length > 0) return createChoices(said, active);
    const members = createMembers(said, rewriteOf);
    const items = createItems(said, rewriteOf);
    const edits = editsAt(said);
    if (!members && !items && edits.length === 0) return null;
    const inside = (value: unknown): unknown => {
      if (Array.isArray(value)) return items ? items(value) : value;
      return members && isPart(value) ? members(value) : value;
    };
    return (value) => edits.reduce<unknown>((edited, edit) => edit(edited), inside(value));
  }

  /** What is said beside choices and in those that a value has is said about it together: what both lead to is edited once. */
  function createChoices(said: Said, choices: readonly Choice[]): Rewrite {
    const path = choices[0]?.path ?? '';
    const combinations = choices.reduce((count, { places }) => count * (places.length + 1), 1);
    if (combinations > COMBINATIONS_MAX)
      rules.onProblem(path, `its choices have more than ${COMBINATIONS_MAX} combinations`);
    const beside = said.map((one) => ({ ...one, schema: ownStatement(one.schema) }));
    const pickers = choices.map(createPicker);
    const made = new Map<string, Rewrite | null>();
    return (value) => {
      const picked = pickers.map((pick) => pick(value));
      const key = picked.join();
      let rewrite = made.get(key);
      if (rewrite === undefined) {
        const chosen = picked.flatMap((index, at) => choices[at]?.places[index] ?? []);
        rewrite = rewriteOf([...beside, ...chosen]);
        made.set(key, rewrite);
      }
      return rewrite ? rewrite(value) : value;
    };
  }

  /** Says which alternative a value has, as it came; -1 for none that is edited. */
  function createPicker(choice: Choice): (value: unknown) => number {
    const alternatives = choice.places.map((one) => ({ schema: one.schema, rewrite: rewriteOf([one]) }));
    const firstAt = alternatives.findIndex(({ rewrite }) => rewrite !== null);
    const first = alternatives[firstAt];
    if (!first) return () => -1;
    const types = typesOf(withDefinitions(first.schema, definitions));
    // One that is edited in another way counts whatever its type is.
    const others = alternatives.filter(
      (one) =>
        one.rewrite !== first.rewrite &&
        (one.rewrite !== null || share(types, typesOf(withDefinitions(one.schema, definitions)))),
    );
    if (others.length === 0) return (value) => (share(types, typesOfValue(value)) ? firstAt : -1);
    const fits = createFits(definitions);
    if (choice.mayBeSeveral && isAmbiguous(alternatives, definitions))
      rules.onProblem(choice.path, 'a value may be several of its alternatives');
    return (value) => alternatives.findIndex(({ schema }) => fits(schema, value));
  }

  return (place) => rewriteOf([place]);
}

/** Each is compiled when the first value has it, and kept: callers say which they have. */
const COMBINATIONS_MAX = 1_000;

/** Compiles all that is said about one value. */
type Below = (places: readonly SchemaPlace[]) => Rewrite | null;

function referenceAlone(schema: unknown): string | null {
  if (!isPart(schema) || typeof schema.$ref !== 'string') return null;
  const { $ref, $defs: _definitions, ...beside } = schema;
  return Object.keys(beside).length === 0 ? $ref : null;
}

/** The members of an object that have something to edit in them. What a member is made undefined of leaves. */
function createMembers(said: Said, below: Below): ((object: Part) => Part) | null {
  const rewriteFor = memberRewrites(said, below);
  if (!rewriteFor) return null;
  return (object) => {
    let copy: Record<string, unknown> | null = null;
    for (const name of Object.keys(object)) {
      const rewrite = rewriteFor(name);
      const rewritten = rewrite ? rewrite(object[name]) : object[name];
      if (rewritten === object[name]) continue;
      copy ??= { ...object };
      if (rewritten === undefined) delete copy[name];
      else copy[name] = rewritten;
    }
    return copy ?? object;
  };
}

function memberRewrites(said: Said, below: Below): ((name: string) => Rewrite | null) | null {
  const places = said.map(memberPlaces);
  const placesAt = (name: string): SchemaPlace[] => places.flatMap((one) => one.at(name));
  const names = new Set(places.flatMap((one) => one.names));
  const named = new Map([...names].map((name) => [name, below(placesAt(name))]));
  const further = places.flatMap((one) => one.further);
  const isFurther = further.map((place) => below([place])).some((rewrite) => rewrite !== null);
  if (!isFurther && [...named.values()].every((rewrite) => rewrite === null)) return null;
  const hasPatterns = isFurther && places.some((one) => one.hasPatterns);
  const others = below(further);
  return (name) => {
    const found = named.get(name);
    if (found !== undefined) return found;
    return hasPatterns ? below(placesAt(name)) : others;
  };
}

function createItems(said: Said, below: Below): ((list: readonly unknown[]) => readonly unknown[]) | null {
  const places = said.map(itemPlaces);
  const count = Math.max(0, ...places.map(({ firsts }) => firsts.length));
  const firsts = Array.from({ length: count }, (_none, index) =>
    below(places.map((one) => one.firsts[index] ?? one.rest)),
  );
  const others = below(places.map(({ rest }) => rest));
  if (!others && firsts.every((rewrite) => rewrite === null)) return null;
  return (list) => {
    const rewritten = list.map((item, index) => {
      const rewrite = index < count ? firsts[index] : others;
      return rewrite ? rewrite(item) : item;
    });
    return rewritten.every((item, index) => item === list[index]) ? list : rewritten;
  };
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
