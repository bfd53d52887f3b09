import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type FailureKeeper, RETENTION_DAYS } from '../../usage/failures/keep-failures.ts';
import { groupFailures, listFailures } from '../../usage/failures/read-failures.ts';
import type { FailedRequest as StoredFailure } from '../../usage/failures/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { AnyId, Count, describe, object, optional, orNull, pageOf, pageQuery, Text, Time } from './fields.ts';
import { type NameOf, nameField, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';
import { periodIn, periodQuery } from './period.ts';

const howItFailed = {
  client_id: describe(
    orNull(Text),
    'The client. If none was authenticated: the one whose token a request for a version that is not served came with, or that a failed authentication named; null if there is none.',
  ),
  client_name: nameField(),
  operation: describe(orNull(Text), 'The operation; null if none matched.'),
  version: describe(
    Text,
    'The version that processed it; Current if the one that it asked for is not served.',
  ),
  requested_version: describe(
    orNull(Text),
    'The version that it asked for; null if it named none, or no text that could be one.',
  ),
  status: describe(Type.Integer(), 'The status; 499 if the caller had gone.'),
  code: describe(orNull(Text), 'The code of the error; null if there is none.'),
};

const FailedRequest = object({
  id: describe(Text, 'Begins with frq_.'),
  request_id: describe(Text, 'The X-Request-Id of the answer.'),
  at: describe(Time, 'When it ended.'),
  method: describe(Text, 'Its method.'),
  route: describe(Text, 'The pattern of its address.'),
  ...howItFailed,
  duration_ms: describe(Count, 'How long it took.'),
});

const Groups = object({
  items: describe(
    Type.Array(
      object({
        ...howItFailed,
        requests: describe(Count, 'How many.'),
        last_at: describe(Time, 'When the last one ended.'),
      }),
    ),
    'Most frequent first.',
  ),
});

const Filter = (words: string) => optional(Type.String({ maxLength: 100 }), words);
const client = optional(AnyId, 'Only those of this client.');

/** Requests to the API that were answered with an error. What other nodes saw in the last two seconds may be missing. */
export function failureRoutes(app: App, environment: Environment, failures: FailureKeeper): void {
  const operation = operationsOf(app, 'Failed requests');

  operation(
    'GET /operator/failed-requests',
    {
      id: 'list_failed_requests',
      needs: 'viewer',
      summary: `List the requests of the last ${RETENTION_DAYS} days that failed`,
      description: 'Request bodies are not stored. If very many requests fail at once, some are left out.',
      query: {
        ...pageQuery,
        request_id: Filter('The one with this X-Request-Id.'),
        client_id: client,
        operation: Filter('Only those of this operation.'),
        version: Filter('Only those in this version.'),
        requested_version: Filter('Only those that asked for this version.'),
        code: Filter('Only those with this code.'),
        ...periodQuery,
      },
      answer: { description: 'A page of requests, newest first.', body: pageOf(FailedRequest) },
    },
    async (request) => {
      await failures.flush();
      const { request_id: requestId = null, client_id: clientId = null } = request.query;
      const { operation = null, version = null, code = null } = request.query;
      const { requested_version: requestedVersion = null } = request.query;
      const period = periodIn(request.query);
      const filter = { requestId, clientId, operation, version, code, requestedVersion, ...period };
      const page = await listFailures(environment, filter, pageRequest(request));
      const nameOf = await namesOf(environment, page.items.map(clientOf));
      return pageBody(page, (failed) => failureBody(failed, nameOf));
    },
  );

  operation(
    'GET /operator/failed-requests/groups',
    {
      id: 'group_failed_requests',
      needs: 'viewer',
      summary: 'Count failed requests by client, operation, version and code',
      query: {
        client_id: client,
        version: Filter('Only those in this version.'),
        requested_version: Filter('Only those that asked for this version.'),
        days: optional(
          Type.Integer({ minimum: 1, maximum: RETENTION_DAYS }),
          `How many days back, today among them, in UTC; ${RETENTION_DAYS} by default.`,
        ),
        ...periodQuery,
      },
      answer: { description: 'The counts.', body: Groups },
    },
    async ({ query }) => {
      await failures.flush();
      const { client_id: clientId = null, days = RETENTION_DAYS } = query;
      const { version = null, requested_version: requestedVersion = null } = query;
      if (query.since !== undefined && query.days !== undefined)
        throw new ApiError('validation_failed', { detail: 'Give either since or days, not both.' });
      const filter = { clientId, version, requestedVersion, ...periodIn(query) };
      const groups = await groupFailures(environment, { days, ...filter });
      const nameOf = await namesOf(environment, groups.map(clientOf));
      return {
        items: groups.map(({ clientId, requestedVersion, lastAt, ...group }) => ({
          ...group,
          client_id: clientId,
          client_name: nameOf(clientId),
          requested_version: requestedVersion,
          last_at: lastAt.toISOString(),
        })),
      };
    },
  );
}

const clientOf = ({ clientId }: Pick<StoredFailure, 'clientId'>) => clientId;

function failureBody(failed: StoredFailure, nameOf: NameOf) {
  const { requestId, clientId, requestedVersion, durationMs, at, ...rest } = failed;
  return {
    ...rest,
    requested_version: requestedVersion,
    request_id: requestId,
    at: at.toISOString(),
    client_id: clientId,
    client_name: nameOf(clientId),
    duration_ms: durationMs,
  };
}
