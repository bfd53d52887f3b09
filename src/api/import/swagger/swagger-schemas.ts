import { heldBy } from '@dateline/versions';
import { isPart, type Part } from '../../document/parts.ts';
import { belowPlace } from '../document-tree.ts';
import type { SourcePlace } from '../import-notes.ts';
import type { SwaggerReader } from './swagger-reader.ts';

/** A schema of Swagger 2.0 in the keywords of OpenAPI 3.0, in the order that they had. */
export function schemaOf(reader: SwaggerReader, place: SourcePlace): unknown {
  const value = reader.tree.valueAt(place);
  if (!isPart(value)) return value;
  const held = new Map(
    heldBy('schema', value).map(({ keys }) => [
      keys.join('\n'),
      schemaOf(reader, belowPlace(place, ...keys)),
    ]),
  );
  const members = Object.entries(value).map(
    ([keyword, one]) => [keyword, withHeld(keyword, one, held)] as const,
  );
  return inWordsOf3(reader, Object.fromEntries(members), place);
}

/** The member of a schema, with the schemas in it as they were made. */
function withHeld(keyword: string, value: unknown, held: ReadonlyMap<string, unknown>): unknown {
  if (held.has(keyword)) return held.get(keyword);
  const inside = (key: string | number, item: unknown): unknown => held.get(`${keyword}\n${key}`) ?? item;
  if (Array.isArray(value)) return value.map((item, index) => inside(index, item));
  if (!isPart(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inside(key, item)]));
}

function inWordsOf3(reader: SwaggerReader, schema: Part, place: SourcePlace): Part {
  const entries = Object.entries(schema).map(([keyword, value]) =>
    keywordOf3(reader, schema, { keyword, value, place }),
  );
  const isFile = schema.type === 'file';
  return reader.made({ ...Object.fromEntries(entries), ...(isFile ? { format: 'binary' } : {}) }, place);
}

interface Keyword {
  keyword: string;
  value: unknown;
  place: SourcePlace;
}

function keywordOf3(
  reader: SwaggerReader,
  schema: Part,
  { keyword, value, place }: Keyword,
): [string, unknown] {
  const note = (reason: string): void => reader.notes.add('changed', belowPlace(place, keyword), reason);
  if (keyword === '$ref' && typeof value === 'string') return [keyword, reader.schemaReference(value, place)];
  if (keyword === 'type' && value === 'file') {
    note('OpenAPI 3 calls a file a string of the format binary');
    return [keyword, 'string'];
  }
  if (keyword === 'discriminator' && typeof value === 'string') {
    note('OpenAPI 3 names the property of a discriminator in an object');
    return [keyword, { propertyName: value }];
  }
  if (keyword === 'x-nullable' && typeof value === 'boolean' && schema.nullable === undefined) {
    note('it is null among the types');
    return ['nullable', value];
  }
  return [keyword, value];
}
