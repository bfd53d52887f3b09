import type { Contract, EventKind, Operation } from '../contract/contract.ts';
import { pointerBelow, valueAt, valueBelow } from '../openapi/json-pointer.ts';
import { componentAt, readReference } from '../openapi/openapi-reference.ts';
import { isPart, type OpenApiDocument } from '../openapi/plain-data.ts';
import { referenceTexts } from '../openapi/referenced-files.ts';

/** A document that was read before without a problem, by the same options. */
export interface EarlierReading {
  document: OpenApiDocument;
  contract: Contract;
}

/** Parts of a document that an earlier one has too, with all that they refer to. They are not read again, nor do they differ. */
export interface UnchangedParts {
  /** The operations of a path; null where they have to be read. */
  operationsOf(path: string): readonly Operation[] | null;
  /** Null where it has to be read. */
  event(kind: string): EventKind | null;
}

const NONE: UnchangedParts = { operationsOf: () => null, event: () => null };

export function unchangedParts(
  document: OpenApiDocument,
  earlier: EarlierReading | undefined,
): UnchangedParts {
  if (!earlier || !isPart(document)) return NONE;
  const shared = sharedBy(document);
  // What they refer to counts for every part too, and is not compared.
  if (referenceTexts(shared).length > 0) return NONE;
  if (!isEqual(shared, sharedBy(earlier.document))) return NONE;
  const same = sameComponents(document, earlier.document);
  const isSame = (section: 'paths' | 'webhooks', name: string): boolean => {
    const part = valueBelow(document[section], name);
    if (!isEqual(part, valueBelow(earlier.document[section], name))) return false;
    return componentsIn(part).every((key) => same.has(key));
  };
  const byPath = grouped(earlier.contract.operations, ({ path }) => path);
  const byKind = new Map(earlier.contract.events.map((event) => [event.kind, event]));
  return {
    operationsOf: (path) => (isSame('paths', path) ? (byPath.get(path) ?? []) : null),
    event: (kind) => (isSame('webhooks', kind) ? (byKind.get(kind) ?? null) : null),
  };
}

/** Counts for every part of a document, and is referred to by none. */
function sharedBy({ openapi, jsonSchemaDialect, security, components }: OpenApiDocument): unknown[] {
  return [openapi, jsonSchemaDialect, security, valueBelow(components, 'securitySchemes')];
}

/** The components that are equal in both documents, as is all that they refer to. */
function sameComponents(document: OpenApiDocument, earlier: OpenApiDocument): ReadonlySet<string> {
  const components = componentsOf(document);
  const references = components.flatMap(({ key, part }) =>
    componentsIn(part).map((to) => ({ from: key, to })),
  );
  const referring = grouped(references, ({ to }) => to);
  const known = new Set(components.map(({ key }) => key));
  const different = new Set([ELSEWHERE]);
  for (const { key, part } of components) if (!isEqual(part, valueAt(earlier, key))) different.add(key);
  for (const key of referring.keys()) if (!known.has(key)) different.add(key);
  // What is added on the way is looked at too.
  for (const key of different) for (const { from } of referring.get(key) ?? []) different.add(from);
  return new Set([...known].filter((key) => !different.has(key)));
}

/** The components of a document, each by the pointer to it. */
function componentsOf({ components }: OpenApiDocument): { key: string; part: unknown }[] {
  return membersOf(components).flatMap(([section, parts]) =>
    membersOf(parts).map(([name, part]) => ({ key: pointerBelow('/components', section, name), part })),
  );
}

/** Stands for whatever is no component. */
const ELSEWHERE = '';

/** The components that a part refers to itself. */
function componentsIn(part: unknown): string[] {
  return referenceTexts(part).map((text) => {
    const target = readReference(text, '');
    return (typeof target === 'string' ? null : componentAt(target.pointer)) ?? ELSEWHERE;
  });
}

const membersOf = (part: unknown): [string, unknown][] => (isPart(part) ? Object.entries(part) : []);

/** What is in another order counts as different: it is read again, and no harm is done. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
