/**
 * One message of PostgreSQL's protocol 3: https://www.postgresql.org/docs/current/protocol-message-formats.html. The first of
 * a client has no type, and is `startup` here, or `wish` where it asks for encryption.
 */
export interface Message {
  type: string;
  /** All of it, type and length included. */
  bytes: Buffer;
}

const LENGTH_BYTES = 4;
/** In the place of a version: a client asks whether it may speak TLS, or GSSAPI, and begins again after the answer. */
const WISHES = [80_877_103, 80_877_104];

/** Cuts what arrives into whole messages; the rest of one waits for what comes next. */
export function createMessageReader({ beginsWithStartup }: { beginsWithStartup: boolean }) {
  let rest: Buffer = Buffer.alloc(0);
  let isStartup = beginsWithStartup;

  function take(): Message | null {
    const typeBytes = isStartup ? 0 : 1;
    if (rest.length < typeBytes + LENGTH_BYTES) return null;
    const length = typeBytes + rest.readInt32BE(typeBytes);
    if (rest.length < length) return null;
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    if (!isStartup) return { type: String.fromCharCode(bytes[0] ?? 0), bytes };
    isStartup = bytes.length >= 2 * LENGTH_BYTES && WISHES.includes(bytes.readInt32BE(LENGTH_BYTES));
    return { type: isStartup ? 'wish' : 'startup', bytes };
  }

  return function read(chunk: Buffer): Message[] {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (let message = take(); message !== null; message = take()) messages.push(message);
    return messages;
  };
}

const BODY_AT = 1 + LENGTH_BYTES;

/** The strings at the beginning of a message, each of which ends with a zero. */
export function stringsOf({ bytes }: Message, count: number): string[] {
  const found: string[] = [];
  let at = BODY_AT;
  while (found.length < count) {
    const end = bytes.indexOf(0, at);
    if (end < 0) break;
    found.push(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  return found;
}
