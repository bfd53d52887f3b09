import { randomBase62 } from '../../kernel/base62.ts';
import { type Command, type CommandInput, postTo } from '../command.ts';
import { listAll, search } from '../input/filters.ts';
import { readPassword } from '../input/read-password.ts';
import { requireYes, yes } from '../input/require-yes.ts';
import { type Json, listIn } from '../json.ts';

const columns = ['id', 'email', 'name', 'blocked_at', 'created_at'];

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    description: 'Create a user; without --password-stdin a password is made up and shown once',
    options: {
      email: { placeholder: 'address', required: true, description: 'The address to sign in with' },
      name: { placeholder: 'text', required: true, description: 'The name of the user' },
      'password-stdin': { description: 'Read the password (12 to 200 characters) from standard input' },
    },
    examples: [
      "dateline user create --email ada@example.com --name 'Ada Lovelace'",
      "dateline user create --email ada@example.com --name 'Ada Lovelace' --password-stdin < password.txt",
    ],
    run: createUser,
  },
  {
    name: 'user show',
    description: 'Show a user, and the organizations that they are a member of',
    argument: 'user-id',
    examples: ['dateline user show usr_…'],
    async run({ api, output, argument }) {
      const user = await api().get(`/operator/users/${encodeURIComponent(argument)}`);
      if (output.json) return output.item(user);
      const { organizations, ...rest } = user;
      const names = listIn(organizations).map(({ id, name }) => `${name} (${id})`);
      output.item({ ...rest, organizations: names.join(', ') || 'none' });
    },
  },
  {
    name: 'user set-password',
    description: 'Set a new password for a user who has lost theirs; the user is signed out everywhere',
    argument: 'user-id',
    options: {
      link: { description: 'Create a link instead, with which the user sets it: valid once, for a day' },
      'password-stdin': {
        description: 'Read the password from standard input; otherwise one is generated and shown once',
      },
    },
    examples: [
      'dateline user set-password usr_… --link',
      'dateline user set-password usr_… --password-stdin < password.txt',
    ],
    run: setPassword,
  },
  {
    name: 'user block',
    description: 'Block a user: every token of theirs is inactive at once',
    argument: 'user-id',
    examples: ['dateline user block usr_…'],
    run: postTo('users', 'block'),
  },
  {
    name: 'user unblock',
    description: 'Unblock a user',
    argument: 'user-id',
    examples: ['dateline user unblock usr_…'],
    run: postTo('users', 'unblock'),
  },
  {
    name: 'user delete',
    description:
      'Delete a user for good: every token of theirs is inactive at once, and their name and address are erased',
    argument: 'user-id',
    options: { yes },
    examples: ['dateline user delete usr_… --yes'],
    async run({ api, output, argument, isSet }) {
      requireYes(isSet('yes'), 'user');
      await api().delete(`/operator/users/${encodeURIComponent(argument)}`);
      output.item({ id: argument, deleted: true });
    },
  },
  {
    name: 'user list',
    description: 'List all users',
    options: { search },
    examples: ['dateline user list --json', 'dateline user list --search ada@example.com'],
    async run(input) {
      const users = await listAll(input, '/operator/users', { search: 'search' });
      input.output.list(users, columns, 'No users yet. Create one: dateline user create --email … --name …');
    },
  },
];

async function setPassword({ api, output, argument, isSet }: CommandInput): Promise<void> {
  const path = `/operator/users/${encodeURIComponent(argument)}`;
  if (isSet('link')) {
    output.item(await api().post(`${path}/password-link`));
    return output.note('Whoever has this link can set the password, once. It is shown only now.');
  }
  await withPassword({ output, isSet }, (password) => api().post(`${path}/set-password`, { password }));
}

async function createUser({ api, output, required, isSet }: CommandInput): Promise<void> {
  const names = { email: required('email'), name: required('name') };
  await withPassword({ output, isSet }, (password) => api().post('/operator/users', { ...names, password }));
}

/** Sends the password from standard input, or one that is made up and shown with the user. */
async function withPassword(
  { output, isSet }: Pick<CommandInput, 'output' | 'isSet'>,
  send: (password: string) => Promise<Json>,
): Promise<void> {
  const given = isSet('password-stdin');
  // Never from an argument: every user of the machine can read the arguments of a process.
  const password = given ? await readPassword() : randomBase62(24);
  const user = await send(password);
  output.item(given ? user : { ...user, password });
  if (!given) output.note('The password is shown only now.');
}
