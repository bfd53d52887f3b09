import { type Message, stringsOf } from './messages.ts';

/** What a client asks for at once: up to `Sync`, or one simple query. One `ReadyForQuery` answers it. */
export interface Asked {
  /** The texts of its statements, those that were prepared earlier included. */
  texts: readonly string[];
  bytes: Buffer;
}

/** What arrives from a client: something that is asked, or anything else that goes on as it is. */
export type Arrived = { asked: Asked } | { other: Buffer };

/** Puts a client's messages together to what it asks. Statements are remembered by the names under which they were prepared. */
export function createAskedReader() {
  const prepared = new Map<string, string>();
  let texts: string[] = [];
  let gathered: Buffer[] = [];

  function endOf(): Arrived {
    const asked = { texts, bytes: Buffer.concat(gathered) };
    [texts, gathered] = [[], []];
    return { asked };
  }

  return function read(message: Message): Arrived | null {
    const { type, bytes } = message;
    if (!['P', 'B', 'D', 'E', 'C', 'S', 'Q'].includes(type)) return { other: bytes };
    gathered.push(bytes);
    if (type === 'P') {
      const [name = '', text = ''] = stringsOf(message, 2);
      prepared.set(name, text);
    }
    if (type === 'B') texts.push(prepared.get(stringsOf(message, 2)[1] ?? '') ?? '');
    if (type === 'Q') texts.push(stringsOf(message, 1)[0] ?? '');
    return type === 'S' || type === 'Q' ? endOf() : null;
  };
}
