import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { type LeakOutcome, type LeakReport, leakedKinds, reportLeak } from '../../oauth/leaks/report-leak.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';
import { describe, Name, object, oneOf, optional, orNull, Reason, Secret, Text } from './fields.ts';
import { type NameOf, nameField, namesOf } from './names.ts';
import { operationsOf } from './operation.ts';

const Leaks = object({
  tokens: describe(
    Type.Array(Secret, { minItems: 1, maxItems: 100 }),
    'What was found: tokens, codes, client secrets, operator keys. Text that is none of them is unknown.',
  ),
  source: describe(Name, 'Where they were found.'),
  note: optional(Reason, 'Further text for the audit log.'),
});

const Outcome = object({
  kind: describe(orNull(oneOf(leakedKinds)), 'What it is; null if it is unknown.'),
  outcome: describe(
    oneOf(['revoked', 'dead_already', 'kept', 'unknown']),
    'What happened to it. Kept: the last operator key with the role admin, without which no other could be created.',
  ),
  token_id: describe(orNull(Text), 'The token that it is.'),
  grant_id: describe(orNull(Text), 'The grant that it belongs to.'),
  client_id: describe(orNull(Text), 'The client that it belongs to.'),
  client_name: nameField(),
});

const Results = object({
  results: describe(
    Type.Array(Outcome),
    'In the order of the request. The secrets themselves are not repeated.',
  ),
});

/** Tokens that were found in public: those still live are revoked. */
export function leakRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Leaks');

  operation(
    'POST /operator/leaks',
    {
      id: 'report_leaks',
      needs: 'admin',
      summary: 'Revoke secrets that were found in public',
      description: 'One by one: the earlier ones stay revoked if a later one fails.',
      body: Leaks,
      answer: { description: 'What happened to each.', body: Results },
    },
    async (request) => {
      const { tokens, source, note = null } = request.body;
      const report: LeakReport = { actor: operatorOf(request), details: { source, note } };
      const outcomes = [];
      // One after the other, each for itself: what is revoked stays revoked if a later one fails.
      for (const token of tokens) outcomes.push(await reportLeak(environment, token, report));
      const nameOf = await namesOf(
        environment,
        outcomes.map(({ ids }) => ids.clientId),
      );
      return { results: outcomes.map((outcome) => outcomeBody(outcome, nameOf)) };
    },
  );
}

/** In the order of the tokens, which are not repeated. */
function outcomeBody({ kind, outcome, ids }: LeakOutcome, nameOf: NameOf): Wire<typeof Outcome> {
  return {
    kind,
    outcome,
    token_id: ids.tokenId ?? null,
    grant_id: ids.grantId ?? null,
    client_id: ids.clientId ?? null,
    client_name: nameOf(ids.clientId),
  };
}
