import type { Command, CommandInput } from '../command.ts';

const PATH = '/operator/registration-tokens';

export const registrationTokenCommands: readonly Command[] = [
  {
    name: 'registration-token create',
    description: 'Create a token that lets one client register itself within a day; it is shown once',
    options: {
      scopes: {
        placeholder: 'list',
        description: 'Scopes it may have at most, separated by spaces; all usual ones by default',
      },
      grants: {
        placeholder: 'list',
        description: 'Grant types it may use at most, separated by spaces; all by default',
      },
    },
    examples: [
      'dateline registration-token create --environment production',
      "dateline registration-token create --environment production --scopes 'products:read' --grants client_credentials",
    ],
    run: createToken,
  },
  {
    name: 'registration-token list',
    description: 'List registration tokens, used ones too for a while',
    examples: ['dateline registration-token list --environment production'],
    async run({ api, output }) {
      const columns = ['id', 'scopes', 'grant_types', 'created_at', 'expires_at', 'used_at'];
      output.list(await api().all(PATH), columns, 'No registration tokens.');
    },
  },
  {
    name: 'registration-token revoke',
    description: 'Revoke a registration token that was not used yet',
    argument: 'token-id',
    examples: ['dateline registration-token revoke rgt_… --environment production'],
    async run({ api, output, argument }) {
      await api().delete(`${PATH}/${encodeURIComponent(argument)}`);
      output.item({ id: argument, revoked: true });
    },
  },
];

async function createToken({ api, output, optional }: CommandInput): Promise<void> {
  const named = (option: string, field: string) => {
    const text = optional(option);
    return text === undefined ? {} : { [field]: text.split(' ').filter(Boolean) };
  };
  const body = { ...named('scopes', 'scopes'), ...named('grants', 'grant_types') };
  output.item(await api().post(PATH, body));
  output.note('The token is shown only now, and is valid for one registration.');
}
