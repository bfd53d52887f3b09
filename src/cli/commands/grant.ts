import type { Command, CommandInput } from '../command.ts';
import { usageError } from '../command-error.ts';
import { reason, reasonBody } from '../input/reason-option.ts';

const argument = 'grant-id';

const grantPath = (id: string, action: string): string =>
  `/operator/grants/${encodeURIComponent(id)}/${action}`;

export const grantCommands: readonly Command[] = [
  {
    name: 'grant list',
    description: 'List the live grants of a user or a client; oldest first',
    options: {
      user: { placeholder: 'user-id', description: 'What this user has allowed' },
      client: { placeholder: 'client-id', description: 'What this client was allowed' },
    },
    examples: ['dateline grant list --user usr_…', 'dateline grant list --client cli_…'],
    async run(input) {
      input.output.list(
        await input.api().all(listPath(input)),
        ['id', 'client_id', 'user_id', 'scopes', 'organization_names', 'created_at', 'expires_at'],
        'No live grants.',
      );
    },
  },
  {
    name: 'grant tokens',
    description: 'List the tokens that were issued under a grant; newest first',
    argument,
    examples: ['dateline grant tokens gra_…'],
    async run({ api, output, argument: id }) {
      output.list(
        await api().all(grantPath(id, 'tokens')),
        ['id', 'token_type', 'state', 'sub', 'aud', 'issued_at', 'expires_at'],
        'No tokens of this grant are stored.',
      );
    },
  },
  {
    name: 'grant revoke',
    description: 'Revoke a grant, with all of its tokens',
    argument,
    options: { reason },
    examples: ["dateline grant revoke gra_… --reason 'phone lost'"],
    async run(input) {
      await input.api().post(grantPath(input.argument, 'revoke'), reasonBody(input));
      input.output.item({ id: input.argument, revoked: true });
    },
  },
];

function listPath({ optional }: CommandInput): string {
  const [user, client] = [optional('user'), optional('client')];
  if ((user === undefined) === (client === undefined)) throw usageError('Name either --user or --client.');
  return user === undefined
    ? `/operator/clients/${encodeURIComponent(client ?? '')}/grants`
    : `/operator/users/${encodeURIComponent(user)}/grants`;
}
