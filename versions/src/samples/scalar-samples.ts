import type { JsonSchema } from '../contract/contract.ts';

const LENGTH_MAX = 10_000;

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T12:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  'idn-email': 'name@example.com',
  hostname: 'www.example.com',
  'idn-hostname': 'www.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://www.example.com/',
  url: 'https://www.example.com/',
  iri: 'https://www.example.com/',
  'uri-reference': '/here',
  'iri-reference': '/here',
  'uri-template': '/here/{id}',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/here',
  'relative-json-pointer': '0',
  regex: '^.*$',
};

/** Values of a type that may fit a schema, the likeliest first. */
export function scalarSamples(type: string, schema: JsonSchema): unknown[] {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(schema, type);
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    default:
      return [];
  }
}

function texts({ format, minLength, maxLength }: JsonSchema): string[] {
  const fewest = Math.min(Number(minLength ?? 0), LENGTH_MAX);
  const text = 'text'.padEnd(fewest, 'x').slice(0, Number(maxLength ?? LENGTH_MAX));
  return [...formatSamples(format), text];
}

/** Texts of a format; none where nothing is known of it. */
export function formatSamples(format: unknown): string[] {
  const known = typeof format === 'string' && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  return known === undefined ? [] : [known];
}

function numbers(schema: JsonSchema, type: 'integer' | 'number'): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const step = Number(schema.multipleOf ?? 1);
  const bounds = [minimum, exclusiveMinimum, exclusiveMaximum, maximum].filter(
    (bound) => bound !== undefined,
  );
  const near = bounds.map(Number).flatMap((bound) => {
    const multiple = Math.ceil(bound / step) * step;
    return [multiple, multiple + step, multiple - step, bound, ...midpoints(bounds.map(Number), type)];
  });
  return [1, step, 0, ...near];
}

/** Between two bounds there may be no whole number. */
function midpoints(bounds: readonly number[], type: 'integer' | 'number'): number[] {
  return type === 'number' ? [(Math.min(...bounds) + Math.max(...bounds)) / 2] : [];
}
