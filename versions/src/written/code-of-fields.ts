import type { Change, EventFacts, Json, ResponseContext, UpgradableRequest } from '../contract/change.ts';
import { isPart } from '../openapi/plain-data.ts';
import type { ContractRewrites } from './fields/field-rewrites.ts';
import type { Rewrite } from './fields/rewrite-values.ts';

/** First in the list, and so on the way up; nothing where no request needs it. */
export function upwards({ requests }: ContractRewrites['up'], names: readonly string[]): Change[] {
  if (requests.size === 0) return [];
  const upgradeRequest = Object.fromEntries(
    [...requests].map(([id, { body, query, headers }]) => [
      id,
      (request: UpgradableRequest): Partial<UpgradableRequest> => ({
        ...(body && { body: rewritten(body, request.body) }),
        ...(query && { query: rewritten(query, request.query) }),
        ...(headers && { headers: rewritten(headers, request.headers) }),
      }),
    ]),
  );
  return [{ ...codeFor(names), upgradeRequest }];
}

/** Last in the list, and so first on the way down; nothing where no answer and no event needs it. */
export function downwards(
  { answers, errors, events }: ContractRewrites['down'],
  names: readonly string[],
): Change[] {
  if (answers.size + errors.size + events.size === 0) return [];
  const byStatus = (tables: ContractRewrites['down']['answers']): NonNullable<Change['downgradeResponse']> =>
    Object.fromEntries(
      [...tables].map(([id, rewriteFor]) => [
        id,
        (body: Json, { status }: ResponseContext) => rewritten(rewriteFor(status), body),
      ]),
    );
  const downgradeEvent = Object.fromEntries(
    [...events].map(([kind, rewrite]) => [
      kind,
      (event: EventFacts): EventFacts => {
        const data = rewrite(event.data);
        return isPart(data) ? { kind: event.kind, data } : event;
      },
    ]),
  );
  return [
    {
      ...codeFor(names),
      downgradeResponse: byStatus(answers),
      downgradeErrorBody: byStatus(errors),
      downgradeEvent,
    },
  ];
}

/** What an edit makes of an object is one, and of a value of JSON another one. */
function rewritten<Value>(rewrite: Rewrite | null, value: Value): Value {
  return rewrite === null ? value : (rewrite(value) as Value);
}

function codeFor(names: readonly string[]) {
  const words = { name: names.join(', '), summary: '', why: '', upgradeNote: '' };
  const examples: Change['examples'] = [{ before: null, after: null }];
  return { ...words, kind: 'changed' as const, examples, touches: [], codeOf: names };
}
