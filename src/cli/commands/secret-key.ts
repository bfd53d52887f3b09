import type { Command } from '../command.ts';

export const secretKeyCommands: readonly Command[] = [
  {
    name: 'secret-key show',
    description: 'Show which secret key is in use, by its id, and which ones the node has',
    examples: ['dateline secret-key show --environment production'],
    async run({ api, output }) {
      output.item(await api().get('/operator/secret-key'));
    },
  },
  {
    name: 'secret-key rotate',
    description: 'Change to the first key of DATELINE_SECRET_KEY, and encrypt every secret with it',
    examples: ['dateline secret-key rotate', 'dateline secret-key rotate --environment production'],
    async run({ api, output, environment }) {
      const rotated = await api().post('/operator/secret-key/rotate');
      output.item(rotated);
      output.note(
        Array.isArray(rotated.node_ids) && rotated.node_ids.length > 1
          ? `Nothing of ${environment} needs the old key any more. Do the same for the other environment, then remove the old key.`
          : 'The node has one key only. To change it, set DATELINE_SECRET_KEY to the new key, a comma and the old key, on all nodes.',
      );
    },
  },
];
