import type { Change, ChangeSet, ErrorFacts, EventFacts, Json } from '../contract/change.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { fromOpenApi } from '../contract/from-openapi.ts';
import type { OpenApiDocument } from '../openapi/plain-data.ts';
import { type MarkedMembers, markedMembers, withoutMembers } from '../schema/schema-marks.ts';
import { type Validate, validator } from '../schema/validator.ts';
import type { ApiVersion } from '../version/api-version.ts';
import { type ApiSource, type ApiStep, apiSteps } from './api-steps.ts';
import { type Bridge, bridgeOf, editsNothing, type PassageWatch } from './bridge.ts';
import { apiProblems, InvalidApiError } from './check-api.ts';
import { copyOf } from './own-copy.ts';

export type CompiledApi = ReadonlyMap<ApiVersion, CompiledVersion>;

export interface CompiledVersion {
  readonly version: ApiVersion;
  readonly contract: Contract;
  readonly document: OpenApiDocument;
  readonly operations: ReadonlyMap<string, CompiledOperation>;
  readonly validateEvent: ReadonlyMap<string, Validate>;
  /** Errors that belong to no operation, such as an unknown path. */
  downgradeError(error: ErrorFacts): ErrorFacts;
  /** The event as this version knows it; null if it does not. */
  downgradeEvent(event: EventFacts): EventFacts | null;
}

export interface CompiledOperation extends Bridge {
  readonly operation: Operation;
  /** True if the contract of its head says anything else about requests. */
  readonly requestsDiffer: boolean;
  /** The same for its answers. */
  readonly answersDiffer: boolean;
  readonly validateParams: Validate;
  readonly validateQuery: Validate;
  readonly validateHeaders: Validate;
  readonly validateBody: Validate;
  downgradeError(error: ErrorFacts): ErrorFacts;
}

/** Builds everything that requests need, once. Throws an `InvalidApiError` if the source has problems. */
export function compileApi(source: ApiSource): CompiledApi {
  const steps = apiSteps(source);
  const problems = apiProblems(source, steps);
  if (problems.length > 0) throw new InvalidApiError(problems);
  const compiled = source.documents.map((document) => compileVersion(document, source, steps));
  return new Map(compiled.map((version) => [version.version, version]));
}

function compileVersion(
  document: OpenApiDocument,
  { changeSets, watch, read = fromOpenApi }: ApiSource,
  steps: readonly ApiStep[],
): CompiledVersion {
  const contract = read(document);
  const passed = changesSince(contract.version, changeSets);
  const changes = passed.flat();
  const since = steps.filter(({ older }) => older.version >= contract.version);
  const operations = contract.operations.map((operation) =>
    compileOperation(operation, { passed, since, watch }),
  );
  return {
    version: contract.version,
    contract,
    document,
    operations: new Map(operations.map((compiled) => [compiled.operation.id, compiled])),
    validateEvent: new Map(contract.events.map(({ kind, schema }) => [kind, validator(schema)])),
    downgradeError: errorDowngrade(changes, ''),
    downgradeEvent: withoutMarked(eventDowngrade(changes), since.at(-1)?.newer ?? contract, contract),
  };
}

/** The changes of each step between a version and the newest, in the order in which a request passes them. */
function changesSince(version: ApiVersion, changeSets: readonly ChangeSet[]): (readonly Change[])[] {
  return changeSets.filter(({ older }) => older >= version).map(({ changes }) => changes);
}

function compileOperation(
  operation: Operation,
  {
    passed,
    since,
    watch,
  }: {
    passed: readonly (readonly Change[])[];
    since: readonly ApiStep[];
    watch: PassageWatch | undefined;
  },
): CompiledOperation {
  const bridge = bridgeOf(operation.id, passed, watch);
  return {
    operation,
    ...differencesSince(operation.id, bridge, since),
    validateParams: validator(operation.params ?? null),
    validateQuery: validator(operation.query),
    validateHeaders: validator(operation.headers ?? null),
    validateBody: validator(operation.body?.schema ?? null),
    ...bridge,
    downgradeError: errorDowngrade(passed.flat(), operation.id),
  };
}

const ANSWER_PARTS = ['responses', 'answerHeaders', 'errors', 'errorBodies', 'ranges'];

/** Where an operation was redirected, all of it may differ. */
function differencesSince(
  id: string,
  { headOperationId }: Bridge,
  since: readonly ApiStep[],
): Pick<CompiledOperation, 'requestsDiffer' | 'answersDiffer'> {
  const paths = since.flatMap(({ differing }) => differing.get(id) ?? []);
  const isAboutAnswers = (path: string): boolean =>
    ANSWER_PARTS.some((part) => path.slice(id.length + 1).startsWith(part));
  return {
    requestsDiffer: headOperationId !== id || !paths.every(isAboutAnswers),
    answersDiffer: headOperationId !== id || paths.some(isAboutAnswers),
  };
}

function errorDowngrade(changes: readonly Change[], operationId: string): (error: ErrorFacts) => ErrorFacts {
  const downgrades = newestFirst(changes, ({ downgradeError }) => downgradeError);
  return (error) => downgrades.reduce((downgraded, downgrade) => downgrade(downgraded, operationId), error);
}

/** What a function edits in place is a copy: endpoints of other versions get the same event. */
function eventDowngrade(changes: readonly Change[]): (event: EventFacts) => EventFacts | null {
  const passed = changes.toReversed();
  return (event) => {
    let downgraded = event;
    for (const change of passed) {
      const downgrade = change.downgradeEvent?.[downgraded.kind];
      if (!downgrade) continue;
      const older = downgrade(editsNothing(change) ? downgraded : copyOf(downgraded));
      if (older === null) return null;
      downgraded = older;
    }
    return downgraded;
  };
}

/** What is only ever written leaves in no event: not as the newest version has it, nor as the older one does. */
function withoutMarked(
  downgrade: (event: EventFacts) => EventFacts | null,
  newest: Contract,
  own: Contract,
): (event: EventFacts) => EventFacts | null {
  const [stripNewest, stripOwn] = [markRemoval(newest), markRemoval(own)];
  return (event) => {
    const older = downgrade(stripNewest(event));
    return older && stripOwn(older);
  };
}

/** Schemas are looked into when the first event of their kind comes. */
function markRemoval({ events }: Contract): (event: EventFacts) => EventFacts {
  const known = new Map<string, MarkedMembers | null>();
  return (event) => {
    const schema = known.has(event.kind) ? null : events.find(({ kind }) => kind === event.kind)?.schema;
    if (schema) known.set(event.kind, markedMembers(schema));
    const pointers = known.get(event.kind)?.(event.data) ?? [];
    return pointers.length === 0 ? event : { ...event, data: withoutMembers(event.data, pointers) as Json };
  };
}

/** One kind of downgrade, of every change that has it, in the order in which an answer passes them. */
function newestFirst<Downgrade>(
  changes: readonly Change[],
  downgradeOf: (change: Change) => Downgrade | undefined,
): Downgrade[] {
  return changes
    .map(downgradeOf)
    .filter((downgrade) => downgrade !== undefined)
    .reverse();
}
