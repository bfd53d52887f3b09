import type { Change } from '../contract/change.ts';
import { type Body, declaredBody, type Operation } from '../contract/contract.ts';
import { isJsonType } from '../reading/read-content.ts';
import type { CheckedStep } from './api-steps.ts';

/**
 * Differences that no value can show, and that need code all the same: an operation, a status, a header or a media type that one
 * of two neighbours has and the other lacks. What is in bodies and parameters is shown by samples.
 */
export function unbridgedProblems(step: CheckedStep): { id: string; sentence: string }[] {
  return step.older.operations.flatMap((operation) =>
    operationProblems(operation, step).map((sentence) => ({ id: operation.id, sentence })),
  );
}

function operationProblems(operation: Operation, step: CheckedStep): string[] {
  const { newer, changes, span, folder } = step;
  const redirected = changes.findLast(({ redirects }) => redirects?.[operation.id] !== undefined);
  const headId = redirected?.redirects?.[operation.id] ?? operation.id;
  const head = newer.operations.find(({ id }) => id === headId);
  const remedy = (what: string): string => `${what}; write it into a change in ${folder}.`;
  // A redirection that leads nowhere is a problem of its change.
  if (head === undefined)
    return redirected || isServed(operation.id, step) ? [] : [removalProblem(operation, step)];
  if (!step.differing.has(operation.id) && head.id === operation.id) return [];
  return [
    ...safetyProblems(operation, head, step),
    ...statusesWithout(operation, head, changes).map((status) =>
      remedy(
        `${operation.id} answers ${status} ${span}, which ${step.older.version} does not know: say which status it becomes with downgradeStatus`,
      ),
    ),
    ...lostHeaders(operation, head, changes).map((name) =>
      remedy(
        `${operation.id} no longer answers with the header ${name} ${span}: make it with downgradeHeaders`,
      ),
    ),
    ...lostRequestTypes(operation, head, changes).map((type) =>
      remedy(`${operation.id} no longer takes ${type} ${span}: make another type of it with upgradeContent`),
    ),
    ...newAnswerTypes(operation, head, changes).map((type) =>
      remedy(
        `${operation.id} may answer with ${type} ${span}, which ${step.older.version} does not know: make another type of it with downgradeContent`,
      ),
    ),
  ];
}

/** An operation that the newer version lacks is served as it was, or answered by what stands beside the contract. */
function isServed(id: string, { changes, answered }: CheckedStep): boolean {
  return answered.has(id) || changes.some(({ kept = [] }) => kept.includes(id));
}

function removalProblem({ id }: Operation, { newer, span, folder }: CheckedStep): string {
  return (
    `${id} is not in ${newer.version}, and nothing serves it ${span}: redirect it to another operation (redirects), keep it as it ` +
    `was (kept) or answer it with a handler; write it into a change in ${folder}.`
  );
}

const SAFE = new Set(['GET', 'HEAD']);

/** What only reads must not become what writes, nor the other way round: neither caches nor retries expect it. */
function safetyProblems(operation: Operation, head: Operation, { span, folder }: CheckedStep): string[] {
  if (SAFE.has(operation.method) === SAFE.has(head.method)) return [];
  return [
    `${operation.id} (${operation.method}) becomes ${head.id} (${head.method}) ${span}: one only reads, and the other does not; ` +
      `choose another operation in ${folder}.`,
  ];
}

function statusesWithout(operation: Operation, head: Operation, changes: readonly Change[]): string[] {
  const becomes = (status: number): number =>
    changes.reduceRight(
      (known, { downgradeStatus }) => downgradeStatus?.[operation.id]?.[known] ?? known,
      status,
    );
  const named = Object.keys(head.responses).filter(
    (status) => declaredBody(operation, becomes(Number(status))) === undefined,
  );
  const ranges = successRanges(head).filter((range) => operation.ranges?.[range] === undefined);
  return [...named, ...ranges];
}

function successRanges({ ranges = {} }: Operation): string[] {
  return ['2XX', '3XX'].filter((range) => ranges[range] !== undefined);
}

function successesOf(operation: Operation): (Body | null)[] {
  const ranges = successRanges(operation).map((range) => operation.ranges?.[range] ?? null);
  return [...Object.values(operation.responses), ...ranges];
}

function lostHeaders(operation: Operation, head: Operation, changes: readonly Change[]): string[] {
  if (changes.some(({ downgradeHeaders }) => downgradeHeaders?.[operation.id])) return [];
  return (operation.answerHeaders ?? []).filter((name) => !head.answerHeaders?.includes(name));
}

function lostRequestTypes(operation: Operation, head: Operation, changes: readonly Change[]): string[] {
  if (changes.some(({ upgradeContent }) => upgradeContent?.[operation.id])) return [];
  const isTranslated = changes.some(({ upgradeRequest }) => upgradeRequest?.[operation.id]);
  const taken = typesOf(head.body);
  return typesOf(operation.body).filter(
    (type) => !taken.includes(type) && !(isTranslated && isJsonType(type)),
  );
}

function newAnswerTypes(operation: Operation, head: Operation, changes: readonly Change[]): string[] {
  if (changes.some(({ downgradeContent }) => downgradeContent?.[operation.id])) return [];
  const known = successesOf(operation).flatMap(typesOf);
  const isTranslated = changes.some(({ downgradeResponse }) => downgradeResponse?.[operation.id]);
  const given = successesOf(head).flatMap(typesOf);
  return [...new Set(given)].filter((type) => !known.includes(type) && !(isTranslated && isJsonType(type)));
}

function typesOf(body: Body | null): string[] {
  return body === null ? [] : [body.mediaType, ...(body.others ?? []).map(({ mediaType }) => mediaType)];
}
