import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The offer that a header such as Accept prefers (RFC 9110 §12.4.2); of equals the first. `otherwise` where the
 * header is missing or accepts none of them.
 */
export function preferred<Offer extends string>(
  header: string | undefined,
  offers: readonly Offer[],
  otherwise: Offer,
): Offer {
  const qualities = readQualities(header ?? '');
  const liked = offers
    .map((offer) => ({ offer, quality: qualityOf(offer, qualities) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return liked[0]?.offer ?? otherwise;
}

/** True if Accept prefers HTML to the type for programs. Adds Accept to Vary. */
export function wantsPage(request: FastifyRequest, reply: FastifyReply, forPrograms: string): boolean {
  addVary(reply, 'Accept');
  return preferred(request.headers.accept, [forPrograms, 'text/html'], forPrograms) === 'text/html';
}

/** Adds a request header to Vary. */
export function addVary(reply: FastifyReply, name: string): void {
  reply.header('vary', `${String(reply.getHeader('vary'))}, ${name}`);
}

function readQualities(header: string): ReadonlyMap<string, number> {
  // An empty one says nothing about anything.
  const parts = header.split(',').filter((part) => part.trim() !== '');
  return new Map(
    parts.map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
    }),
  );
}

function qualityOf(offer: string, qualities: ReadonlyMap<string, number>): number {
  const [family] = offer.split('/');
  const names = [offer, `${family}/*`, '*/*', '*'];
  return qualities.get(names.find((name) => qualities.has(name)) ?? '') ?? 0;
}
