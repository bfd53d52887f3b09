import type { Command } from '../command.ts';
import { limit, listSome, queryOf } from '../input/filters.ts';
import { listIn } from '../json.ts';

const PATH = '/operator/failed-requests';
const ANSWER = ['version', 'status', 'code'];
const client = { placeholder: 'client-id', description: 'Only those of this client' } as const;

export const failedRequestCommands: readonly Command[] = [
  {
    name: 'failed-request list',
    description: 'List the requests of the last 7 days that failed; newest first',
    options: {
      'request-id': { placeholder: 'request-id', description: 'The one whose answer had this X-Request-Id' },
      client,
      operation: { placeholder: 'name', description: 'Only those of this operation' },
      version: { placeholder: 'YYYY-MM', description: 'Only those in this version' },
      code: { placeholder: 'code', description: 'Only those with this error code' },
      limit,
    },
    examples: [
      'dateline failed-request list --client cli_…',
      'dateline failed-request list --version 2026-10 --code invalid_token',
      'dateline failed-request list --request-id req_…',
    ],
    async run(input) {
      const names = { 'request-id': 'request_id', client: 'client_id' };
      const same = { operation: 'operation', version: 'version', code: 'code' };
      input.output.list(
        await listSome(input, PATH, queryOf(input, { ...names, ...same })),
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
      days: { placeholder: 'N', description: 'How many days to look back, today (UTC) included (default 7)' },
    },
    examples: ['dateline failed-request groups --days 1', 'dateline failed-request groups --client cli_…'],
    async run(input) {
      const query = queryOf(input, { client: 'client_id', days: 'days' });
      const { items } = await input.api().get(`${PATH}/groups?${query}`);
      input.output.list(
        listIn(items),
        ['client_id', 'operation', 'requested_version', ...ANSWER, 'requests', 'last_at'],
        'No requests failed.',
      );
    },
  },
];
