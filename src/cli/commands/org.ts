import { type Command, postTo } from '../command.ts';
import { listAll, search } from '../input/filters.ts';
import { requireYes, yes } from '../input/require-yes.ts';

export const orgCommands: readonly Command[] = [
  {
    name: 'org create',
    description: 'Create an organization',
    options: {
      name: { placeholder: 'text', required: true, description: 'Its name, 1 to 200 characters' },
    },
    examples: ["dateline org create --name 'My company'"],
    async run({ api, output, required }) {
      output.item(await api().post('/operator/organizations', { name: required('name') }));
    },
  },
  {
    name: 'org show',
    description: 'Show an organization',
    argument: 'organization-id',
    examples: ['dateline org show org_…'],
    async run({ api, output, argument }) {
      output.item(await api().get(`/operator/organizations/${encodeURIComponent(argument)}`));
    },
  },
  {
    name: 'org rename',
    description: 'Give an organization another name',
    argument: 'organization-id',
    options: {
      name: {
        placeholder: 'text',
        required: true,
        description: 'Its new name, 1 to 200 characters',
      },
    },
    examples: ["dateline org rename org_… --name 'Our company'"],
    async run({ api, output, argument, required }) {
      const path = `/operator/organizations/${encodeURIComponent(argument)}`;
      output.item(await api().patch(path, { name: required('name') }));
    },
  },
  {
    name: 'org suspend',
    description: 'Suspend an organization: its tokens are inactive there, and its webhooks are held',
    argument: 'organization-id',
    examples: ['dateline org suspend org_…'],
    run: postTo('organizations', 'suspend'),
  },
  {
    name: 'org resume',
    description: 'Resume a suspended organization',
    argument: 'organization-id',
    examples: ['dateline org resume org_…'],
    run: postTo('organizations', 'resume'),
  },
  {
    name: 'org delete',
    description:
      'Delete an organization for good, with its clients, their tokens, its products and webhook endpoints',
    argument: 'organization-id',
    options: { yes },
    examples: ['dateline org delete org_… --yes'],
    async run({ api, output, argument, isSet }) {
      requireYes(isSet('yes'), 'organization');
      await api().delete(`/operator/organizations/${encodeURIComponent(argument)}`);
      output.item({ id: argument, deleted: true });
    },
  },
  {
    name: 'org list',
    description: 'List all organizations',
    options: { search },
    examples: ['dateline org list --environment production', "dateline org list --search 'my company'"],
    async run(input) {
      const organizations = await listAll(input, '/operator/organizations', { search: 'search' });
      input.output.list(
        organizations,
        ['id', 'name', 'suspended_at', 'created_at'],
        'No organizations yet. Create one: dateline org create --name …',
      );
    },
  },
];
