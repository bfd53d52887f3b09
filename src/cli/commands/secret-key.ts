import type { Command } from '../command.ts';
import { type Json, textsIn } from '../json.ts';
import type { OperatorApi } from '../operator-api.ts';
import type { Output } from '../output.ts';

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
      const rotated = await rotateToTheEnd(api(), output);
      output.item(rotated);
      output.note(
        textsIn(rotated.node_ids).length > 1
          ? `Nothing of ${environment} needs the old key any more. Do the same for the other environment, then remove the old key.`
          : 'The node has one key only. To change it, set DATELINE_SECRET_KEY to the new key, a comma and the old key, on all nodes.',
      );
    },
  },
];

/** Call after call, as long as this key is the one in use and something is left under another. */
async function rotateToTheEnd(api: OperatorApi, output: Output): Promise<Json> {
  let count = 0;
  for (;;) {
    const rotated = await api.post('/operator/secret-key/rotate');
    count += Number(rotated.resealed_count);
    const isOvertaken = rotated.active_id !== textsIn(rotated.node_ids)[0];
    if (isOvertaken || textsIn(rotated.former_ids).length === 0) return { ...rotated, resealed_count: count };
    output.note(`${count} secrets so far …`);
  }
}
