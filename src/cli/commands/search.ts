import type { Command, CommandInput } from '../command.ts';
import { usageError } from '../command-error.ts';
import { listIn } from '../json.ts';

export const searchCommands: readonly Command[] = [
  {
    name: 'search',
    description:
      'Find anything by its id or request id, or by the beginnings of words of its name or address',
    argument: 'text',
    examples: [
      'dateline search cli_…',
      "dateline search 'warehouse sync'",
      'dateline search maria@example.com',
    ],
    run: search,
  },
];

// Tokens and other secrets of ours, and those of webhooks.
const SECRET = /\bdl_(test_)?[a-z]{2}_\w{8}|whsec_/;

async function search({ api, output, argument }: CommandInput): Promise<void> {
  if (SECRET.test(argument))
    throw usageError(
      'A secret on the command line can be read by every user of the machine. To look up a token: dateline token explain --token - < token.txt',
    );
  const { items, more, notice } = await api().post('/operator/search', { text: argument });
  output.list(listIn(items), ['kind', 'id', 'name', 'detail'], String(notice ?? 'Nothing was found.'));
  const kinds = (more as string[]).map((kind) => kind.replaceAll('_', ' '));
  if (kinds.length > 0) output.note(`There are more of kind ${kinds.join(', ')}: say more of the name.`);
}
