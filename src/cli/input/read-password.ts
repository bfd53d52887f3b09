import { CommandError } from '../command-error.ts';

/** Reads a password from standard input; the line end that an editor or `echo` adds does not belong to it. */
export async function readPassword(input: AsyncIterable<Buffer | string> = process.stdin): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk.toString();
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new CommandError('No password came from standard input.');
  return password;
}
