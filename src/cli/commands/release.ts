import { setTimeout as delay } from 'node:timers/promises';
import {
  breakingText,
  callsText,
  countedText,
  listClientsAtRisk,
  noteOAuthOnly,
} from '../clients-at-risk.ts';
import type { Command, CommandInput } from '../command.ts';
import { CommandError, usageError } from '../command-error.ts';
import { type Json, listIn } from '../json.ts';
import type { OperatorApi } from '../operator-api.ts';
import type { Output } from '../output.ts';

const yes = { description: 'Do it; without this, only the plan is shown' } as const;
const reason = { placeholder: 'text', description: 'Why, for the ledger' } as const;
const outsideWindow = { description: 'Also outside the first week of a quarter; needs --reason' } as const;

export const releaseCommands: readonly Command[] = [
  {
    name: 'release plan',
    description: 'Show what the next release will do, and when',
    examples: ['dateline release plan --environment production'],
    run: showPlan,
  },
  {
    name: 'release broken',
    description: 'List the clients that the last release broke: they ask for the version that it removed',
    examples: ['dateline release broken --environment production'],
    run: showBroken,
  },
  {
    name: 'release history',
    description: 'List the decisions about releases, with who decided and why; newest first',
    examples: ['dateline release history --environment production'],
    run: showHistory,
  },
  {
    name: 'release changes',
    description: 'Show what changed in a version, and what integrators have to do',
    argument: 'version',
    examples: ['dateline release changes 2026-10'],
    run: showChanges,
  },
  {
    name: 'release run',
    description: 'Release now: Next becomes Current, Current becomes Deprecated, Deprecated is removed',
    options: {
      version: {
        placeholder: 'version',
        description: 'The version that is meant; makes retries safe',
      },
      yes,
      reason,
      'outside-window': outsideWindow,
    },
    examples: [
      'dateline release run --yes',
      'dateline release run --environment production --version 2027-01 --yes',
    ],
    async run(input) {
      if (!input.isSet('yes')) return showPlan(input);
      await decideAndWait(
        input,
        '/operator/release/run',
        (decided, current) => String(current) >= String(decided.version),
      );
    },
  },
  {
    name: 'release schedule',
    description: 'Move the next release to another time',
    options: {
      at: { placeholder: 'time', required: true, description: 'When, such as 2027-01-06T17:00:00Z' },
      yes,
      reason,
      'outside-window': outsideWindow,
    },
    examples: ['dateline release schedule --at 2027-01-06T17:00:00Z --yes'],
    async run(input) {
      const at = new Date(input.required('at'));
      if (Number.isNaN(at.getTime())) throw usageError('--at must be a time, such as 2027-01-06T17:00:00Z.');
      if (!input.isSet('yes')) return showPlan(input);
      input.output.item(
        await input.api().post('/operator/release/schedule', { at: at.toISOString(), ...decisionOf(input) }),
      );
    },
  },
  {
    name: 'release undo',
    description: 'Undo the last release',
    options: { yes, reason },
    examples: ['dateline release undo --yes'],
    async run(input) {
      if (!input.isSet('yes')) return showPlan(input);
      await decideAndWait(input, '/operator/release/undo', (decided, current) => current !== decided.version);
    },
  },
];

async function showBroken({ api, output }: CommandInput): Promise<void> {
  const { items, ...release } = await api().get('/operator/release/broken');
  const clients = listIn(items);
  if (output.json) return output.item({ ...release, items: clients });
  const { version, removed_version: removed, since, rehearsal, unnamed_requests: unnamed } = release;
  if (since === null) return output.text('Nothing was released yet, so nothing broke.');
  output.text(
    `${version} became Current at ${since}${rehearsal ? ' (rehearsal)' : ''}; ${removed} was removed.`,
  );
  output.list(
    clients.map((client) => ({ ...client, calls: callsText(client) })),
    ['client_id', 'client_name', 'organization_name', 'requests', 'calls', 'last_at'],
    `No client that is known has asked for ${removed} since.`,
  );
  if (Number(unnamed) > 0) output.text(unnamedText(Number(unnamed), removed));
}

function unnamedText(count: number, removed: unknown): string {
  return count === 1
    ? `1 more request for ${removed} was refused; whose it was is not known.`
    : `${count} more requests for ${removed} were refused; whose they were is not known.`;
}

async function showHistory({ api, output }: CommandInput): Promise<void> {
  const { items } = await api().get('/operator/release/history');
  const decisions = listIn(items);
  output.list(
    output.json ? decisions : decisions.map((one) => ({ ...one, by: one.actor_name ?? one.actor })),
    ['number', 'kind', 'version', 'effective_at', 'rehearsal', 'by', 'reason'],
    'Nothing was released yet.',
  );
}

async function showChanges({ api, output, argument }: CommandInput): Promise<void> {
  const changes = await api().get(`/operator/versions/${encodeURIComponent(argument)}/changes`);
  if (output.json) return output.item(changes);
  const groups = listIn(changes.groups);
  if (groups.length === 0) output.text(`No change of ${changes.version} is known here.`);
  for (const { title, notes } of groups) {
    output.text(`${title}:`);
    for (const note of listIn(notes)) output.text(`- ${note.title}: ${note.summary} ${note.upgrade_note}`);
  }
}

const effects: Readonly<Record<string, string>> = {
  removed: 'is removed',
  deprecated: 'becomes Deprecated',
  current: 'becomes Current',
  next: 'becomes Next',
};

const SHOWN_MAX = 20;

async function showPlan({ api, output }: CommandInput): Promise<void> {
  const { versions, clients_at_risk, oauth_only, endpoints_moving, ...plan } =
    await api().get('/operator/release');
  if (output.json) return output.item({ ...plan, versions, clients_at_risk, oauth_only, endpoints_moving });
  output.item(plan);
  const changes = listIn(versions);
  for (const { version, state, becomes } of changes)
    output.text(`${version} (${state ?? 'new'}) ${effects[String(becomes)] ?? becomes} at the release`);
  showClients(output, {
    clients: listIn(clients_at_risk),
    oauthOnly: listIn(oauth_only),
    changes,
    counted: plan.counted_requests,
  });
  showEndpoints(output, listIn(endpoints_moving));
  output.note('This is the plan; nothing was changed. Pass --yes to run it.');
}

interface RiskShown {
  clients: readonly Json[];
  oauthOnly: readonly Json[];
  changes: readonly Json[];
  counted: unknown;
}

function showClients(output: Output, { clients, oauthOnly, changes, counted }: RiskShown): void {
  const removedVersion = String(changes.find(({ becomes }) => becomes === 'removed')?.version ?? '');
  if (clients.length > 0) output.text(`${breakingText(clients)}, by what they did in the last 30 days:`);
  listClientsAtRisk(output, clients.slice(0, SHOWN_MAX), {
    removedVersion,
    days: '30',
    counted,
  });
  const more = clients.length - SHOWN_MAX;
  if (more > 0) output.text(`… and ${more} more; see them all with "dateline usage --at-risk".`);
  noteOAuthOnly(output, oauthOnly);
}

function showEndpoints(output: Output, endpoints: readonly Json[]): void {
  if (endpoints.length > 0)
    output.text('Webhook endpoints whose events are in another version from the release on:');
  output.list(
    endpoints.slice(0, SHOWN_MAX),
    ['endpoint_id', 'endpoint_url', 'organization_id', 'pinned_version', 'becomes'],
    'No webhook endpoint is pinned to the version that is removed.',
  );
  const more = endpoints.length - SHOWN_MAX;
  if (more > 0) output.text(`… and ${more} more; see them all with --json.`);
}

function decisionOf({ optional, isSet }: CommandInput): Json {
  return {
    ...(optional('reason') === undefined ? {} : { reason: optional('reason') }),
    ...(optional('version') === undefined ? {} : { version: optional('version') }),
    ...(isSet('outside-window') ? { outside_window: true } : {}),
  };
}

const WAIT_LIMIT_MS = 30_000;

/** A decision lies a few seconds ahead; the command ends when it is in effect. */
async function decideAndWait(
  input: CommandInput,
  path: string,
  isInEffect: (decided: Json, current: unknown) => boolean,
): Promise<void> {
  const api = input.api();
  const decided = await api.post(path, decisionOf(input));
  const { breaking_clients: breaking, default_changing_clients: changing } = decided;
  if (breaking !== undefined) input.output.note(`${countedText(Number(breaking), Number(changing))}.`);
  if (!decided.already) input.output.note(`Takes effect at ${decided.effective_at} on all nodes; waiting …`);
  await waitUntil(api, (current) => isInEffect(decided, current));
  input.output.item(decided);
}

async function waitUntil(api: OperatorApi, done: (current: unknown) => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_LIMIT_MS; waitedMs += 200) {
    if (done((await api.getPublic('/versions')).current)) return;
    await delay(200);
  }
  throw new CommandError(
    'It is decided, but not in effect after 30 seconds; "dateline versions" shows the state.',
  );
}
