import { canonicalForm, contractHash } from './canonical.ts';
import { differencesBetween } from './differences.ts';
import type { OpenApiDocument } from './openapi.ts';

/** `lock.json`: what each frozen contract must hash to. */
export interface FreezeLock {
  /** While this is there, the frozen files may still be rewritten as a whole. */
  founding?: true;
  sha256: Readonly<Record<string, string>>;
}

export interface FrozenState {
  lock: FreezeLock;
  documents: Readonly<Record<string, OpenApiDocument>>;
}

/**
 * Says in sentences where frozen contracts are not what they were. `past` holds earlier states, newest first, as far
 * as they are known: with them the place of a difference can be named, and a lock that was edited along is seen.
 */
export function frozenProblems(now: FrozenState, past: readonly FrozenState[]): string[] {
  const versions = new Set([...Object.keys(now.lock.sha256), ...Object.keys(now.documents)]);
  return [...versions].sort().flatMap((version) => versionProblems(version, now, past));
}

function versionProblems(version: string, now: FrozenState, past: readonly FrozenState[]): string[] {
  const document = now.documents[version];
  const locked = now.lock.sha256[version];
  if (!document) return [`${version} is in lock.json, but its contract.json is missing; restore the file.`];
  if (!locked)
    return [
      `${version} has a contract.json, but lock.json does not know it; freeze versions with "dateline contract" only.`,
    ];
  const closed = past.filter((state) => !state.lock.founding && state.lock.sha256[version] !== undefined);
  const promised = closed.at(-1)?.lock.sha256[version] ?? locked;
  const hash = contractHash(document);
  if (hash === promised && locked === promised) return [];
  const original = past
    .map((state) => state.documents[version])
    .find((earlier) => earlier && contractHash(earlier) === promised);
  return describeDifferences(version, original, document);
}

function describeDifferences(
  version: string,
  original: OpenApiDocument | undefined,
  document: OpenApiDocument,
): string[] {
  const advice = 'A frozen version never changes; what is new belongs in Next, in src/contracts/head/.';
  const differences = original
    ? differencesBetween(JSON.parse(canonicalForm(original)), JSON.parse(canonicalForm(document)))
    : [];
  if (differences.length === 0)
    return [`${version} is frozen, but its contract.json or its hash in lock.json was edited. ${advice}`];
  return differences.map(({ path, kind }) => `${version} is frozen, but ${path} was ${kind}. ${advice}`);
}
