import { ApiError } from '../../../errors/api-error.ts';
import { hasTooManyPairs, PAIRS_MAX } from '../../../kernel/url.ts';
import { decodeUtf8 } from '../../app/read-body.ts';
import { requireUtf8 } from './require-utf8.ts';

/** The fields of a form by name. How many there are is known before any of them is read. */
export function readUrlEncoded(bytes: Buffer): Record<string, unknown> {
  const text = decodeUtf8(bytes);
  if (hasTooManyPairs(text)) throw tooMany();
  requireUtf8Escapes(text);
  return grouped(new URLSearchParams(text));
}

/** The same for a form with files; of a file, that it is there. */
export async function readMultipart(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  checkParts(bytes, boundaryIn(contentType));
  try {
    const headers = { 'content-type': contentType };
    return grouped(await new Response(new Uint8Array(bytes), { headers }).formData());
  } catch {
    throw unreadable();
  }
}

function grouped(pairs: Iterable<[string, unknown]>): Record<string, unknown> {
  const fields = new Map<string, string[]>();
  for (const [name, sent] of pairs) {
    const value = typeof sent === 'string' ? sent : '';
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** A percent sign that begins no escape is taken as it is. */
function requireUtf8Escapes(text: string): void {
  try {
    decodeURIComponent(text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, ''));
  } catch {
    throw new ApiError('invalid_request', { detail: 'The body has a percent-encoding that is not UTF-8.' });
  }
}

function boundaryIn(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (!boundary) throw unreadable();
  return boundary;
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

function unreadable(): ApiError {
  return new ApiError('invalid_request', { detail: 'The body is no form that can be read.' });
}
