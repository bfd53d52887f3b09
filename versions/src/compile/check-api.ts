import type { Change, ErrorFacts } from '../contract/change.ts';
import type { Operation } from '../contract/contract.ts';
import { touchPattern } from '../contract/touch-pattern.ts';
import { type ApiVersion, nextVersion } from '../version/api-version.ts';
import { type ApiSource, type ApiStep, apiSteps, type CheckedStep } from './api-steps.ts';
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

/** Something that keeps an API from being built. */
export interface ApiFinding {
  /** The newer one of the two versions that it is about; null where it is about the source as a whole. */
  version: ApiVersion | null;
  /** The operation, the event kind or the difference that it is about; empty where it is about all of them. */
  about: string;
  /** What is wrong, and what to do, about this one and others of the same form. */
  sentence(abouts: readonly string[]): string;
  /** Those of one form can be told together. */
  form: string;
}

/** Every problem that keeps an API from being built, in sentences: what is wrong, where, and what to do. */
export function apiProblems(source: ApiSource, steps: readonly ApiStep[] = apiSteps(source)): string[] {
  return apiFindings(source, steps).map(({ about, sentence }) => sentence([about]));
}

/** The same with what they are about, so that a place in a document can be shown. */
export function apiFindings(source: ApiSource, steps: readonly ApiStep[] = apiSteps(source)): ApiFinding[] {
  return [
    ...steps.flatMap(stepProblems),
    ...orderProblems(source).map((sentence) => finding(null, '', sentence)),
  ];
}

const finding = (version: ApiVersion | null, about: string, sentence: string): ApiFinding => ({
  version,
  about,
  sentence: () => sentence,
  form: sentence,
});

function stepProblems(step: ApiStep): ApiFinding[] {
  const { older, newer, changes, folder } = step;
  const found = (sentence: string): ApiFinding => finding(newer.version, '', sentence);
  if (nextVersion(older.version) !== newer.version) {
    return [
      found(
        `There is no contract between ${older.version} and ${newer.version}; versions follow each other by quarters.`,
      ),
    ];
  }
  const span = `from ${newer.version} to ${older.version}`;
  if (changes === null)
    return [found(`The changes ${span} are missing; add ${folder}, with an empty list if nothing changed.`)];
  const checked = { ...step, changes, span };
  const newerOperations = new Map(newer.operations.map((operation) => [operation.id, operation]));
  return [
    ...uncoveredDifferences(checked),
    ...changes.flatMap((change) => changeProblems(change, checked)).map(found),
    ...older.operations.flatMap((operation) =>
      errorCodeProblems(operation, newerOperations.get(operation.id), checked),
    ),
    ...unbridgedProblems(checked).map(({ id, sentence }) => finding(newer.version, id, sentence)),
  ];
}

/** Finds the change that the difference at a path belongs to; undefined where no change touches it. */
export function changeFinder(changes: readonly Change[]): (path: string) => Change | undefined {
  const touching = changes.map((change) => ({ change, patterns: change.touches.map(touchPattern) }));
  return (path) => touching.find(({ patterns }) => patterns.some((pattern) => pattern.test(path)))?.change;
}

function uncoveredDifferences({ newer, differences, changes, span, folder }: CheckedStep): ApiFinding[] {
  const sentence = (paths: readonly string[]): string => {
    const [verb, object] = paths.length === 1 ? ['differs', 'it'] : ['differ', 'them'];
    return `${listed(paths)} ${verb} ${span}, but no change module touches ${object}; write one in ${folder}.`;
  };
  const changeAt = changeFinder(changes);
  return differences
    .filter((path) => !changeAt(path))
    .map((about) => ({ version: newer.version, about, sentence, form: `uncovered ${span}` }));
}

const LISTED_MAX = 3;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, LISTED_MAX).join(', ');
  const more = names.length - LISTED_MAX;
  return more > 0 ? `${shown} and ${more.toLocaleString('en')} more` : shown;
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
    ...(change.touches.length === 0 && !change.codeOf ? [`${where} touches nothing`] : []),
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
  return touches.filter((touch) => {
    const pattern = touchPattern(touch);
    return !differences.some((path) => pattern.test(path));
  });
}

/** Every error that the newer version may answer with must become one that the older version knows. */
function errorCodeProblems(
  operation: Operation,
  counterpart: Operation | undefined,
  step: CheckedStep,
): ApiFinding[] {
  const { older, newer, changes, span, folder } = step;
  return errorsOf(counterpart).flatMap((error) => {
    const { status, code } = downgraded(error, operation.id, changes);
    if (operation.errors[status]?.includes(code)) return [];
    const answer = `${error.status} ${error.code} in ${newer.version}; ${span} it becomes ${status} ${code}`;
    const remedy = `which ${older.version} does not know: map it with downgradeError in ${folder}.`;
    return [
      {
        version: newer.version,
        about: `${operation.id}.errors.${error.status}`,
        sentence: (abouts) =>
          abouts.length === 1
            ? `${operation.id} answers ${answer}, ${remedy}`
            : `${operation.id} and ${(abouts.length - 1).toLocaleString('en')} more answer ${answer}, ${remedy}`,
        form: `${answer} ${remedy}`,
      },
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
