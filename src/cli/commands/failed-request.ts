import type { Command } from '../command.ts';
import { limit, listSome, queryOf } from '../input/filters.ts';
import { addPeriod, period } from '../input/time-option.ts';
import { listIn } from '../json.ts';

const PATH = '/operator/failed-requests';
const ANSWER = ['version', 'status', 'code'];
const client = { placeholder: 'client-id', description: 'Only those of this client' } as const;

const versions = {
  version: { placeholder: 'YYYY-MM', description: 'Only those in this version' },
  'requested-version': { placeholder: 'YYYY-MM', description: 'Only those that asked for this version' },
} as const;
const versionNames = { version: 'version', 'requested-version': 'requested_version' };

export const failedRequestCommands: readonly Command[] = [
  {
    name: 'failed-request list',
    description: 'List the requests of the last 7 days that failed; newest first',
    options: {
      'request-id': { placeholder: 'request-id', description: 'The one whose answer had this X-Request-Id' },
      client,
      operation: { placeholder: 'name', description: 'Only those of this operation' },
      ...versions,
      code: { placeholder: 'code', description: 'Only those with this error code' },
      ...period,
      limit,
    },
    examples: [
      'dateline failed-request list --client cli_…',
      'dateline failed-request list --requested-version 2026-07 --since 2027-01-06T17:00:00Z',
      'dateline failed-request list --version 2026-10 --code invalid_token',
      'dateline failed-request list --request-id req_…',
    ],
    async run(input) {
      const names = { 'request-id': 'request_id', client: 'client_id' };
      const same = { operation: 'operation', code: 'code', ...versionNames };
      input.output.list(
        await listSome(input, PATH, addPeriod(input, queryOf(input, { ...names, ...same }))),
        ['at', 'request_id', 'client_id', 'operation', 'requested_version', ...ANSWER, 'duration_ms'],
        'No failed requests match.',
      );
    },
  },
  {
    name: 'failed-request groups',
    description: 'Count failed requests by client, operation, version and error code; most frequent first',
    options: {
      client,
      ...versions,
      days: { placeholder: 'N', description: 'How many days to look back, today (UTC) included (default 7)' },
      ...period,
    },
    examples: ['dateline failed-request groups --days 1', 'dateline failed-request groups --client cli_…'],
    async run(input) {
      const query = addPeriod(input, queryOf(input, { client: 'client_id', days: 'days', ...versionNames }));
      const { items } = await input.api().get(`${PATH}/groups?${query}`);
      input.output.list(
        listIn(items),
        ['client_id', 'operation', 'requested_version', ...ANSWER, 'requests', 'last_at'],
        'No requests failed.',
      );
    },
  },
];
