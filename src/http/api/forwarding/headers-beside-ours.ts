import type { FastifyReply } from 'fastify';

/** Headers of the upstream's answer, together with what we say by the same names. */
export function headersBesideOurs(
  reply: FastifyReply,
  answered: Record<string, string>,
  { dependsOnToken }: { dependsOnToken: boolean },
): Record<string, string> {
  const link = ours(reply, 'link');
  const headers = { ...answered };
  // Links of the upstream stand beside ours, which lead on from a deprecated version.
  if (link !== '' && answered.link !== undefined) headers.link = `${link}, ${answered.link}`;
  // `public`, `s-maxage` and `must-revalidate` let shared caches give it to requests with other tokens, too (RFC 9111 §3.5).
  const token = dependsOnToken && answered['cache-control'] !== undefined ? 'Authorization' : '';
  if (answered.vary !== undefined || token !== '')
    headers.vary = joinedNames([ours(reply, 'vary'), answered.vary ?? '', token]);
  return headers;
}

function ours(reply: FastifyReply, name: string): string {
  return String(reply.getHeader(name) ?? '');
}

/** Each name once, as it is written first. A star says that it depends on more than names can tell (RFC 9110 §12.5.5). */
function joinedNames(lists: readonly string[]): string {
  const names = new Map<string, string>();
  for (const name of lists.flatMap((list) => list.split(',')).map((part) => part.trim()))
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return names.has('*') ? '*' : [...names.values()].join(', ');
}
