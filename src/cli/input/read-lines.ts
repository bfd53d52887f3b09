import { CommandError } from '../command-error.ts';

export interface Line {
  /** From 1 on, as editors count. */
  number: number;
  text: string;
}

/** The lines of a text as it comes, without empty ones. Only a newline ends a line: JSON may hold every other separator. */
export async function* readLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  let [number, rest] = [0, ''];
  for await (const text of decoded(input)) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      number += 1;
      if (part.trim() !== '') yield { number, text: part };
    }
  }
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}

async function* decoded(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of input)
      yield typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true });
    yield utf8.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError('The input is not UTF-8.');
    throw error;
  }
}
