import type { Command, CommandInput } from '../command.ts';
import { limit, listSome, queryOf } from '../input/filters.ts';
import { addPeriod, period } from '../input/time-option.ts';
import type { Json } from '../json.ts';

const filters = {
  actor: 'actor',
  'token-id': 'token_id',
  grant: 'grant_id',
  client: 'client_id',
  user: 'user_id',
  organization: 'organization_id',
  action: 'action',
} as const;

export const auditCommands: readonly Command[] = [
  {
    name: 'audit list',
    description: 'List who did what, when and why; newest first',
    options: {
      actor: {
        placeholder: 'id',
        description: 'Only what this operator key, client or user did, or "configured" or "system"',
      },
      'token-id': { placeholder: 'token-id', description: 'Only what concerns this token' },
      grant: { placeholder: 'grant-id', description: 'Only what concerns this grant' },
      client: { placeholder: 'client-id', description: 'Only what concerns this client' },
      user: { placeholder: 'user-id', description: 'Only what concerns this user' },
      organization: { placeholder: 'organization-id', description: 'Only what concerns this organization' },
      action: { placeholder: 'name', description: 'Only this action, such as grant.revoked' },
      ...period,
      limit,
    },
    examples: [
      'dateline audit list --client cli_…',
      'dateline audit list --actor opk_…',
      'dateline audit list --action grant.revoked --limit 20',
    ],
    run: listAudit,
  },
];

async function listAudit(input: CommandInput): Promise<void> {
  const query = addPeriod(input, queryOf(input, filters));
  const entries = await listSome(input, '/operator/audit', query);
  input.output.list(
    input.output.json ? entries : entries.map(withActor),
    ['at', 'by', 'action', 'token_id', 'grant_id', 'client_id', 'user_id', 'organization_id', 'reason'],
    'No entries match.',
  );
}

function withActor(entry: Json): Json {
  return { ...entry, by: actorWords(entry) };
}

/** `operator Ann (opk_…)`; without a name the id alone. */
function actorWords({ actor_type: type, actor_id: id, actor_name: name }: Json): string {
  return [type, name, name ? `(${id})` : id].filter(Boolean).join(' ');
}
