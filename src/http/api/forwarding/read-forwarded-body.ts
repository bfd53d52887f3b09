import type { Readable } from 'node:stream';
import { type Body, isJsonType, type Json, type OtherBody } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { jsonProblem } from '../../../kernel/json-problem.ts';
import { decodeUtf8, unsupportedType } from '../../app/read-body.ts';
import { createMultipartReader, createUrlEncodedReader } from './fields/read-form.ts';
import { requireUtf8 } from './fields/require-utf8.ts';
import { isObject } from './json-in.ts';

export interface SentBody {
  bytes: Buffer;
  mediaType: string;
  /** As the header has it, with its parameters. */
  contentType: string;
  /** True for the type that changes are about: `value` is what the schema checks. */
  isMain: boolean;
  value: unknown;
  /** An upload, in the place of its bytes. */
  stream?: Readable;
}

export type BodyReader = (sent: SentBytes) => Promise<SentBody | null>;

export interface SentBytes {
  bytes: Buffer;
  contentType: string;
  stream?: Readable | null;
}

/** Reads the bodies of one operation, in one of the types that its contract names. Forms and uploads are checked and stay as they are. */
export function createBodyReader(body: Body, parse = parseJson): BodyReader {
  const types = [body, ...(body.others ?? [])];
  const taken = types.map((type) => [type.mediaType, valueReaderOf(type, parse)] as const);
  const readers = new Map(taken);
  return async ({ bytes, contentType, stream }) => {
    if (bytes.length === 0 && !stream) {
      if (body.optional) return null;
      throw new ApiError('invalid_request', {
        detail: `The body is empty, and ${body.mediaType} is needed.`,
      });
    }
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const read = readers.get(mediaType);
    if (!read) throw unsupportedType([...readers.keys()].join(' or '));
    requireUtf8(contentType);
    const isMain = mediaType === body.mediaType;
    if (stream) return { bytes, mediaType, contentType, isMain, value: undefined, stream };
    return { bytes, mediaType, contentType, isMain, value: await read(bytes, contentType) };
  };
}

type ValueReader = (bytes: Buffer, contentType: string) => Promise<unknown>;

function valueReaderOf(
  { mediaType, schema, fields: styles }: OtherBody,
  parse: (bytes: Buffer) => unknown,
): ValueReader {
  if (isJsonType(mediaType)) return async (bytes) => parse(bytes);
  const rules = { schema: schema ?? {}, styles };
  if (mediaType === 'application/x-www-form-urlencoded') return createUrlEncodedReader(rules);
  if (mediaType === 'multipart/form-data') return createMultipartReader(rules);
  return async () => undefined;
}

/** JSON that was read before, or that we have written: nothing is named twice in it. */
export function parseKnownJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString());
}

function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  const value = valueIn(text);
  const problem = jsonProblem(text);
  if (problem !== null) throw new ApiError('invalid_request', { detail: `The body is refused: ${problem}.` });
  return value;
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('invalid_request', { detail: 'The body is no JSON that is taken here.' });
  }
}

/** The values of a form; nothing of another body. Each its own: handlers may edit it. */
export function formIn(sent: SentBody | null): Json {
  return sent !== null && !isJsonType(sent.mediaType) && isObject(sent.value) ? sent.value : {};
}
