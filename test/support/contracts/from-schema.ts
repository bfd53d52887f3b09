import fc, { type Arbitrary } from 'fast-check';

type Schema = Readonly<Record<string, unknown>>;

/** Values that a JSON Schema allows, for the subset of it that our contracts use. */
export function fromSchema(schema: Schema): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Schema[]).map(fromSchema));
  switch (schema.type) {
    case 'object':
      return fromObject(schema);
    case 'array':
      return fc.array(fromSchema(schema.items as Schema), lengths(schema.minItems, schema.maxItems, 4));
    case 'string':
      return fromString(schema);
    case 'integer':
      return fc.integer({
        min: Number(schema.minimum ?? 0),
        max: Math.min(Number(schema.maximum ?? 1e9), 2 ** 31),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`);
  }
}

function fromObject(schema: Schema): Arbitrary<unknown> {
  const {
    properties = {},
    required = [],
    dependentRequired,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    dependentRequired?: Record<string, string[]>;
  };
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, fromSchema(part)]),
  );
  const own = fc.record(known, { requiredKeys: required });
  const whole = dependentRequired
    ? own.filter((value) => keepsTogether(value as Schema, dependentRequired))
    : own;
  if (typeof schema.additionalProperties !== 'object' && schema.patternProperties === undefined) return whole;
  const [fromPattern] = Object.values((schema.patternProperties ?? {}) as Record<string, Schema>);
  const value = (fromPattern ?? schema.additionalProperties) as Schema;
  const max = Math.min(Number(schema.maxProperties ?? 60), 60);
  return fc.dictionary(
    fromSchema((schema.propertyNames ?? { type: 'string', minLength: 1 }) as Schema) as Arbitrary<string>,
    fromSchema(value),
    {
      maxKeys: max,
      noNullPrototype: true,
    },
  );
}

function keepsTogether(value: Schema, together: Record<string, string[]>): boolean {
  return Object.entries(together).every(
    ([name, others]) => !(name in value) || others.every((other) => other in value),
  );
}

function fromString({ format, pattern, minLength, maxLength }: Schema): Arbitrary<string> {
  if (format === 'date-time') {
    const instants = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    return instants.map((date) => date.toISOString());
  }
  if (pattern === '^[a-z]{3}$') return fc.stringMatching(/^[a-z]{3}$/);
  return fc.string(lengths(minLength, maxLength, 12)).map((text) => text.padEnd(Number(minLength ?? 0), 'x'));
}

function lengths(least: unknown, most: unknown, usual: number) {
  const minLength = Number(least ?? 0);
  return { minLength, maxLength: Math.max(minLength, Math.min(Number(most ?? usual), usual)) };
}
