import { type Command, postTo } from '../command.ts';

export const operatorKeyCommands: readonly Command[] = [
  {
    name: 'operator-key create',
    description: 'Create an operator key; it is shown once',
    options: {
      name: { placeholder: 'text', required: true, description: 'Who or what will use it' },
      role: {
        placeholder: 'role',
        description:
          'What it may do: admin everything (default), viewer read, support read, resend and disable, publisher publish events',
      },
    },
    examples: [
      "dateline operator-key create --name 'deploy pipeline'",
      "dateline operator-key create --name 'dashboard' --role viewer",
      "dateline operator-key create --name 'Ann, support desk' --role support",
    ],
    async run({ api, output, required, optional }) {
      const role = optional('role');
      const key = { name: required('name'), ...(role === undefined ? {} : { role }) };
      output.item(await api().post('/operator/operator-keys', key));
      output.note('The key is shown only now.');
    },
  },
  {
    name: 'operator-key revoke',
    description: 'Revoke an operator key at once; the last live one with the role admin cannot be revoked',
    argument: 'key-id',
    examples: ['dateline operator-key revoke opk_…'],
    run: postTo('operator-keys', 'revoke'),
  },
  {
    name: 'operator-key list',
    description: 'List operator keys, revoked ones too',
    examples: ['dateline operator-key list'],
    async run({ api, output }) {
      const keys = await api().all('/operator/operator-keys');
      output.list(
        keys,
        ['id', 'name', 'role', 'created_at', 'last_used_at', 'revoked_at'],
        'No operator keys are stored.',
      );
    },
  },
  {
    name: 'operator-key whoami',
    description: 'Show which key the command line uses, and its role',
    examples: ['dateline operator-key whoami --environment production'],
    async run({ api, output }) {
      output.item(await api().get('/operator/me'));
    },
  },
];
