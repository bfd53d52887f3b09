import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { App } from '../app/create-app.ts';
import { encodingFor } from './compression.ts';
import type { Asset, PageAssets } from './page-assets.ts';
import { isKnown } from './send-cacheable.ts';

const YEAR_SECONDS = 31_536_000;

/** Files that pages load, compressed as the browser prefers. */
export function assetRoutes(app: App, assets: PageAssets): void {
  app.get<{ Params: { hash: string; name: string } }>('/assets/:hash/:name', async (request, reply) => {
    const asset = assets.find(request.params.name);
    if (!asset) throw new ApiError('not_found');
    // The page may come from a node of another build, with other contents under the same name: not cacheable.
    const isAsNamed = request.params.hash === asset.hash;
    reply.header('cache-control', isAsNamed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    return sendAsset(request, reply, asset);
  });
}

/** A file, compressed as the browser prefers. */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
): Promise<FastifyReply> {
  const encoding = encodingFor(request, reply);
  const tag = `"${asset.hash}-${encoding}"`;
  reply.header('etag', tag).header('x-content-type-options', 'nosniff');
  if (isKnown(request, tag)) return reply.status(304).send();
  reply.header('content-type', asset.contentType);
  if (encoding !== 'identity') {
    return reply.header('content-encoding', encoding).send(await asset.compressed(encoding));
  }
  return reply.send(asset.bytes);
}
