import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { type LeakOutcome, type LeakReport, reportLeak } from '../../oauth/leaks/report-leak.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';
import { Name, Reason, Secret } from './fields.ts';

const Leaks = Type.Object(
  {
    tokens: Type.Array(Secret, { minItems: 1, maxItems: 100 }),
    source: Name,
    note: Type.Optional(Reason),
  },
  { additionalProperties: false },
);

/** Tokens that were found in public: those still live are revoked. */
export function leakRoutes(app: App, environment: Environment): void {
  app.post<{ Body: Type.Static<typeof Leaks> }>(
    '/operator/leaks',
    { schema: { body: Leaks } },
    async (request) => {
      const { tokens, source, note = null } = request.body;
      const report: LeakReport = { actor: operatorOf(request), details: { source, note } };
      const results = [];
      // One after the other, each for itself: what is revoked stays revoked if a later one fails.
      for (const token of tokens) results.push(outcomeBody(await reportLeak(environment, token, report)));
      return { results };
    },
  );
}

/** In the order of the tokens, which are not repeated. */
function outcomeBody({ kind, outcome, ids }: LeakOutcome) {
  return {
    kind,
    outcome,
    token_id: ids.tokenId ?? null,
    grant_id: ids.grantId ?? null,
    client_id: ids.clientId ?? null,
  };
}
