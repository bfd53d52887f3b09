import type { Command } from '../command.ts';
import { listIn } from '../json.ts';

const user = { placeholder: 'user-id', required: true, description: 'The user' } as const;

const sessionsPath = (userId: string): string => `/operator/users/${encodeURIComponent(userId)}/sessions`;

export const sessionCommands: readonly Command[] = [
  {
    name: 'session list',
    description: 'List the browsers in which a user is signed in',
    options: { user },
    examples: ['dateline session list --user usr_…'],
    async run({ api, output, required }) {
      const { items } = await api().get(sessionsPath(required('user')));
      output.list(listIn(items), ['signed_in_at', 'last_used_at', 'expires_at'], 'No live session.');
    },
  },
  {
    name: 'session end',
    description: 'Sign a user out everywhere; tokens stay as they are',
    options: { user },
    examples: ['dateline session end --user usr_…'],
    async run({ api, output, required }) {
      await api().delete(sessionsPath(required('user')));
      output.item({ user_id: required('user'), signed_out: true });
    },
  },
];
