import type { Command } from '../command.ts';

const ALGORITHMS = ['ES256', 'RS256'];
const COLUMNS = ['id', 'algorithm', 'state', 'created_at', 'signs_from'];

export const signingKeyCommands: readonly Command[] = [
  {
    name: 'signing-key list',
    description: 'List the keys that id_tokens are signed with; private keys are never shown',
    examples: ['dateline signing-key list'],
    async run({ api, output }) {
      const keys = await api().all('/operator/signing-keys');
      output.list(keys, COLUMNS, 'No signing keys yet.');
    },
  },
  {
    name: 'signing-key rotate',
    description: 'Publish new keys for id_tokens; they sign as soon as every client can know them',
    options: {
      algorithm: {
        placeholder: 'algorithm',
        description: 'ES256 or RS256 alone; both where it is not given',
      },
      withdraw: {
        description: 'The old keys may be known to others: withdraw them and sign with the new ones, at once',
      },
    },
    examples: ['dateline signing-key rotate', 'dateline signing-key rotate --withdraw'],
    async run({ api, output, isSet, optional }) {
      const withdraw = isSet('withdraw');
      const asked = optional('algorithm');
      const made = [];
      for (const algorithm of asked === undefined ? ALGORITHMS : [asked])
        made.push(await api().post('/operator/signing-keys/rotate', { algorithm, withdraw }));
      output.list(made, COLUMNS, '');
      if (withdraw) output.note('id_tokens that were signed before are refused from now on.');
    },
  },
];
