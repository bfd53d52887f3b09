import { listClientsAtRisk, noteOAuthOnly } from '../clients-at-risk.ts';
import type { Command, CommandInput } from '../command.ts';
import { usageError } from '../command-error.ts';
import { queryOf } from '../input/filters.ts';
import { listIn } from '../json.ts';

const DAYS_DEFAULT = '30';
const BY_DEFAULT = 'version,choice,client';

export const usageCommand: Command = {
  name: 'usage',
  description: 'Show who uses which API version, or who breaks at the next release',
  options: {
    'at-risk': {
      description: 'Only clients that the next release breaks: they use Deprecated, or name no version',
    },
    version: { placeholder: 'YYYY-MM', description: 'Only requests of this version' },
    choice: {
      placeholder: 'choice',
      description:
        'Only requests whose version was chosen so: pinned, defaulted, rejected_removed, rejected_unknown or rejected_malformed',
    },
    client: { placeholder: 'client-id', description: 'Only requests of this client' },
    days: {
      placeholder: 'N',
      description: `How many days to look back, today (UTC) included (default ${DAYS_DEFAULT})`,
    },
    from: { placeholder: 'YYYY-MM-DD', description: 'The first day (UTC), instead of --days' },
    to: { placeholder: 'YYYY-MM-DD', description: 'The last day (UTC; default: today)' },
    by: {
      placeholder: 'list',
      description: `What to group by: any of day,version,choice,client,operation (default ${BY_DEFAULT})`,
    },
  },
  examples: [
    'dateline usage --at-risk --environment production',
    'dateline usage --version 2026-10 --by day',
    'dateline usage --version 2026-07 --choice pinned --by client',
    'dateline usage --client cli_… --by version,operation --days 7',
  ],
  run: (input) => (input.isSet('at-risk') ? showClientsAtRisk(input) : showUsage(input)),
};

async function showUsage(input: CommandInput): Promise<void> {
  const { api, output, optional } = input;
  if (optional('from') !== undefined && optional('days') !== undefined)
    throw usageError('Pass --from or --days, not both.');
  const days = parseDays(optional('days'));
  const by = optional('by') ?? BY_DEFAULT;
  const same = ['version', 'choice', 'client', 'from', 'to'];
  const query = queryOf(input, Object.fromEntries(same.map((name) => [name, name])));
  query.set('group', by);
  if (optional('from') === undefined) query.set('days', days);
  const { items, truncated } = await api().get(`/operator/usage?${query}`);
  output.list(
    listIn(items),
    columnsFor(by),
    `No requests were counted in ${optional('from') ? 'these' : `the last ${days}`} days. Only the versioned API (/v1/…) is counted, and refused versions.`,
  );
  if (truncated) output.note('There is more; narrow it with --version, --choice, --client, --days or --by.');
}

function columnsFor(by: string): string[] {
  const named = ['client', 'organization'];
  const dimensions = by
    .split(',')
    .flatMap((dimension) =>
      named.includes(dimension) ? [`${dimension}_id`, `${dimension}_name`] : [dimension],
    );
  return [...dimensions, 'requests', 'last_day'];
}

async function showClientsAtRisk({ api, output, optional }: CommandInput): Promise<void> {
  const days = parseDays(optional('days'));
  const useless = ['version', 'choice', 'client', 'from', 'to', 'by'].find(
    (option) => optional(option) !== undefined,
  );
  if (useless) throw usageError(`--at-risk does not go with --${useless}.`);
  const report = await api().get(`/operator/usage/at-risk?days=${days}`);
  if (output.json) return output.item(report);
  const { planned_at, removed_version: removedVersion, next_default_version } = report;
  output.text(
    `The next release (${planned_at ?? 'not planned'}) removes ${removedVersion} and makes ${next_default_version} the default.`,
  );
  listClientsAtRisk(output, listIn(report.items), {
    removedVersion: String(removedVersion),
    days,
    counted: report.counted_requests,
  });
  noteOAuthOnly(output, listIn(report.oauth_only));
}

function parseDays(text = DAYS_DEFAULT): string {
  if (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 400) return text;
  throw usageError('--days must be a whole number from 1 to 400.');
}
