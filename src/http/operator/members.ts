import type { Wire } from '../../contracts/head/operation-parts.ts';
import { removeMember } from '../../directory/users.ts';
import type { Environment } from '../../environments/environment.ts';
import { addMember, listMembers } from '../../identity/members.ts';
import type { Member as StoredMember } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited } from './acting-operator.ts';
import { AnyId, describe, object, pageOf, pageQuery, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const NewMember = object({ user_id: describe(AnyId, 'The id of the user who becomes a member.') });

const membershipFields = {
  organization_id: describe(Text, 'The organization.'),
  user_id: describe(Text, 'The member.'),
  created_at: describe(Time, 'Since when the user is a member.'),
};
const Membership = object(membershipFields);
const Member = object({
  ...membershipFields,
  email: describe(Text, 'The email address that the member signs in with.'),
  name: describe(Text, 'The name of the member.'),
});

export function memberRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Members');

  operation(
    'GET /operator/organizations/:id/members',
    {
      id: 'list_members',
      needs: 'viewer',
      summary: 'List the members of an organization',
      params: { id: 'The id of the organization.' },
      query: pageQuery,
      answer: { description: 'A page of members.', body: pageOf(Member) },
    },
    async (request) =>
      pageBody(await listMembers(environment, request.params.id, pageRequest(request)), memberBody),
  );

  operation(
    'POST /operator/organizations/:id/members',
    {
      id: 'add_member',
      needs: 'admin',
      summary: 'Make a user a member of an organization',
      description: 'Adding a member again changes nothing.',
      params: { id: 'The id of the organization.' },
      body: NewMember,
      answer: { status: 201, description: 'The membership.', body: Membership },
    },
    async (request) => {
      const key = { organizationId: request.params.id, userId: request.body.user_id };
      const { createdAt } = await audited(environment, request, {
        act: (context) => addMember(context, key),
        entry: () => ({ action: 'member.added', ...key }),
      });
      return {
        organization_id: key.organizationId,
        user_id: key.userId,
        created_at: createdAt.toISOString(),
      };
    },
  );

  operation(
    'DELETE /operator/organizations/:id/members/:user_id',
    {
      id: 'remove_member',
      needs: 'admin',
      summary: 'Remove a member from an organization',
      description: "The user's tokens no longer reach the organization, at once.",
      params: { id: 'The id of the organization.', user_id: 'The id of the user.' },
      answer: { status: 204, description: 'The user is no longer a member.' },
    },
    async (request) => {
      const key = { organizationId: request.params.id, userId: request.params.user_id };
      await audited(environment, request, {
        act: (context) => removeMember(context, key),
        entry: () => ({ action: 'member.removed', ...key }),
      });
    },
  );
}

function memberBody(member: StoredMember): Wire<typeof Member> {
  return {
    organization_id: member.organizationId,
    user_id: member.userId,
    email: member.email,
    name: member.name,
    created_at: member.createdAt.toISOString(),
  };
}
