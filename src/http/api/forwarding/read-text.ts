import type { Json, JsonSchema } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { isObject } from './json-in.ts';

/**
 * Reads parameters, which are text, as what their schemas take. What does not look like a number stays text, and the schema
 * refuses it. Parameters that the contract does not know are left out.
 */
export function createTextReader(schema: JsonSchema | null): (sent: Json) => Json {
  const known = Object.entries<JsonSchema>({ ...(schema?.properties ?? {}) });
  const readers = known.map(([name, part]) => [name, readerOf(part)] as const);
  if (readers.length === 0) return () => NOTHING;
  return (sent) =>
    Object.fromEntries(
      readers
        .filter(([name]) => sent[name] !== undefined)
        .map(([name, read]) => [name, read(name, sent[name])]),
    );
}

const NOTHING: Json = {};

type ReadText = (name: string, sent: unknown) => unknown;

function readerOf(schema: JsonSchema): ReadText {
  if (typesOf(schema).includes('array')) {
    const readItem = readerOf(isObject(schema.items) ? schema.items : {});
    return (name, sent) => (Array.isArray(sent) ? sent : [sent]).map((item) => readItem(name, item));
  }
  const read = scalarReader(typesOf(schema));
  return (name, sent) => {
    if (typeof sent !== 'string')
      throw new ApiError('validation_failed', { detail: `${name} is given more than once.` });
    return read(sent);
  };
}

/** The types that a schema allows, also by its alternatives. */
function typesOf(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { type = [], anyOf = [], oneOf = [], allOf = [] } = schema;
  return [...[type].flat().map(String), ...[anyOf, oneOf, allOf].flat().flatMap(typesOf)];
}

function scalarReader(types: readonly string[]): (text: string) => unknown {
  const isNumeric = types.includes('integer') || types.includes('number');
  return (text) => {
    if (isNumeric && /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text)) return Number(text);
    if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
    return text;
  };
}
