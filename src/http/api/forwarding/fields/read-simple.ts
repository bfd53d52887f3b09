import { isJsonType, type Json, type JsonSchema, TextShape, type ValueStyles } from '@dateline/versions';
import { readDelimited } from './read-delimited.ts';
import { jsonOf } from './read-text.ts';

/** Reads parameters of the path and of the headers: each is one text, with commas between the items of a list. */
export function createSimpleReader(
  schema: JsonSchema | null,
  styles: ValueStyles = {},
): (sent: Readonly<Record<string, string>>) => Json {
  if (schema === null) return () => NOTHING;
  // Made when they are first needed: an API may have thousands of them.
  let readers: [string, (text: string) => unknown][] | undefined;
  return (sent) => {
    readers ??= readersOf(TextShape.of(schema), styles);
    const values: Record<string, unknown> = {};
    for (const [name, read] of readers) {
      const text = sent[name];
      if (text !== undefined) values[name] = read(text);
    }
    return values;
  };
}

const NOTHING: Json = {};

/** Spaces are looked through once, also where no comma follows. */
const COMMA = /(?:(?<!\s)\s+)?,\s*/;

function readersOf(whole: TextShape, styles: ValueStyles): [string, (text: string) => unknown][] {
  return whole.names.map((name) => [name, readerOf(whole.property(name), styles[name])]);
}

function readerOf(shape: TextShape, style: ValueStyles[string] | undefined): (text: string) => unknown {
  if (style && 'mediaType' in style)
    return (text) => (isJsonType(style.mediaType) ? (jsonOf(text) ?? text) : text);
  const explode = style?.explode === true;
  return (raw) => readDelimited({ shape, raw, delimiter: COMMA, explode, decode: (text) => text });
}
