import type { Command, CommandInput } from '../command.ts';
import { readTokens } from '../input/read-tokens.ts';
import { type Json, listIn } from '../json.ts';

export const leakCommands: readonly Command[] = [
  {
    name: 'leak report',
    description:
      'Revoke tokens, codes, client secrets and operator keys that have leaked; read from standard input',
    options: {
      source: { placeholder: 'text', required: true, description: 'Where they were found' },
      note: { placeholder: 'text', description: 'Anything else, for the audit log' },
    },
    examples: ["dateline leak report --source 'a public repository' < found.txt"],
    run: report,
  },
];

const AT_ONCE_MAX = 100;

async function report({ api, output, required, optional }: CommandInput): Promise<void> {
  const tokens = await readTokens();
  const service = api();
  const results: Json[] = [];
  for (let start = 0; start < tokens.length; start += AT_ONCE_MAX) {
    const some = tokens.slice(start, start + AT_ONCE_MAX);
    const body = { tokens: some, source: required('source'), note: optional('note') };
    const answer = await service.post('/operator/leaks', body);
    results.push(...listIn(answer.results));
    if (results.length < tokens.length) output.note(`${results.length} of ${tokens.length} reported …`);
  }
  // By their position in the input: a token is never shown.
  const numbered = results.map((result, index) => ({ number: index + 1, ...result }));
  output.list(numbered, ['number', 'kind', 'outcome', 'token_id', 'grant_id', 'client_id'], '');
}
