import { isPart, type Part } from '../openapi/plain-data.ts';
import { definitionIn } from './schema-definitions.ts';
import { typesOf } from './schema-types.ts';
import { createFits } from './validator.ts';

const ALL_TYPES = 7;

/**
 * What a schema says about values that are written as text: which types they may be read as, and what is in lists and objects. It
 * is found out when it is first asked for, so that a schema may contain itself.
 */
export class TextShape {
  readonly #schema: unknown;
  readonly #context: Context;
  readonly #properties = new Map<string, TextShape>();
  #statements: readonly Part[] | undefined;
  #types: ReadonlySet<string> | undefined;
  #items: TextShape | undefined;
  #others: TextShape | null | undefined;

  private constructor(schema: unknown, context: Context) {
    this.#schema = schema;
    this.#context = context;
  }

  static of(schema: Part): TextShape {
    const { $defs: definitions } = schema;
    return new TextShape(schema, { definitions, fits: createFits(definitions) });
  }

  get types(): ReadonlySet<string> {
    const { definitions } = this.#context;
    this.#types ??= typesOf(isPart(this.#schema) ? { ...this.#schema, $defs: definitions } : this.#schema);
    return this.#types;
  }

  /** True where any value will do: then text is text. */
  get isAny(): boolean {
    return this.types.size === ALL_TYPES;
  }

  takes(...types: readonly string[]): boolean {
    return types.some((type) => this.types.has(type));
  }

  fits(value: unknown): boolean {
    return this.#context.fits(this.#schema, value);
  }

  /** Of the items of a list. */
  get items(): TextShape {
    this.#items ??= this.#among(
      this.#said().flatMap(({ items, prefixItems }) => [items, prefixItems].flat().filter(isSchema)),
    );
    return this.#items;
  }

  /** The properties of an object that have a name. */
  get names(): string[] {
    return [...new Set(this.#said().flatMap(({ properties }) => Object.keys(partOf(properties))))];
  }

  property(name: string): TextShape {
    const known = this.#properties.get(name);
    if (known) return known;
    const stated = this.#said().flatMap(({ properties }) => valueIn(properties, name));
    if (stated.length === 0) return this.others ?? this.#among([]);
    const shape = this.#among(stated);
    this.#properties.set(name, shape);
    return shape;
  }

  /** Of properties that have no name in the schema; null where it does not speak of them. */
  get others(): TextShape | null {
    if (this.#others !== undefined) return this.#others;
    const stated = this.#said().flatMap(({ additionalProperties, patternProperties }) =>
      [additionalProperties, ...Object.values(partOf(patternProperties))].filter(isSchema),
    );
    this.#others = stated.length === 0 ? null : this.#among(stated);
    return this.#others;
  }

  /** Any of them is enough: whether the value keeps all of them is for the schema to check. */
  #among(schemas: readonly unknown[]): TextShape {
    const [first = true, ...more] = schemas;
    return new TextShape(more.length === 0 ? first : { anyOf: schemas }, this.#context);
  }

  #said(): readonly Part[] {
    this.#statements ??= statementsIn(this.#schema, this.#context.definitions);
    return this.#statements;
  }
}

interface Context {
  definitions: unknown;
  fits(schema: unknown, value: unknown): boolean;
}

const isSchema = (value: unknown): boolean => isPart(value) || value === true;
const partOf = (value: unknown): Part => (isPart(value) ? value : {});

function valueIn(properties: unknown, name: string): unknown[] {
  return isPart(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
}

/** Everything that a schema says about one and the same value, also by reference and as one of several choices. */
export function statementsIn(schema: unknown, definitions: unknown): readonly Part[] {
  const found = new Set<Part>();
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isPart(next) || found.has(next)) continue;
    found.add(next);
    const { $ref, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = next;
    if (typeof $ref === 'string') waiting.push(definitionIn(definitions, $ref));
    const inside = [allOf, anyOf, oneOf, then, otherwise].flat();
    waiting.push(...[...inside, ...Object.values(partOf(dependentSchemas))].filter(isPart));
  }
  return [...found];
}
