import { CommandError } from '../command-error.ts';

/**
 * Reads tokens from standard input, with white space between. Never from an argument: every user of the machine can read
 * the arguments of a process.
 */
export async function readTokens(input: AsyncIterable<Buffer | string> = process.stdin): Promise<string[]> {
  let text = '';
  for await (const chunk of input) text += chunk.toString();
  const tokens = text.split(/\s+/).filter(Boolean);
  if (tokens.length === 0) throw new CommandError('No token came from standard input.');
  return tokens;
}
