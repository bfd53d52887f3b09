import { type Command, type CommandInput, postTo } from '../command.ts';
import { usageError } from '../command-error.ts';
import { listAll, search } from '../input/filters.ts';
import { disable, reason } from '../input/reason-option.ts';
import { type Json, listIn } from '../json.ts';
import { withLastFailure } from '../last-failure.ts';

const kinds = 'confidential, public or resource_server';
const argument = 'client-id';

const lists = {
  grants: {
    placeholder: 'list',
    description:
      'Grant types it may use, separated by spaces: authorization_code refresh_token client_credentials',
  },
  scopes: { placeholder: 'list', description: 'Scopes it may have, separated by spaces' },
  'redirect-uris': { placeholder: 'list', description: 'Where users are sent back to, with spaces between' },
  audiences: { placeholder: 'list', description: 'Of a resource server: the audiences of its tokens' },
} as const;

const signIn = {
  'no-pkce': { description: 'Let it get codes without PKCE; only for clients with a secret' },
  'id-token-alg': {
    placeholder: 'algorithm',
    description: 'The algorithm that signs its id_tokens: ES256 or RS256',
  },
} as const;

const clientPath = (id: string, action = ''): string =>
  `/operator/clients/${encodeURIComponent(id)}${action}`;

export const clientCommands: readonly Command[] = [
  {
    name: 'client create',
    description: 'Create an OAuth client; its secret is shown once',
    options: {
      organization: {
        placeholder: 'organization-id',
        required: true,
        description: 'The organization that owns it',
      },
      name: {
        placeholder: 'text',
        required: true,
        description: 'The name that users see on the consent page',
      },
      kind: { placeholder: 'kind', description: `One of ${kinds} (default confidential)` },
      ...lists,
      scopes: {
        ...lists.scopes,
        description: `${lists.scopes.description}; by default all but grants:manage and offline_access, and none for a resource server`,
      },
      ...signIn,
    },
    examples: [
      "dateline client create --organization org_… --name 'Reports' --scopes 'products:read'",
      "dateline client create --organization org_… --name 'Our app' --kind public --redirect-uris 'com.example.app:/callback'",
      "dateline client create --organization org_… --name 'Shop' --redirect-uris 'https://shop.example/callback' --no-pkce",
      "dateline client create --organization org_… --name 'Orders API' --kind resource_server --audiences https://orders.example.com",
    ],
    run: createClient,
  },
  {
    name: 'client list',
    description: 'List OAuth clients',
    options: {
      organization: { placeholder: 'organization-id', description: 'Only those of this organization' },
      search,
    },
    examples: [
      'dateline client list',
      'dateline client list --organization org_… --json',
      'dateline client list --search reports',
    ],
    async run(input) {
      const filters = { organization: 'organization_id', search: 'search' };
      const clients = await listAll(input, '/operator/clients', filters);
      input.output.list(
        input.output.json ? clients : withLastFailure(clients),
        ['id', 'name', 'kind', 'organization_id', 'disabled_at', 'created_at', 'last_failure'],
        'No clients yet. Create one: dateline client create --organization … --name …',
      );
    },
  },
  {
    name: 'client show',
    description: 'Show an OAuth client and when its secrets were last used',
    argument,
    examples: ['dateline client show cli_…'],
    run: showClient,
  },
  {
    name: 'client update',
    description: 'Change the named fields of an OAuth client; issued tokens stay as they are',
    argument,
    options: {
      name: { placeholder: 'text', description: 'Its new name' },
      ...lists,
      pkce: { description: 'Require PKCE of it' },
      ...signIn,
    },
    examples: ["dateline client update cli_… --redirect-uris 'https://a.example/cb https://b.example/cb'"],
    async run(input) {
      const changes = { ...nameOf(input), ...listsOf(input), ...pkceOf(input), ...algorithmOf(input) };
      if (Object.keys(changes).length === 0)
        throw usageError(
          'Name what to change: --name, --grants, --scopes, --redirect-uris, --audiences, --pkce, --no-pkce or --id-token-alg.',
        );
      input.output.item(await input.api().patch(clientPath(input.argument), changes));
    },
  },
  {
    name: 'client rotate-secret',
    description: 'Give an OAuth client a new secret; the one before works on until the next rotation',
    argument,
    examples: ['dateline client rotate-secret cli_…'],
    async run({ api, output, argument: id }) {
      output.item(await api().post(clientPath(id, '/rotate-secret')));
      output.note('The secret is shown only now. The one before it works on until the next rotation.');
    },
  },
  {
    name: 'client revoke-secret',
    description: 'Revoke one secret of an OAuth client at once',
    argument,
    options: {
      secret: {
        placeholder: 'secret-id',
        required: true,
        description: 'Which one; "client show" lists them',
      },
    },
    examples: ['dateline client revoke-secret cli_… --secret sec_…'],
    async run({ api, output, argument: id, required }) {
      const path = `/secrets/${encodeURIComponent(required('secret'))}/revoke`;
      output.item(await api().post(clientPath(id, path)));
    },
  },
  {
    name: 'client disable',
    description: 'Disable an OAuth client: it and its tokens are refused until it is enabled again',
    argument,
    options: { reason },
    examples: ['dateline client disable cli_…', "dateline client disable cli_… --reason 'its secret leaked'"],
    run: disable('clients'),
  },
  {
    name: 'client enable',
    description: 'Enable an OAuth client again; its tokens that have not expired work as before',
    argument,
    examples: ['dateline client enable cli_…'],
    run: postTo('clients', 'enable'),
  },
  {
    name: 'client delete',
    description: 'Delete an OAuth client for good, with all its tokens and secrets',
    argument,
    options: { yes: { description: 'Do it; without this, only the client is shown' } },
    examples: ['dateline client delete cli_… --yes'],
    run: deleteClient,
  },
];

async function createClient(input: CommandInput): Promise<void> {
  const { api, output, required, optional } = input;
  const created = await api().post('/operator/clients', {
    organization_id: required('organization'),
    name: required('name'),
    kind: optional('kind') ?? 'confidential',
    ...listsOf(input),
    ...pkceOf(input),
    ...algorithmOf(input),
  });
  output.item(created);
  if ('client_secret' in created) output.note('The secret is shown only now.');
}

async function showClient({ api, output, argument: id }: CommandInput): Promise<void> {
  const client = await api().get(clientPath(id));
  if (output.json) return output.item(client);
  const { secrets, ...rest } = client;
  output.item(rest);
  output.text('');
  const empty =
    rest.kind === 'public'
      ? 'A public client has no secrets.'
      : 'No live secrets. Make one: dateline client rotate-secret …';
  output.list(listIn(secrets), ['id', 'created_at', 'last_used_at'], empty);
}

async function deleteClient(input: CommandInput): Promise<void> {
  const { api, output, argument: id, isSet } = input;
  if (!isSet('yes')) {
    await showClient(input);
    return output.note(
      'Nothing was deleted. Pass --yes to delete this client with all its tokens and secrets.',
    );
  }
  await api().delete(clientPath(id));
  output.item({ id, deleted: true });
}

function nameOf({ optional }: CommandInput): Json {
  const name = optional('name');
  return name === undefined ? {} : { name };
}

function pkceOf({ isSet }: CommandInput): Json {
  if (isSet('pkce') && isSet('no-pkce')) throw usageError('Pass --pkce or --no-pkce, not both.');
  if (isSet('no-pkce')) return { require_pkce: false };
  return isSet('pkce') ? { require_pkce: true } : {};
}

function algorithmOf({ optional }: CommandInput): Json {
  const algorithm = optional('id-token-alg');
  return algorithm === undefined ? {} : { id_token_signed_response_alg: algorithm };
}

/** Lists as the service takes them: those that were named, an empty one for empty text. */
function listsOf({ optional }: CommandInput): Json {
  const fields = {
    grants: 'grant_types',
    scopes: 'scopes',
    'redirect-uris': 'redirect_uris',
    audiences: 'audiences',
  };
  const named = Object.entries(fields).filter(([option]) => optional(option) !== undefined);
  return Object.fromEntries(
    named.map(([option, field]) => [field, (optional(option) ?? '').split(' ').filter(Boolean)]),
  );
}
