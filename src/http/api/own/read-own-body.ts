import { type Body, isJsonType } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { decodeUtf8, unsupportedType } from '../../app/read-body.ts';
import type { ApiRequest } from '../read-request.ts';

export interface SentBody {
  bytes: Buffer;
  mediaType: string;
  /** As the header has it, with its parameters. */
  contentType: string;
  /** Whether it is the type that changes are about, and `value` is what the schema checks. */
  isMain: boolean;
  value: unknown;
}

/** The body of a request, in one of the types that the contract names. Forms and uploads are checked and stay as they are. */
export async function readOwnBody(body: Body, request: ApiRequest): Promise<SentBody | null> {
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  if (bytes.length === 0) {
    if (body.optional) return null;
    throw new ApiError('invalid_request', { detail: `The body is empty, and ${body.mediaType} is needed.` });
  }
  const contentType = request.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const taken = [body.mediaType, ...(body.others ?? []).map((other) => other.mediaType)];
  if (!taken.includes(mediaType)) throw unsupportedType(taken.join(' or '));
  const isMain = mediaType === body.mediaType;
  return { bytes, mediaType, contentType, isMain, value: await readValue(bytes, mediaType, contentType) };
}

async function readValue(bytes: Buffer, mediaType: string, contentType: string): Promise<unknown> {
  if (isJsonType(mediaType)) return parseJson(bytes);
  if (mediaType === 'application/x-www-form-urlencoded' || mediaType === 'multipart/form-data')
    return readFields(bytes, contentType);
  return undefined;
}

function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text, refusePrototypes);
  } catch {
    throw new ApiError('invalid_request', { detail: 'The body is no JSON that is taken here.' });
  }
}

/** A key that another program might take for a prototype reaches no upstream. */
function refusePrototypes(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__');
  return value;
}

/** The fields of a form by name; of a file, that it is there. */
async function readFields(bytes: Buffer, contentType: string): Promise<Record<string, unknown>> {
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
    const names = [...new Set(form.keys())];
    return Object.fromEntries(names.map((name) => [name, one(form.getAll(name).map(fieldValue))]));
  } catch {
    throw new ApiError('invalid_request', { detail: 'The body is no form that can be read.' });
  }
}

const fieldValue = (value: unknown): string => (typeof value === 'string' ? value : '');
const one = (values: readonly string[]): unknown => (values.length === 1 ? values[0] : values);
