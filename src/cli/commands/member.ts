import type { Command } from '../command.ts';

const organization = {
  placeholder: 'organization-id',
  required: true,
  description: 'The organization',
} as const;
const user = { placeholder: 'user-id', required: true, description: 'The user' } as const;

const membersPath = (organizationId: string): string =>
  `/operator/organizations/${encodeURIComponent(organizationId)}/members`;

export const memberCommands: readonly Command[] = [
  {
    name: 'member add',
    description: 'Make a user a member of an organization',
    options: { organization, user },
    examples: ['dateline member add --organization org_… --user usr_…'],
    async run({ api, output, required }) {
      output.item(await api().post(membersPath(required('organization')), { user_id: required('user') }));
    },
  },
  {
    name: 'member remove',
    description: 'End a membership: tokens lose the organization at once',
    options: { organization, user },
    examples: ['dateline member remove --organization org_… --user usr_…'],
    async run({ api, output, required }) {
      await api().delete(`${membersPath(required('organization'))}/${encodeURIComponent(required('user'))}`);
      output.item({ organization_id: required('organization'), user_id: required('user'), removed: true });
    },
  },
  {
    name: 'member list',
    description: 'List the members of an organization',
    options: { organization },
    examples: ['dateline member list --organization org_…'],
    async run({ api, output, required }) {
      const members = await api().all(membersPath(required('organization')));
      output.list(
        members,
        ['user_id', 'email', 'name', 'created_at'],
        'No members yet. Add one: dateline member add …',
      );
    },
  },
];
