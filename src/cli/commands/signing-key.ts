import type { Command } from '../command.ts';

export const signingKeyCommands: readonly Command[] = [
  {
    name: 'signing-key list',
    says: 'List the keys that id_tokens are signed with; private keys are never shown',
    options: {},
    examples: ['dateline signing-key list'],
    async run({ api, output }) {
      const keys = await api().all('/operator/signing-keys');
      output.list(keys, ['id', 'algorithm', 'state', 'created_at', 'signs_from'], 'No signing keys yet.');
    },
  },
  {
    name: 'signing-key rotate',
    says: 'Publish a new key for id_tokens; it signs as soon as every client can know it',
    options: {
      withdraw: {
        says: 'The old keys may be known to others: withdraw them and sign with the new one, at once',
      },
    },
    examples: ['dateline signing-key rotate', 'dateline signing-key rotate --withdraw'],
    async run({ api, output, isSet }) {
      const withdraw = isSet('withdraw');
      output.item(await api().post('/operator/signing-keys/rotate', { withdraw }));
      if (withdraw) output.note('id_tokens that were signed before are refused from now on.');
    },
  },
];
