import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sha256Hex } from '../../kernel/digest.ts';

const ownFile = (name: string): string => fileURLToPath(new URL(`./assets/${name}`, import.meta.url));

/** All that pages load. */
const files = {
  'icon.svg': ownFile('icon.svg'),
  'pages.css': ownFile('pages.css'),
  'reference.css': ownFile('reference.css'),
  'reference.js': ownFile('reference.js'),
} as const;

export type AssetName = keyof typeof files;

export interface PageAssets {
  /** The address of an asset; it changes with the contents, so that browsers may cache it. */
  href(name: AssetName): string;
  find(name: string): Asset | undefined;
}

export interface Asset {
  path: string;
  contentType: string;
  bytes: number;
  hash: string;
  /** Made at the first use, then cached. */
  compressed(encoding: Compression): Promise<Buffer>;
}

type Compression = 'br' | 'gzip';

let pageAssets: PageAssets | undefined;

/** Read at the first call, for all apps of both environments. */
export function readPageAssets(): PageAssets {
  pageAssets ??= readAssets();
  return pageAssets;
}

function readAssets(): PageAssets {
  const assets = new Map(Object.entries(files).map(([name, path]) => [name, readAsset(path)]));
  return {
    href: (name) => `/assets/${assets.get(name)?.hash}/${name}`,
    find: (name) => assets.get(name),
  };
}

function readAsset(path: string): Asset {
  const text = readFileSync(path, 'utf8');
  const made: Partial<Record<Compression, Promise<Buffer>>> = {};
  return {
    path,
    contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
    bytes: Buffer.byteLength(text),
    hash: sha256Hex(text).slice(0, 16),
    compressed(encoding) {
      made[encoding] ??= compressions[encoding](readFileSync(path));
      return made[encoding];
    },
  };
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

// Higher levels are smaller, but take twenty times as long, and the first reader would wait.
const BROTLI_QUALITY = 6;

const compressions: Readonly<Record<Compression, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};
