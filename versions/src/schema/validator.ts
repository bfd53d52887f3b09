import { Check, Compile, ErrorContext, ErrorSchema, Stack } from 'typebox/schema';
import { Locale } from 'typebox/system';
import type { Body, JsonSchema, Operation } from '../contract/contract.ts';
import { isPart } from '../openapi/plain-data.ts';
import { type Links, linkedSchema, type Refinement } from './linked-schema.ts';
import { definitionIn, reachedIn, referencesIn } from './schema-definitions.ts';

/** Answers with what is wrong with a value; empty when nothing is. */
export type Validate = (value: unknown) => readonly ValidationFinding[];

export interface ValidationFinding {
  keyword: string;
  /** Where in the schema, as a JSON pointer after `#`. */
  schemaPath: string;
  /** Where in the value, as a JSON pointer. */
  instancePath: string;
  params: object;
  message: string;
}

/** Checks values against a schema, which is compiled once it is needed often. Without a schema, every value passes. */
export function validator(schema: JsonSchema | null): Validate {
  if (schema === null) return () => [];
  const checked = new CheckedSchema(schema, linksInto(schema.$defs));
  return (value) => {
    checks += 1;
    return checked.check(value) ? [] : checked.findings(value);
  };
}

/** A check of values against schemas that are asked for a few times: they are not compiled, but for their definitions. */
export function createFits(definitions: unknown): (schema: unknown, value: unknown) => boolean {
  const links = linksInto(definitions);
  return (schema, value) => {
    if (!isPart(schema)) return schema === true;
    const linked = links.linked.get(schema) ?? linkedSchema(schema, links);
    links.linked.set(schema, linked);
    checks += 1;
    return Check(linked, value);
  };
}

/** The same for one value, which is not worth compiling a schema for. */
export function fits({ $defs: definitions, ...schema }: JsonSchema, value: unknown): boolean {
  return createFits(definitions)(schema, value);
}

/** Compiling a schema takes as long as looking through it for a few values, and in a large API most are asked about fewer. */
const LOOKS_BEFORE_COMPILING = 3;

/** The number of checks that were begun: what was found out in one of them counts for that one alone, since values may be edited. */
let checks = 0;

/**
 * The check of a definition that contains itself. Each alternative of a choice asks about the same members again: without what is known
 * about them, that would be twice as often at each level.
 */
class RecurringCheck implements Refinement {
  readonly #checked: CheckedSchema;
  #known = new Map<unknown, boolean>();
  #of = 0;

  constructor(checked: CheckedSchema) {
    this.#checked = checked;
  }

  check(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return this.#checked.check(value);
    if (this.#of !== checks) {
      this.#known = new Map();
      this.#of = checks;
    }
    const known = this.#known.get(value) ?? this.#checked.check(value);
    this.#known.set(value, known);
    return known;
  }

  error(value: unknown): unknown {
    return this.#checked.error(value);
  }
}

/** A schema, compiled when it is needed often. As a definition, it is one for all schemas that share it. */
class CheckedSchema implements Refinement {
  readonly #schema: JsonSchema;
  readonly #links: Links;
  #linked: JsonSchema | undefined;
  #looks = 0;
  #isValid: ((value: unknown) => boolean) | undefined;

  constructor(schema: JsonSchema, links: Links) {
    this.#schema = schema;
    this.#links = links;
  }

  check(value: unknown): boolean {
    if (this.#looks < LOOKS_BEFORE_COMPILING) {
      this.#looks += 1;
      return Check(this.#link(), value);
    }
    this.#isValid ??= this.#compile();
    return this.#isValid(value);
  }

  error(value: unknown): unknown {
    return new Broken(this, value);
  }

  /** At most so many. A definition that is not looked into any more would only add to them. */
  findings(value: unknown, most = FINDINGS_MAX): ValidationFinding[] {
    const inWords = Locale.Get();
    const findings: ValidationFinding[] = [];
    for (const error of this.#errors(value)) {
      const left = most - findings.length;
      if (left <= 0) break;
      const broken: unknown = 'message' in error.params ? error.params.message : undefined;
      if (broken instanceof Broken) findings.push(...broken.findings(error, left));
      else findings.push({ ...error, message: inWords(error) });
    }
    return findings;
  }

  #errors(value: unknown): ReturnType<ErrorContext['GetErrors']> {
    const context = new FirstFindings();
    const linked = this.#link();
    try {
      ErrorSchema(Stack({}, linked), context, '#', '', linked, value);
    } catch (error) {
      if (error !== ENOUGH) throw error;
    }
    return context.GetErrors();
  }

  #link(): JsonSchema {
    this.#linked ??= linkedSchema(this.#schema, this.#links);
    return this.#linked;
  }

  #compile(): (value: unknown) => boolean {
    const compiled = Compile(this.#link());
    return (value) => compiled.Check(value);
  }
}

/** A value that a definition refuses: looked into when all that refuse it are known. */
class Broken {
  readonly #definition: CheckedSchema;
  readonly #value: unknown;

  constructor(definition: CheckedSchema, value: unknown) {
    this.#definition = definition;
    this.#value = value;
  }

  findings(at: Pick<ValidationFinding, 'instancePath' | 'schemaPath'>, most: number): ValidationFinding[] {
    return this.#definition.findings(this.#value, most).map((finding) => ({
      ...finding,
      instancePath: at.instancePath + finding.instancePath,
      schemaPath: at.schemaPath + finding.schemaPath.slice('#'.length),
    }));
  }
}

const tables = new WeakMap<object, Links>();

/** The checks of definitions, which all schemas that have them share. */
function linksInto(definitions: unknown): Links {
  if (!isPart(definitions)) return WITHOUT_DEFINITIONS;
  const links = tables.get(definitions) ?? createLinks(definitions);
  tables.set(definitions, links);
  return links;
}

function createLinks(definitions: Readonly<Record<string, unknown>>): Links {
  const checked = new Map<string, Refinement>();
  const links: Links = {
    definitions,
    linked: new WeakMap(),
    link(reference) {
      const found = checked.get(reference);
      if (found) return found;
      const definition = definitionIn(definitions, reference);
      const schema = isPart(definition) ? definition : definition === true ? {} : { not: {} };
      const own = new CheckedSchema(schema, links);
      const reached = reachedIn(definitions);
      const recurs = referencesIn(schema).some((to) => reached(to).has(reference));
      const made = recurs ? new RecurringCheck(own) : own;
      checked.set(reference, made);
      return made;
    },
    alone: (schema) => new CheckedSchema(schema, links),
  };
  return links;
}

const NOTHING: Refinement = { check: () => false, error: () => 'refers to nothing' };
const WITHOUT_DEFINITIONS: Links = {
  definitions: undefined,
  linked: new WeakMap(),
  link: () => NOTHING,
  alone: (schema) => new CheckedSchema(schema, WITHOUT_DEFINITIONS),
};

/** Nobody mends more of them at once, and a body may have one for every few of its bytes. */
const FINDINGS_MAX = 20;
const ENOUGH = Symbol('enough findings');

/** Looks no further when there are enough, unlike the library's own, which goes on through the whole value. */
class FirstFindings extends ErrorContext {
  override AtCapacity(): boolean {
    if (this.GetErrors().length >= FINDINGS_MAX) throw ENOUGH;
    return false;
  }
}

/** Checks of a body by its media types, for bodies that may have several. */
export function bodyValidators(body: Body | null): ReadonlyMap<string, Validate> {
  const others = body?.others ?? [];
  const all = body === null ? [] : [body, ...others];
  return new Map(all.map(({ mediaType, schema }) => [mediaType, validator(schema)]));
}

/** Checks of an operation's successful answers, by status. */
export function responseValidators({ responses }: Operation): Readonly<Record<number, Validate>> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, body]) => [status, validator(body?.schema ?? null)]),
  );
}
