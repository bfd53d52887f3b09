import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS_MAX = 256;

interface Pixels {
  width: number;
  height: number;
  /** Three bytes each. */
  rgb: Buffer;
}

/** The same picture with 256 colours at most: a third of the bytes, and hardly a difference on a page of text. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPixels(png);
  const { palette, indexOf } = choosePalette(rgb);
  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0, from = 0, to = 0; y < height; y += 1) {
    // Each line begins with its filter: none.
    to += 1;
    for (let x = 0; x < width; x += 1, from += 3, to += 1) lines[to] = indexOf(colourAt(rgb, from));
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])),
    ),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const colourAt = (rgb: Buffer, at: number): number =>
  ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);

/** The most frequent colours, one of each shade, and for each other one the nearest of these. */
function choosePalette(rgb: Buffer): { palette: number[]; indexOf(colour: number): number } {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = colourAt(rgb, at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const shades = new Map<number, number>();
  const frequentFirst = [...counts].sort(([, one], [, other]) => other - one);
  for (const [colour] of frequentFirst) {
    const shade = colour & 0xf8f8f8;
    if (!shades.has(shade)) shades.set(shade, colour);
  }
  const palette = [...shades.values()].slice(0, COLOURS_MAX);
  const indexes = new Map(palette.map((colour, index) => [colour, index]));
  return {
    palette,
    indexOf(colour) {
      const known = indexes.get(colour);
      if (known !== undefined) return known;
      const index = nearest(palette, colour);
      indexes.set(colour, index);
      return index;
    },
  };
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, other] of palette.entries()) {
    const distance = [16, 8, 0].reduce((sum, shift) => {
      const difference = ((colour >> shift) & 255) - ((other >> shift) & 255);
      return sum + difference * difference;
    }, 0);
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

/** Of a picture as Chromium makes it: 8 bits for each of three or four channels, not interlaced. */
function readPixels(png: Buffer): Pixels {
  const [width, height, depth, type] = [png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]];
  const channels = type === 2 ? 3 : type === 6 ? 4 : 0;
  if (depth !== 8 || channels === 0 || png[28] !== 0) throw new Error('this kind of PNG is not read here');
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * channels, channels);
  const rgb = Buffer.alloc(width * height * 3);
  for (let from = 0, to = 0; to < rgb.length; from += channels, to += 3) bytes.copy(rgb, to, from, from + 3);
  return { width, height, rgb };
}

/** PNG, 9.2: every byte is stored as the difference to a guess from those to its left and above. */
function unfiltered(filtered: Buffer, lineBytes: number, pixelBytes: number): Buffer {
  const height = filtered.length / (lineBytes + 1);
  const bytes = Buffer.alloc(height * lineBytes);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (lineBytes + 1)];
    for (let x = 0; x < lineBytes; x += 1) {
      const at = y * lineBytes + x;
      const left = x < pixelBytes ? 0 : (bytes[at - pixelBytes] ?? 0);
      const up = y === 0 ? 0 : (bytes[at - lineBytes] ?? 0);
      const corner = x < pixelBytes || y === 0 ? 0 : (bytes[at - lineBytes - pixelBytes] ?? 0);
      bytes[at] = (filtered[y * (lineBytes + 1) + 1 + x] ?? 0) + guess(filter, left, up, corner);
    }
  }
  return bytes;
}

function guess(filter: number | undefined, left: number, up: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const sum = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(sum - left), Math.abs(sum - up), Math.abs(sum - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + named.length);
  frame.writeUInt32BE(data.length, 0);
  named.copy(frame, 4);
  frame.writeUInt32BE(crc32(named), 4 + named.length);
  return frame;
}
