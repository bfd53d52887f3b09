import { Compile } from 'typebox/schema';
import type { ApiVersion } from './api-version.ts';
import type {
  Change,
  ChangeSet,
  ErrorFacts,
  EventFacts,
  Json,
  ResponseContext,
  UpgradableRequest,
} from './change.ts';
import { checkApi } from './check-api.ts';
import type { Contract, JsonSchema, Operation } from './contract.ts';
import { fromOpenApi, type OpenApiDocument } from './openapi.ts';

export interface ApiSource {
  /** The documents of all versions that this build holds, oldest first; the last one is Next. */
  documents: readonly OpenApiDocument[];
  changeSets: readonly ChangeSet[];
}

/** Says of a value what is wrong with it; empty when nothing is. */
export type Validate = (value: unknown) => readonly ValidationFinding[];

export interface ValidationFinding {
  keyword: string;
  instancePath: string;
  params: object;
  message: string;
}

export interface CompiledOperation {
  readonly operation: Operation;
  readonly validateQuery: Validate;
  readonly validateHeaders: Validate;
  readonly validateBody: Validate;
  readonly validateResponse: Readonly<Record<number, Validate>>;
  /** The operation of the newest version that does the work. */
  readonly headOperationId: string;
  /** Null where the request is the same in every version since: then it costs nothing. */
  readonly upgradeRequest: ((request: UpgradableRequest) => UpgradableRequest) | null;
  readonly downgradeResponse: ((body: Json, context: ResponseContext) => Json) | null;
  downgradeError(error: ErrorFacts): ErrorFacts;
}

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

export type CompiledApi = ReadonlyMap<ApiVersion, CompiledVersion>;

/** Builds everything that requests need, once. A set-up that cannot work is refused here with a sentence. */
export function compileApi({ documents, changeSets }: ApiSource): CompiledApi {
  const contracts = documents.map(fromOpenApi);
  checkApi(contracts, changeSets);
  return new Map(
    documents.map((document, index) => {
      const contract = contracts[index] as Contract;
      return [contract.version, compileVersion(contract, document, stepsAbove(contract.version, changeSets))];
    }),
  );
}

/** The changes between a version and the newest, in the order in which a request passes them. */
function stepsAbove(version: ApiVersion, changeSets: readonly ChangeSet[]): Change[][] {
  return changeSets.filter(({ older }) => older >= version).map(({ changes }) => [...changes]);
}

function compileVersion(
  contract: Contract,
  document: OpenApiDocument,
  steps: readonly Change[][],
): CompiledVersion {
  const compiled = contract.operations.map((operation) => compileOperation(operation, steps));
  const events = downgradesOf(steps, (change) => change.downgradeEvent);
  return {
    version: contract.version,
    contract,
    document,
    operations: new Map(compiled.map((item) => [item.operation.id, item])),
    validateEvent: new Map(contract.events.map(({ kind, schema }) => [kind, validator(schema)])),
    downgradeError: errorDowngrade(steps, ''),
    downgradeEvent: (event) =>
      events.reduce<EventFacts | null>(
        (known, downgrades) =>
          known && (downgrades[known.kind]?.(known) ?? (known.kind in downgrades ? null : known)),
        event,
      ),
  };
}

function compileOperation(operation: Operation, steps: readonly Change[][]): CompiledOperation {
  const upgrades: ((request: UpgradableRequest) => UpgradableRequest)[] = [];
  const downgrades: ((body: Json, context: ResponseContext) => Json)[] = [];
  let id = operation.id;
  for (const change of steps.flat()) {
    const upgrade = change.upgradeRequest?.[id];
    if (upgrade) upgrades.push(upgrade);
    const downgrade = change.downgradeResponse?.[id];
    // The way back is the way there, backwards.
    if (downgrade) downgrades.unshift(downgrade);
    id = change.redirects?.[id] ?? id;
  }
  return {
    operation,
    validateQuery: validator(operation.query),
    validateHeaders: validator(operation.headers ?? null),
    validateBody: validator(operation.body?.schema ?? null),
    validateResponse: Object.fromEntries(
      Object.entries(operation.responses).map(([status, body]) => [status, validator(body?.schema ?? null)]),
    ),
    headOperationId: id,
    upgradeRequest:
      upgrades.length === 0
        ? null
        : (request) => upgrades.reduce((known, upgrade) => upgrade(known), request),
    downgradeResponse:
      downgrades.length === 0
        ? null
        : (body, context) => downgrades.reduce((known, downgrade) => downgrade(known, context), body),
    downgradeError: errorDowngrade(steps, operation.id),
  };
}

function errorDowngrade(steps: readonly Change[][], operationId: string): (error: ErrorFacts) => ErrorFacts {
  const downgrades = downgradesOf(steps, (change) => change.downgradeError);
  return (error) => downgrades.reduce((known, downgrade) => downgrade(known, operationId), error);
}

/** One kind of downgrade of all changes, in the order in which an answer passes them. */
function downgradesOf<Downgrade>(
  steps: readonly Change[][],
  pick: (change: Change) => Downgrade | undefined,
): Downgrade[] {
  return steps
    .flat()
    .map(pick)
    .filter((downgrade) => downgrade !== undefined)
    .reverse();
}

function validator(schema: JsonSchema | null): Validate {
  if (schema === null) return () => [];
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? [] : (compiled.Errors(value)[1] as ValidationFinding[]));
}
