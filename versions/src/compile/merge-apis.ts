import type { Operation } from '../contract/contract.ts';
import { pathShape } from '../contract/path-template.ts';
import type { ApiVersion } from '../version/api-version.ts';
import type { CompiledApi, CompiledVersion } from './compile-api.ts';

/**
 * Two APIs as one, version by version, in the versions of the first. Its errors, the errors that belong to no operation,
 * and the documents are those of the first. Throws where the two have the same operation, address or event kind.
 */
export function mergeApis(ours: CompiledApi, theirs: CompiledApi): CompiledApi {
  refuseClashes(ours, theirs);
  const theirKinds = new Set(everyKind(theirs));
  const merged = [...ours.values()].map((version) =>
    mergeVersions(version, theirs.get(version.version), theirKinds),
  );
  return new Map(merged.map((version) => [version.version, version]));
}

/** `theirs` is undefined in a version that came before their first one: there, nobody knows of their kinds. */
function mergeVersions(
  ours: CompiledVersion,
  theirs: CompiledVersion | undefined,
  theirKinds: ReadonlySet<string>,
): CompiledVersion {
  const { contract } = ours;
  return {
    ...ours,
    contract: {
      ...contract,
      operations: [...contract.operations, ...(theirs?.contract.operations ?? [])],
      events: [...contract.events, ...(theirs?.contract.events ?? [])],
    },
    operations: new Map([...ours.operations, ...(theirs?.operations ?? [])]),
    validateEvent: new Map([...ours.validateEvent, ...(theirs?.validateEvent ?? [])]),
    downgradeEvent: (event) =>
      theirKinds.has(event.kind) ? (theirs?.downgradeEvent(event) ?? null) : ours.downgradeEvent(event),
  };
}

/** Ids and kinds must not clash in any two versions, since those of one become those of another. */
function refuseClashes(ours: CompiledApi, theirs: CompiledApi): void {
  const ourKinds = new Set(everyKind(ours));
  const kind = everyKind(theirs).find((one) => ourKinds.has(one));
  if (kind !== undefined) throw new Error(`both APIs have the event kind ${kind}`);
  const known = new Map(
    everyOperation(ours)
      .toReversed()
      .flatMap((one) => namesOf(one).map((name) => [name, one])),
  );
  for (const one of everyOperation(theirs)) {
    const other = namesOf(one)
      .map((name) => known.get(name))
      .find(Boolean);
    if (other) throw new Error(`two operations clash: ${said(other)} and ${said(one)}`);
  }
}

interface VersionedOperation {
  version: ApiVersion;
  operation: Operation;
}

/** What no other operation may be called by: its id in any version, and its address in its own. */
function namesOf({ version, operation: { id, method, path } }: VersionedOperation): string[] {
  return [JSON.stringify([id]), JSON.stringify([version, method, pathShape(path)])];
}

function said({ version, operation: { id, method, path } }: VersionedOperation): string {
  return `${id} (${method} ${path} in ${version})`;
}

function everyOperation(api: CompiledApi): VersionedOperation[] {
  return [...api.values()].flatMap(({ version, contract }) =>
    contract.operations.map((operation) => ({ version, operation })),
  );
}

function everyKind(api: CompiledApi): string[] {
  return [...api.values()].flatMap(({ contract }) => contract.events.map(({ kind }) => kind));
}
