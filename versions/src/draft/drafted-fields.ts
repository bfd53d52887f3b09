import type { ApiStep } from '../compile/api-steps.ts';
import type { Contract, JsonSchema } from '../contract/contract.ts';
import { isPart, type Part } from '../openapi/plain-data.ts';
import { limitsOf } from '../samples/limits-of.ts';
import { variationsOf } from '../samples/variations-of.ts';
import { reachedIn, referencesIn, referenceToDefinition } from '../schema/schema-definitions.ts';
import { statementsIn } from '../schema/text-shape.ts';
import { createFits } from '../schema/validator.ts';
import { bodySchemas, definitionsNamed } from '../written/fields/named-definitions.ts';
import {
  asking,
  type Draft,
  type Drafted,
  decided,
  type NamedDifference,
  quoted,
  undecided,
} from './draft.ts';

/** Drafts what differs in the fields of objects: of components wherever they are used, and of objects in place. */
export function draftedFields(differences: readonly NamedDifference[], step: ApiStep): Drafted {
  const groups = new Map<string, { subject: Subject; fields: Set<string> }>();
  const left: NamedDifference[] = [];
  for (const difference of differences) {
    const found = fieldsOf(difference);
    if (found === null) left.push(difference);
    for (const { subject, field } of found ?? []) {
      const group = groups.get(subject.code) ?? { subject, fields: new Set() };
      groups.set(subject.code, group);
      group.fields.add(field);
    }
  }
  const drafts = [...groups.values()].flatMap(({ subject, fields }) =>
    subjectDrafts(subject, [...fields], step),
  );
  return { drafts, left };
}

/** The objects that a draft is about. */
interface Subject {
  /** Such as `schema('Order')`. */
  code: string;
  /** For sentences. */
  called: string;
  schemas(contract: Contract): Located[];
  use(contract: Contract): Use;
}

interface Located {
  schema: unknown;
  $defs: unknown;
}

/** Where values of it are. */
interface Use {
  inRequests: boolean;
  inAnswers: boolean;
}

/** Null where the difference is in no field. An empty name stands for the value itself. */
function fieldsOf(difference: NamedDifference): { subject: Subject; field: string }[] | null {
  const { definitions, local, path, names } = difference;
  const component = definitions.newer ?? definitions.older;
  const where = component === null ? inPlace(path) : { subject: componentSubject(component), local };
  if (where === null) return null;
  const { subject } = where;
  const inside = where.local.replace(/^(?:(?:allOf|anyOf|oneOf)\.\d+\.)+/, '');
  if (inside === 'required') return (names ?? []).map((field) => ({ subject, field }));
  const field = /^properties\.([^.]+)(?:\.|$)/.exec(inside)?.[1];
  if (field !== undefined) return [{ subject, field }];
  return component === null ? null : [{ subject, field: '' }];
}

function inPlace(path: string): { subject: Subject; local: string } | null {
  const found = /^(.*?)\.(properties\.[^.]+(?:\..*)?|required)$/.exec(path);
  if (!found) return null;
  const [, place = '', local = ''] = found;
  return { subject: placeSubject(place), local };
}

function componentSubject(name: string): Subject {
  return {
    code: `schema(${quoted(name)})`,
    called: name,
    schemas: (contract) => definitionsNamed(name, contract),
    use: (contract) => {
      const users = bodySchemas(contract).filter(({ schema }) => reaches(schema, name));
      return useOf(users.map(({ path }) => path));
    },
  };
}

function placeSubject(place: string): Subject {
  return {
    code: `at(${quoted(place)})`,
    called: place,
    schemas: (contract) =>
      bodySchemas(contract).flatMap(({ schema, path }) => {
        if (path !== place && !place.startsWith(`${path}.`)) return [];
        const keys = place === path ? [] : place.slice(path.length + 1).split('.');
        return [{ schema: below(schema, keys), $defs: schema.$defs }];
      }),
    use: () => useOf([place]),
  };
}

function below(schema: JsonSchema, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (Array.isArray(value) ? value[Number(key)] : isPart(value) ? value[key] : undefined),
    schema,
  );
}

function reaches({ $defs, ...schema }: JsonSchema, name: string): boolean {
  if (!isPart($defs)) return false;
  const reachedFrom = reachedIn($defs);
  return referencesIn(schema).some((reference) => reachedFrom(reference).has(referenceToDefinition(name)));
}

function useOf(paths: readonly string[]): Use {
  const isRequest = (path: string): boolean => /\.(?:body|query|headers|params)(?:\.|$)/.test(path);
  return { inRequests: paths.some(isRequest), inAnswers: paths.some((path) => !isRequest(path)) };
}

/** What the two versions have of one field. */
interface FieldPair {
  name: string;
  older: FieldFacts;
  newer: FieldFacts;
}

interface FieldFacts {
  /** Undefined where there is none. */
  schema: unknown;
  $defs: unknown;
  isRequired: boolean;
}

function subjectDrafts(subject: Subject, names: readonly string[], step: ApiStep): Draft[] {
  const use = subject.use(step.newer);
  const used = { ...use, inRequests: use.inRequests || subject.use(step.older).inRequests };
  const pairs = names.map(
    (name): FieldPair => ({
      name,
      older: factsOf(name, subject.schemas(step.older)),
      newer: factsOf(name, subject.schemas(step.newer)),
    }),
  );
  const added = pairs.filter(({ older }) => older.schema === undefined);
  const removed = pairs.filter(({ newer }) => newer.schema === undefined);
  const [one, other] = [removed[0], added[0]];
  // Of several, nobody could guess which belongs to which.
  const isRename =
    one && other && added.length === 1 && removed.length === 1 && isAlike(one.older, other.newer);
  const question = isRename
    ? `${subject.called}: is ${other.name} what ${one.name} was? If not, write ${fieldCode(subject, other.name)}.added() and ${fieldCode(subject, one.name)}.removed() instead`
    : '';
  const renamed = isRename
    ? [undecided(question), decided(`${fieldCode(subject, other.name)}.renamedFrom(${quoted(one.name)})`)]
    : [];
  const others = pairs.filter((pair) => !isRename || (pair !== one && pair !== other));
  return [...renamed, ...others.map((pair) => fieldDraft(subject, pair, { use: used, step }))];
}

/** The same schema, in words too. */
function isAlike(one: FieldFacts, other: FieldFacts): boolean {
  return JSON.stringify(one.schema) === JSON.stringify(other.schema);
}

function factsOf(name: string, found: readonly Located[]): FieldFacts {
  for (const { schema, $defs } of found) {
    if (name === '') return { schema, $defs, isRequired: true };
    const statements = statementsIn(schema, $defs);
    const stated = statements.find(({ properties }) => isPart(properties) && Object.hasOwn(properties, name));
    const isRequired = statements.some(({ required }) => Array.isArray(required) && required.includes(name));
    if (stated && isPart(stated.properties)) return { schema: stated.properties[name], $defs, isRequired };
  }
  return { schema: undefined, $defs: undefined, isRequired: false };
}

function fieldCode({ code }: Subject, name: string): string {
  if (name === '') return code;
  return name.includes('.') ? `${code}.field([${quoted(name)}])` : `${code}.field(${quoted(name)})`;
}

function fieldDraft(subject: Subject, pair: FieldPair, { use, step }: { use: Use; step: ApiStep }): Draft {
  const { name, older, newer } = pair;
  const code = fieldCode(subject, name);
  const [before, after] = [step.older.version, step.newer.version];
  const ask = (call: string, option: string, question: string): Draft => ({
    code: `${code}.${call}({ ${option}: ${asking(question)} })`,
    isDecided: false,
  });
  if (older.schema === undefined) {
    if (!newer.isRequired || !use.inRequests) return decided(`${code}.added()`);
    return (
      onlyValueDraft(newer, `${code}.added`, 'newer') ??
      ask(
        'added',
        'newer',
        `requests of ${before} have no ${name} in ${subject.called}, which ${after} requires: what is it?`,
      )
    );
  }
  if (newer.schema === undefined) {
    if (!older.isRequired || !use.inAnswers) return decided(`${code}.removed()`);
    return (
      onlyValueDraft(older, `${code}.removed`, 'older') ??
      ask(
        'removed',
        'older',
        `answers of ${before} have ${name} in ${subject.called}, which ${after} lacks: what is it?`,
      )
    );
  }
  if (isAlike(older, newer) && older.isRequired !== newer.isRequired)
    return requiredDraft(subject, pair, { use, step });
  return valueDraft(subject, pair, { use, step });
}

/** A field with one value only is nobody's guess. */
function onlyValueDraft({ schema }: FieldFacts, call: string, option: string): Draft | null {
  if (!isPart(schema) || !('const' in schema)) return null;
  return decided(`${call}({ ${option}: () => (${JSON.stringify(schema.const)}) })`);
}

function requiredDraft(
  subject: Subject,
  { name, newer }: FieldPair,
  { use, step }: { use: Use; step: ApiStep },
): Draft {
  const [call, option, isNeeded] = newer.isRequired
    ? (['required', 'newer', use.inRequests] as const)
    : (['optional', 'older', use.inAnswers] as const);
  const code = `${fieldCode(subject, name)}.${call}`;
  if (!isNeeded) return decided(`${code}()`);
  const question = newer.isRequired
    ? `requests of ${step.older.version} may leave ${name} out in ${subject.called}: what is it then?`
    : `answers of ${step.older.version} always have ${name} in ${subject.called}: what is it where ${step.newer.version} leaves it out?`;
  return (
    onlyValueDraft(newer, code, option) ?? {
      code: `${code}({ ${option}: ${asking(question)} })`,
      isDecided: false,
    }
  );
}

/** Values that one version takes and the other does not need a function, and nobody but a person knows it. */
function valueDraft(
  subject: Subject,
  { name, older, newer }: FieldPair,
  { use, step }: { use: Use; step: ApiStep },
): Draft {
  const code = fieldCode(subject, name);
  const called = name === '' ? subject.called : `${name} of ${subject.called}`;
  const [up, down] = [
    use.inRequests ? misfit(older, newer) : undefined,
    use.inAnswers ? misfit(newer, older) : undefined,
  ];
  if (up === undefined && down === undefined) return decided(`${code}.changed()`);
  const texts = misfitTexts(older, newer);
  if (texts) {
    const pairs = texts.map(
      (value) =>
        `${JSON.stringify(value)}: ${asking(`which value of ${step.older.version} is ${value}, as ${called}?`)}`,
    );
    return { code: `${code}.values({ ${pairs.join(', ')} })`, isDecided: false };
  }
  const ask = (option: string, { value }: { value: unknown }, from: string, to: string): string =>
    `${option}: ${asking(`${called}: ${shown(value)} of ${from} does not fit ${to}: what does it become?`)}`;
  const questions = [
    ...(up ? [ask('upgrade', up, step.older.version, step.newer.version)] : []),
    ...(down ? [ask('downgrade', down, step.newer.version, step.older.version)] : []),
  ];
  return { code: `${code}.changed({ ${questions.join(', ')} })`, isDecided: false };
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;
};

const [SHOWN_MAX, TRIED_MAX] = [60, 400];

/** A value of one schema that the other does not take; undefined where none was found. */
function misfit(from: FieldFacts, to: FieldFacts): { value: unknown } | undefined {
  if (!isPart(from.schema)) return undefined;
  const [fitsFrom, fitsTo] = [createFits(from.$defs), createFits(to.$defs)];
  const whole = { ...from.schema, $defs: from.$defs };
  const limits = limitsOf([whole, isPart(to.schema) ? { ...to.schema, $defs: to.$defs } : {}]);
  let left = TRIED_MAX;
  for (const value of variationsOf(whole, { limits, names: new Set() })) {
    if (fitsFrom(from.schema, value) && !fitsTo(to.schema, value)) return { value };
    left -= 1;
    if (left === 0) return undefined;
  }
  return undefined;
}

/** The newer texts of an `enum` that the older one lacks, where that is all that differs. */
function misfitTexts(older: FieldFacts, newer: FieldFacts): string[] | null {
  const [before, after] = [textsOf(older), textsOf(newer)];
  if (before === null || after === null) return null;
  const added = after.filter((text) => !before.includes(text));
  return added.length > 0 ? added : null;
}

function textsOf({ schema, $defs }: FieldFacts): string[] | null {
  const stated = statementsIn(schema, $defs).flatMap((part: Part) =>
    Array.isArray(part.enum) ? [part.enum] : [],
  );
  const [values] = stated;
  return stated.length === 1 && values?.every((value) => typeof value === 'string') ? values : null;
}
