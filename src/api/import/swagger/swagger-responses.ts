import { isPart, type Part } from '../../document/parts.ts';
import { belowPlace } from '../document-tree.ts';
import type { SourcePlace } from '../import-notes.ts';
import { headerOf } from './swagger-parameters.ts';
import type { SwaggerReader } from './swagger-reader.ts';
import { schemaOf } from './swagger-schemas.ts';

/** An answer, with its schema and its examples by media type. */
export function responseOf(reader: SwaggerReader, place: SourcePlace, produces: readonly string[]): unknown {
  const value = reader.tree.valueAt(place);
  if (!isPart(value)) return value;
  const { schema, examples, headers, ...others } = value;
  const content = contentOf(reader, place, produces);
  return reader.made(
    {
      ...others,
      ...(isPart(headers) ? { headers: headersOf(reader, headers, belowPlace(place, 'headers')) } : {}),
      ...(content === null ? {} : { content }),
    },
    place,
  );
}

function headersOf(reader: SwaggerReader, headers: Part, place: SourcePlace): Part {
  const made = Object.entries(headers).map(([name, header]) => [
    name,
    isPart(header) ? headerOf(reader, { part: header, place: belowPlace(place, name) }) : header,
  ]);
  return Object.fromEntries(made);
}

function contentOf(reader: SwaggerReader, place: SourcePlace, produces: readonly string[]): Part | null {
  const value = reader.tree.valueAt(place);
  const { schema, examples } = isPart(value) ? value : { schema: undefined, examples: undefined };
  const stated = isPart(examples) ? examples : {};
  if (schema === undefined && Object.keys(stated).length === 0) return null;
  const types = isPart(schema) && schema.type === 'file' ? fileTypes(produces) : produces;
  const content = [...new Set([...types, ...Object.keys(stated).filter(isTypeName)])].map((type) => [
    type,
    mediaTypeOf(reader, { type, place, example: stated[type], hasSchema: schema !== undefined }),
  ]);
  noteExamples(reader, stated, place);
  return Object.fromEntries(content);
}

interface StatedType {
  type: string;
  place: SourcePlace;
  example: unknown;
  hasSchema: boolean;
}

function mediaTypeOf(reader: SwaggerReader, { place, example, hasSchema }: StatedType): Part {
  const schema = hasSchema ? { schema: schemaOf(reader, belowPlace(place, 'schema')) } : {};
  return reader.made({ ...schema, ...(example === undefined ? {} : { example }) }, place);
}

const fileTypes = (produces: readonly string[]): readonly string[] =>
  produces.join() === 'application/json' ? ['application/octet-stream'] : produces;

const isTypeName = (name: string): boolean => /^[^/\s]+\/[^/\s]+/.test(name);

function noteExamples(reader: SwaggerReader, stated: Part, place: SourcePlace): void {
  for (const name of Object.keys(stated))
    if (!isTypeName(name))
      reader.notes.add(
        'left out',
        belowPlace(place, 'examples', name),
        'examples of answers are named by media types',
      );
}
