import { isJsonType, type Json, type JsonSchema, TextShape, type ValueStyles } from '@dateline/versions';
import { ApiError } from '../../../../errors/api-error.ts';
import { hasTooManyPairs, PAIRS_MAX } from '../../../../kernel/url.ts';
import { decodeUtf8 } from '../../../app/read-body.ts';
import { boundaryIn, unreadableForm } from './boundary-in.ts';
import { decodeText, pairsIn } from './pairs-in.ts';
import { createPairReader } from './read-pairs.ts';
import { requireUtf8 } from './require-utf8.ts';

/** Reads forms of one kind into the values that their schema checks. */
export type FormReader = (bytes: Buffer, contentType: string) => Promise<Json>;

/** How many fields there are is known before any of them is read. */
export function createUrlEncodedReader(rules: FormRules): FormReader {
  const read = createPairReader({ ...rules, isForm: true, decode: decodeText });
  return async (bytes) => {
    const text = decodeUtf8(bytes);
    if (hasTooManyPairs(text)) throw tooMany();
    return read(pairsIn(text, 'body')).values;
  };
}

/** The same for a form with files; of a file, that it is there. */
export function createMultipartReader(rules: FormRules): FormReader {
  const read = createPairReader({ ...rules, isForm: true, decode: (text) => text });
  const isJson = jsonFields(rules);
  return async (bytes, contentType) => {
    checkParts(bytes, boundaryIn(contentType));
    const fields = await formIn(bytes, contentType);
    const pairs = fields.map(async ([name, sent]) => {
      const raw = typeof sent === 'string' ? sent : isJson(name) ? await sent.text() : '';
      return { name, raw, text: raw };
    });
    return read(await Promise.all(pairs)).values;
  };
}

export interface FormRules {
  schema: JsonSchema;
  styles?: ValueStyles | undefined;
}

/** A script sends an object as a file without a name of its own: those are looked into. */
function jsonFields({ schema, styles = {} }: FormRules): (name: string) => boolean {
  const shape = TextShape.of(schema);
  return (name) => {
    const style = Object.hasOwn(styles, name) ? styles[name] : undefined;
    if (style && 'mediaType' in style) return isJsonType(style.mediaType);
    const { items } = shape.property(name);
    return [shape.property(name), items].some((part) => part.takes('object') && !part.takes('string'));
  };
}

async function formIn(bytes: Buffer, contentType: string): Promise<[string, string | Blob][]> {
  try {
    const headers = { 'content-type': contentType };
    return [...(await new Response(new Uint8Array(bytes), { headers }).formData())];
  } catch {
    throw unreadableForm();
  }
}

/** The header of a part names it; seldom is there more than a second line. */
const HEADER_LINES_MAX = 4 * PAIRS_MAX;

/** Refuses more parts than a form has fields, more header lines than these need, and other charsets. The body is looked through once. */
function checkParts(bytes: Buffer, boundary: string): void {
  let parts = 0;
  let lines = 0;
  let at = bytes.indexOf(`--${boundary}`);
  while (at >= 0) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    const head = bytes.toString('latin1', at, headEnd < 0 ? bytes.length : headEnd);
    parts += 1;
    lines += head.split('\r\n', HEADER_LINES_MAX + 1).length - 1;
    if (parts > PAIRS_MAX + 1 || lines > HEADER_LINES_MAX) throw tooMany();
    for (const type of typesIn(head)) requireUtf8(type);
    at = headEnd < 0 ? -1 : bytes.indexOf(`\r\n--${boundary}`, headEnd);
  }
}

/** A line that begins with a space goes on with the one before (RFC 5322 §2.2.3). */
function typesIn(head: string): string[] {
  const lines = head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n');
  return lines.filter((line) => /^content-type\s*:/i.test(line));
}

function tooMany(): ApiError {
  return new ApiError('invalid_request', { detail: `There are more than ${PAIRS_MAX} fields.` });
}
