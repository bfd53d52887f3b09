/** Reads a stream of bytes in pieces of the reader's own choice. */
export interface ByteReader {
  /** Exactly so many bytes; fewer only where the stream ends. */
  take(count: number): Promise<Buffer>;
  /** The text up to the next line feed, without it; null where the stream ends before, or the line is longer. */
  line(bytesMax: number): Promise<string | null>;
  /** So many bytes, as they come. Throws where the stream ends before. */
  pieces(count: number): AsyncIterable<Buffer>;
}

const LINE_FEED = 0x0a;

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Adds the next chunk to what is left; false at the end. */
  async function fill(): Promise<boolean> {
    const { value, done } = await chunks.next();
    if (done) return false;
    rest = rest.length === 0 ? Buffer.from(value) : Buffer.concat([rest, value]);
    return true;
  }

  function cut(count: number): Buffer {
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  }

  return {
    async take(count) {
      const parts = [cut(count)];
      // Put together once: many small chunks would be copied again and again.
      for (let bytes = parts[0]?.length ?? 0; bytes < count && (await fill()); ) {
        const part = cut(count - bytes);
        bytes += part.length;
        parts.push(part);
      }
      return Buffer.concat(parts);
    },
    async line(bytesMax) {
      for (;;) {
        const end = rest.subarray(0, bytesMax + 1).indexOf(LINE_FEED);
        if (end >= 0) return cut(end + 1).toString('utf8', 0, end);
        if (rest.length > bytesMax || !(await fill())) return null;
      }
    },
    async *pieces(count) {
      for (let left = count; left > 0; ) {
        if (rest.length === 0 && !(await fill())) throw new Error(`the stream ends ${left} bytes too early`);
        const piece = cut(left);
        left -= piece.length;
        yield piece;
      }
    },
  };
}
