import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Brand } from '../../config/brand.ts';
import { ApiError } from '../../errors/api-error.ts';
import { StartupError } from '../../errors/startup-error.ts';
import { sha256Hex } from '../../kernel/digest.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { App } from '../app/create-app.ts';
import { type Compression, compress, encodingFor, isKnown } from './send-cacheable.ts';

/** The files that pages load, besides those of a brand. */
const OWN = ['icon.svg', 'pages.css', 'reference.css', 'reference.js'] as const;

export type AssetName = (typeof OWN)[number] | 'brand.css' | 'logo';

export interface PageAssets {
  /** The address of an asset; it changes with the contents, so that browsers may cache it. Null where there is none. */
  hrefIfAny(name: AssetName): string | null;
  href(name: (typeof OWN)[number]): string;
  find(name: string): Asset | undefined;
}

export interface Asset {
  contentType: string;
  bytes: Buffer;
  hash: string;
  /** Made at the first use, then cached. */
  compressed(encoding: Compression): Promise<Buffer>;
}

let serviceAssets: ReadonlyMap<string, Asset> | undefined;

/** Our own files are read once, for all apps of both environments. */
export function readPageAssets(brand: Brand): PageAssets {
  serviceAssets ??= new Map(OWN.map((name) => [name, readAsset(assetFile(name))]));
  const assets = new Map([...serviceAssets, ...brandAssets(brand)]);
  const hrefIfAny = (name: string): string | null => {
    const asset = assets.get(name);
    return asset ? `/assets/${asset.hash}/${name}` : null;
  };
  return { hrefIfAny, href: (name) => hrefIfAny(name) ?? '', find: (name) => assets.get(name) };
}

const assetFile = (name: string): string => fileURLToPath(new URL(`./assets/${name}`, import.meta.url));

function brandAssets({ colour, logo }: Brand): [string, Asset][] {
  return [
    ...(colour === null ? [] : [colourAsset(colour)]),
    ...(logo === null ? [] : [['logo', readLogo(logo)] as [string, Asset]]),
  ];
}

function colourAsset(colour: string): [string, Asset] {
  return ['brand.css', assetOf(Buffer.from(`:root { --accent: ${colour}; }\n`), '.css')];
}

const LOGO_BYTES_MAX = 100_000;

function readLogo(path: string): Asset {
  const isImage = ['.svg', '.png', '.webp'].includes(extname(path));
  try {
    const asset = isImage ? readAsset(path) : null;
    if (asset && asset.bytes.length <= LOGO_BYTES_MAX) return asset;
  } catch (error) {
    throw new StartupError(`The logo ${path} cannot be read (${errorMessage(error)}); name a readable file.`);
  }
  throw new StartupError(`The logo ${path} must be a .svg, .png or .webp file of at most 100 kB.`);
}

function readAsset(path: string): Asset {
  return assetOf(readFileSync(path), extname(path));
}

export function assetOf(bytes: Buffer, extension: string): Asset {
  const made: Partial<Record<Compression, Promise<Buffer>>> = {};
  return {
    bytes,
    contentType: contentTypes[extension] ?? 'application/octet-stream',
    hash: sha256Hex(bytes).slice(0, 16),
    compressed(encoding) {
      made[encoding] ??= compress(encoding, bytes);
      return made[encoding];
    },
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

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
    const bytes = await asset.compressed(encoding);
    // Not before: an error that is sent meanwhile is not compressed.
    return reply.header('content-encoding', encoding).send(bytes);
  }
  return reply.send(asset.bytes);
}
