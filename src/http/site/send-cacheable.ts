import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256Hex } from '../../kernel/digest.ts';
import { addVary, preferred } from './negotiation.ts';

export interface Cacheable {
  contentType: string;
  text: string;
  /** Cache lifetime; by default every use is revalidated. */
  maxAgeSeconds?: number;
  /** True if the text is long enough to be worth compressing. */
  isCompressed?: boolean;
}

/** With an ETag of its contents: a client that has them already gets a 304 (RFC 9110 §13.1.2). */
export async function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, text, maxAgeSeconds, isCompressed = false }: Cacheable,
): Promise<FastifyReply> {
  const encoding = isCompressed ? encodingFor(request, reply) : 'identity';
  const hash = sha256Hex(text).slice(0, 32);
  const tag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;
  const cached = maxAgeSeconds === undefined ? 'no-cache' : `public, max-age=${maxAgeSeconds}`;
  reply.header('etag', tag).header('cache-control', cached);
  if (isKnown(request, tag)) return reply.status(304).send();
  return sendEncoded(reply.header('content-type', contentType), encoding, text);
}

/** True if the client already has the contents of this ETag. */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}

export type Compression = 'br' | 'gzip';
export type Encoding = Compression | 'identity';

/** Negotiates the encoding by Accept-Encoding, and adds that header to Vary. */
export function encodingFor({ headers }: FastifyRequest, reply: FastifyReply): Encoding {
  addVary(reply, 'Accept-Encoding');
  const accepted = headers['accept-encoding'] as string | undefined;
  return preferred(accepted, ['br', 'gzip', 'identity'], 'identity');
}

/**
 * Sends a text that is the same for everybody. Not a page with a form's token: how much shorter compression makes it could tell
 * the token to whoever can put a text of their own beside it (BREACH).
 */
export async function sendEncoded(
  reply: FastifyReply,
  encoding: Encoding,
  text: string,
): Promise<FastifyReply> {
  if (encoding === 'identity') return reply.send(text);
  const bytes = await keptCompression(encoding, text);
  // Not before: an error that is sent meanwhile is not compressed.
  return reply.header('content-encoding', encoding).send(bytes);
}

/** The documents and pages of all maintained versions, in both environments and encodings. */
const KEPT_MAX = 64;

const kept = new Map<string, Promise<Buffer>>();

function keptCompression(encoding: Compression, text: string): Promise<Buffer> {
  const key = `${encoding} ${sha256Hex(text)}`;
  const bytes = kept.get(key) ?? compress(encoding, Buffer.from(text));
  // To the end: what is read stays, and what was there before a release leaves.
  kept.delete(key);
  kept.set(key, bytes);
  const [oldest = ''] = kept.keys();
  if (kept.size > KEPT_MAX) kept.delete(oldest);
  return bytes;
}

// Higher levels are smaller, but take twenty times as long, and the first reader would wait.
const BROTLI_QUALITY = 6;

/** Off the event loop. */
export function compress(encoding: Compression, bytes: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}
