import type { Change, ErrorFacts } from '../contract/change.ts';
import type { Operation } from '../contract/contract.ts';
import { nextVersion } from '../version/api-version.ts';
import { type ApiSource, type ApiStep, apiSteps } from './api-steps.ts';
import { unbridgedProblems } from './check-bridges.ts';

/** An API that cannot be built. Its message holds every problem, one in a line. */
export class InvalidApiError extends Error {
  override readonly name = 'InvalidApiError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(['The API cannot be built:', ...problems].join('\n'));
    this.problems = problems;
  }
}

/** Every problem that keeps an API from being built, in sentences: what is wrong, where, and what to do. */
export function apiProblems(source: ApiSource, steps: readonly ApiStep[] = apiSteps(source)): string[] {
  return [...steps.flatMap(stepProblems), ...orderProblems(source)];
}

/** A step with its changes, as the checks below need it. */
export interface CheckedStep extends ApiStep {
  changes: readonly Change[];
  /** Such as `from 2027-01 to 2026-10`. */
  span: string;
}

function stepProblems(step: ApiStep): string[] {
  const { older, newer, changes, folder } = step;
  if (nextVersion(older.version) !== newer.version) {
    return [
      `There is no contract between ${older.version} and ${newer.version}; versions follow each other by quarters.`,
    ];
  }
  const span = `from ${newer.version} to ${older.version}`;
  if (changes === null)
    return [`The changes ${span} are missing; add ${folder}, with an empty list if nothing changed.`];
  const checked = { ...step, changes, span };
  return [
    ...uncoveredDifferences(checked),
    ...changes.flatMap((change) => changeProblems(change, checked)),
    ...older.operations.flatMap((operation) => errorCodeProblems(operation, checked)),
    ...unbridgedProblems(checked),
  ];
}

/** The change that a difference belongs to; undefined where no change touches it. */
export function changeTouching(path: string, changes: readonly Change[]): Change | undefined {
  return changes.find(({ touches }) => touches.some((touch) => patternOf(touch).test(path)));
}

function uncoveredDifferences({ differences, changes, span, folder }: CheckedStep): string[] {
  return differences
    .filter((path) => !changeTouching(path, changes))
    .map((path) => `${path} differs ${span}, but no change module touches it; write one in ${folder}.`);
}

/** `touches` are paths of differences, or their beginnings; `**` stands for anything. */
function patternOf(touch: string): RegExp {
  const parts = touch.split('**').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}(\\.|$)`);
}

function changeProblems(change: Change, step: CheckedStep): string[] {
  const where = `${change.name} (${step.span})`;
  const remedy = `correct it in ${step.folder}, or delete the module`;
  const { older, newer } = step;
  const olderOperations = older.operations.map(({ id }) => id);
  const newerOperations = newer.operations.map(({ id }) => id);
  const newerEvents = newer.events.map(({ kind }) => kind);
  const bridged = [...keysOf(change.upgradeRequest), ...keysOf(change.downgradeResponse)];
  const lacking = (names: readonly string[], known: readonly string[]) =>
    [...new Set(names)].filter((name) => !known.includes(name));
  return [
    ...(change.touches.length === 0 ? [`${where} touches nothing`] : []),
    ...idleTouches(change, step).map((touch) => `${where} touches ${touch}, where nothing differs`),
    ...lacking(bridged, olderOperations).map(
      (id) => `${where} bridges ${id}, which ${older.version} does not have`,
    ),
    ...lacking(keysOf(change.downgradeEvent), newerEvents).map(
      (kind) => `${where} downgrades the event ${kind}, which ${newer.version} does not have`,
    ),
    ...lacking(Object.values(change.redirects ?? {}), newerOperations).map(
      (id) => `${where} redirects to ${id}, which ${newer.version} does not have`,
    ),
  ].map((problem) => `${problem}; ${remedy}.`);
}

/** Paths that a change says it touches, and where nothing differs. */
function idleTouches({ touches }: Change, { differences }: CheckedStep): string[] {
  return touches.filter((touch) => !differences.some((path) => patternOf(touch).test(path)));
}

/** Every error that the newer version may answer with must become one that the older version knows. */
function errorCodeProblems(operation: Operation, step: CheckedStep): string[] {
  const { older, newer, changes, span, folder } = step;
  const counterpart = newer.operations.find(({ id }) => id === operation.id);
  return errorsOf(counterpart).flatMap((error) => {
    const { status, code } = downgraded(error, operation.id, changes);
    if (operation.errors[status]?.includes(code)) return [];
    return [
      `${operation.id} answers ${error.status} ${error.code} in ${newer.version}; ${span} it becomes ${status} ${code}, ` +
        `which ${older.version} does not know: map it with downgradeError in ${folder}.`,
    ];
  });
}

function errorsOf(operation: Operation | undefined): ErrorFacts[] {
  return Object.entries(operation?.errors ?? {}).flatMap(([status, codes]) =>
    codes.map((code) => ({ code, status: Number(status), detail: '' })),
  );
}

function downgraded(error: ErrorFacts, operationId: string, changes: readonly Change[]): ErrorFacts {
  return changes.reduceRight(
    (known, { downgradeError }) => downgradeError?.(known, operationId) ?? known,
    error,
  );
}

/** Requests pass the change sets in the order of the list. */
function orderProblems({ changeSets }: ApiSource): string[] {
  const listed = changeSets.map(({ older }) => older);
  return listed.some((older, index) => older <= (listed[index - 1] ?? ''))
    ? [`The change sets are listed as ${listed.join(', ')}; list them once each, oldest first.`]
    : [];
}

function keysOf(bridges: object | undefined): string[] {
  return Object.keys(bridges ?? {});
}
