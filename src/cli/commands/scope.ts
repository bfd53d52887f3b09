import type { Command } from '../command.ts';
import { listIn } from '../json.ts';

export const scopeCommands: readonly Command[] = [
  {
    name: 'scope list',
    description: 'List the scopes that clients may have, with what each allows',
    examples: ['dateline scope list'],
    async run({ api, output }) {
      const { items } = await api().get('/operator/scopes');
      output.list(listIn(items), ['name', 'description', 'about_people'], 'There are no scopes.');
    },
  },
];
