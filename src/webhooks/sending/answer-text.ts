const KEPT_BYTES_MAX = 1_024;

/** The beginning of an answer, which integrators may look at later. */
export interface AnswerText {
  add(chunk: Buffer): void;
  /** Text that any database takes: neither NUL nor half a character. */
  read(): string;
}

export function createAnswerText(): AnswerText {
  let beginning = Buffer.alloc(0);
  let isCut = false;
  return {
    add(chunk) {
      const wanted = chunk.subarray(0, KEPT_BYTES_MAX - beginning.length);
      isCut ||= wanted.length < chunk.length;
      // A copy: a slice would hold on to the whole of what was received.
      if (wanted.length > 0) beginning = Buffer.concat([beginning, wanted]);
    },
    read() {
      // A character that we have cut ourselves is left out; what came broken shows as U+FFFD.
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning, { stream: isCut });
      return text.replaceAll('\u0000', '\uFFFD');
    },
  };
}
