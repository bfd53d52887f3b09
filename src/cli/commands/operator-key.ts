import type { Command } from '../command.ts';

export const operatorKeyCommands: readonly Command[] = [
  {
    name: 'operator-key create',
    says: 'Create an operator key; it is shown once',
    options: { name: { placeholder: 'text', required: true, says: 'Who or what will use it' } },
    examples: ["dateline operator-key create --name 'deploy pipeline'"],
    async run({ api, output, required }) {
      output.item(await api().post('/operator/operator-keys', { name: required('name') }));
      output.note('The key is shown only now.');
    },
  },
  {
    name: 'operator-key revoke',
    says: 'Revoke an operator key at once; the last live one cannot be revoked',
    argument: 'key-id',
    options: {},
    examples: ['dateline operator-key revoke opk_…'],
    async run({ api, output, argument }) {
      output.item(await api().post(`/operator/operator-keys/${encodeURIComponent(argument)}/revoke`));
    },
  },
  {
    name: 'operator-key list',
    says: 'List operator keys, revoked ones too',
    options: {},
    examples: ['dateline operator-key list'],
    async run({ api, output }) {
      const keys = await api().all('/operator/operator-keys');
      output.list(
        keys,
        ['id', 'name', 'created_at', 'last_used_at', 'revoked_at'],
        'No operator keys are stored.',
      );
    },
  },
];
