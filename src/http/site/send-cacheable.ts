import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256Hex } from '../../kernel/digest.ts';
import { encodingFor, sendEncoded } from './compression.ts';

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
