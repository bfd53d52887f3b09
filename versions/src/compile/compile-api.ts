import type {
  Change,
  ChangeSet,
  ErrorFacts,
  EventFacts,
  Json,
  ResponseContext,
  UpgradableRequest,
} from '../contract/change.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { fromOpenApi } from '../contract/from-openapi.ts';
import type { OpenApiDocument } from '../openapi/plain-data.ts';
import { type Validate, validator } from '../schema/validator.ts';
import type { ApiVersion } from '../version/api-version.ts';
import type { ApiSource } from './api-steps.ts';
import { apiProblems, InvalidApiError } from './check-api.ts';

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

export interface CompiledOperation {
  readonly operation: Operation;
  readonly validateParams: Validate;
  readonly validateQuery: Validate;
  readonly validateHeaders: Validate;
  readonly validateBody: Validate;
  /** The operation of the newest version that does the work. */
  readonly headOperationId: string;
  /** Null where the request is the same in every version since: then it costs nothing. */
  readonly upgradeRequest: UpgradeRequest | null;
  readonly downgradeResponse: DowngradeResponse | null;
  downgradeError(error: ErrorFacts): ErrorFacts;
}

type UpgradeRequest = (request: UpgradableRequest) => UpgradableRequest;
type DowngradeResponse = (body: Json, context: ResponseContext) => Json;

/** Builds everything that requests need, once. Throws an `InvalidApiError` if the source has problems. */
export function compileApi(source: ApiSource): CompiledApi {
  const problems = apiProblems(source);
  if (problems.length > 0) throw new InvalidApiError(problems);
  const compiled = source.documents.map((document) => compileVersion(document, source));
  return new Map(compiled.map((version) => [version.version, version]));
}

function compileVersion(document: OpenApiDocument, source: ApiSource): CompiledVersion {
  const { changeSets, read = fromOpenApi } = source;
  const contract = read(document);
  const changes = changesSince(contract.version, changeSets);
  const operations = contract.operations.map((operation) => compileOperation(operation, changes));
  return {
    version: contract.version,
    contract,
    document,
    operations: new Map(operations.map((compiled) => [compiled.operation.id, compiled])),
    validateEvent: new Map(contract.events.map(({ kind, schema }) => [kind, validator(schema)])),
    downgradeError: errorDowngrade(changes, ''),
    downgradeEvent: eventDowngrade(changes),
  };
}

/** The changes between a version and the newest, in the order in which a request passes them. */
function changesSince(version: ApiVersion, changeSets: readonly ChangeSet[]): Change[] {
  return changeSets.filter(({ older }) => older >= version).flatMap(({ changes }) => changes);
}

function compileOperation(operation: Operation, changes: readonly Change[]): CompiledOperation {
  return {
    operation,
    validateParams: validator(operation.params ?? null),
    validateQuery: validator(operation.query),
    validateHeaders: validator(operation.headers ?? null),
    validateBody: validator(operation.body?.schema ?? null),
    ...bridgeOf(operation.id, changes),
    downgradeError: errorDowngrade(changes, operation.id),
  };
}

type Bridge = Pick<CompiledOperation, 'headOperationId' | 'upgradeRequest' | 'downgradeResponse'>;

/** Follows an operation up to the newest version. A change may redirect it: from there on it has another id. */
function bridgeOf(operationId: string, changes: readonly Change[]): Bridge {
  let id = operationId;
  const upgrades: UpgradeRequest[] = [];
  const downgrades: DowngradeResponse[] = [];
  for (const change of changes) {
    const upgrade = change.upgradeRequest?.[id];
    if (upgrade) upgrades.push(upgrade);
    const downgrade = change.downgradeResponse?.[id];
    // The way back is the way there, backwards.
    if (downgrade) downgrades.unshift(downgrade);
    id = change.redirects?.[id] ?? id;
  }
  return {
    headOperationId: id,
    upgradeRequest: upgrades.length === 0 ? null : (request) => upgradeThrough(upgrades, request),
    downgradeResponse:
      downgrades.length === 0 ? null : (body, context) => downgradeThrough(downgrades, body, context),
  };
}

function upgradeThrough(upgrades: readonly UpgradeRequest[], request: UpgradableRequest): UpgradableRequest {
  return upgrades.reduce((upgraded, upgrade) => upgrade(upgraded), request);
}

function downgradeThrough(
  downgrades: readonly DowngradeResponse[],
  body: Json,
  context: ResponseContext,
): Json {
  return downgrades.reduce((downgraded, downgrade) => downgrade(downgraded, context), body);
}

function errorDowngrade(changes: readonly Change[], operationId: string): (error: ErrorFacts) => ErrorFacts {
  const downgrades = newestFirst(changes, ({ downgradeError }) => downgradeError);
  return (error) => downgrades.reduce((downgraded, downgrade) => downgrade(downgraded, operationId), error);
}

function eventDowngrade(changes: readonly Change[]): (event: EventFacts) => EventFacts | null {
  const byKind = newestFirst(changes, ({ downgradeEvent }) => downgradeEvent);
  return (event) => {
    let downgraded = event;
    for (const downgrades of byKind) {
      const downgrade = downgrades[downgraded.kind];
      if (!downgrade) continue;
      const older = downgrade(downgraded);
      if (older === null) return null;
      downgraded = older;
    }
    return downgraded;
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
