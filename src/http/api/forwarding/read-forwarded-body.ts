import { type Body, isJsonType } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { decodeUtf8, unsupportedType } from '../../app/read-body.ts';
import type { ApiRequest } from '../read-request.ts';
import { jsonProblem } from './json-problem.ts';
import { readMultipart, readUrlEncoded } from './read-fields.ts';
import { requireUtf8 } from './require-utf8.ts';

export interface SentBody {
  bytes: Buffer;
  mediaType: string;
  /** As the header has it, with its parameters. */
  contentType: string;
  /** True for the type that changes are about: `value` is what the schema checks. */
  isMain: boolean;
  value: unknown;
}

/** The body of a request, in one of the types that the contract names. Forms and uploads are checked and stay as they are. */
export async function readForwardedBody(body: Body, request: ApiRequest): Promise<SentBody | null> {
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  if (bytes.length === 0) {
    if (body.optional) return null;
    throw new ApiError('invalid_request', { detail: `The body is empty, and ${body.mediaType} is needed.` });
  }
  const contentType = request.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const taken = [body.mediaType, ...(body.others ?? []).map((other) => other.mediaType)];
  if (!taken.includes(mediaType)) throw unsupportedType(taken.join(' or '));
  requireUtf8(contentType);
  const isMain = mediaType === body.mediaType;
  return { bytes, mediaType, contentType, isMain, value: await readValue(bytes, mediaType, contentType) };
}

async function readValue(bytes: Buffer, mediaType: string, contentType: string): Promise<unknown> {
  if (isJsonType(mediaType)) return parseJson(bytes);
  if (mediaType === 'application/x-www-form-urlencoded') return readUrlEncoded(bytes);
  if (mediaType === 'multipart/form-data') return readMultipart(bytes, contentType);
  return undefined;
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
