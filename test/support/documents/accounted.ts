import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pointerBelow, referencedFiles } from '@dateline/versions';
import { parse } from 'yaml';
import { unaccountedSwagger } from './accounted-swagger.ts';

export type Json = Record<string, unknown>;

/** Places of a document that differ in the folder made of it, and that `IMPORT.md` does not name. */
export function unaccounted(document: string, folder: string): string[] {
  const report = readFileSync(join(folder, 'IMPORT.md'), 'utf8');
  const named = new Set([...report.matchAll(/^ *- `([^`]*[/#][^`]*)`/gm)].map(([, place = '']) => place));
  const original = parsedFile(document) as Json;
  if ('swagger' in original)
    return unaccountedSwagger(original, parsedFile(join(folder, 'contract/next.yaml')), named);
  return filesOf(document).flatMap((file) => {
    const isEntry = file === basename(document);
    const made = join(folder, 'contract', isEntry ? 'next.yaml' : file);
    const before = parsedFile(join(document, '..', file));
    const prefix = isEntry ? '' : `${file}#`;
    const after = existsSync(made) ? parsedFile(made) : undefined;
    if (isObject(before) && isObject(after) && 'x-webhooks' in before && 'webhooks' in after) {
      const at = '/x-webhooks';
      const webhooks = differing(before['x-webhooks'], after.webhooks, { at, named: without(named, at) });
      return [
        ...webhooks,
        ...differing({ ...before, webhooks: after.webhooks }, after, { at: prefix, named }),
      ];
    }
    return differing(before, after, { at: prefix, named });
  });
}

/** The document and the files that it refers to. */
function filesOf(document: string): string[] {
  const found = new Set([basename(document)]);
  for (const file of found) {
    const path = join(document, '..', file);
    if (!existsSync(path)) found.delete(file);
    else for (const other of referencedFiles(file, parsedFile(path))) found.add(other);
  }
  return [...found];
}

export function parsedFile(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  return text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text);
}

export interface Comparison {
  at: string;
  named: ReadonlySet<string>;
}

/** Where two values differ at a place that neither is named nor below one that is. */
export function differing(before: unknown, after: unknown, { at, named }: Comparison): string[] {
  if (named.has(at) || JSON.stringify(before) === JSON.stringify(after)) return [];
  if (before === undefined && isObject(after)) return differingMembers({}, after, { at, named });
  if (isObject(before) && isObject(after)) return differingMembers(before, after, { at, named });
  if (Array.isArray(before) && Array.isArray(after)) return differingItems(before, after, { at, named });
  return [at];
}

function differingMembers(before: Json, after: Json, { at, named }: Comparison): string[] {
  const [one, other] = inOneEdition(before, after, { at, named });
  const renamed = Object.keys(one).some((name) => !(name in other) && named.has(pointerBelow(at, name)));
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => {
    // In the place of something that is named.
    if (renamed && !(name in one)) return [];
    return differing(one[name], other[name], { at: pointerBelow(at, name), named });
  });
}

/** A schema of OpenAPI 3.0 and the one of 3.1 that means the same, without what says it: only where it is named. */
function inOneEdition(before: Json, after: Json, { at, named }: Comparison): [Json, Json] {
  const bound = (['minimum', 'maximum'] as const).find((name) =>
    named.has(pointerBelow(at, exclusive(name))),
  );
  if (bound !== undefined) {
    const { [exclusive(bound)]: flag, [bound]: limit, ...others } = before;
    return inOneEdition(flag ? { ...others, [exclusive(bound)]: limit } : before, after, {
      at,
      named: without(named, pointerBelow(at, exclusive(bound))),
    });
  }
  const flag = ['nullable', 'x-nullable'].find(
    (name) => before[name] === true && named.has(pointerBelow(at, name)),
  );
  if (flag === undefined) return [before, after];
  const { [flag]: _said, ...schema } = before;
  const { anyOf, ...words } = after;
  const [inner, none] = Array.isArray(anyOf) ? anyOf : [];
  if (isObject(none) && none.type === 'null' && JSON.stringify(before.anyOf) !== JSON.stringify(anyOf))
    return [schema, { ...words, ...inner }];
  return [schema, withoutNull(after, before)];
}

const exclusive = (bound: string): string => `exclusive${bound.slice(0, 1).toUpperCase()}${bound.slice(1)}`;

const without = (all: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  new Set([...all].filter((name) => name !== one));

function withoutNull(after: Json, before: Json): Json {
  const { type, enum: values } = after;
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : type;
  const single = Array.isArray(types) && !Array.isArray(before.type) ? types[0] : types;
  const isAdded = Array.isArray(values) && !(before.enum as unknown[] | undefined)?.includes(null);
  return {
    ...after,
    ...(type === undefined ? {} : { type: single }),
    ...(isAdded ? { enum: values.filter((value) => value !== null) } : {}),
  };
}

/** Items that both have, wherever they stand, are equal; others are compared by what tells them apart. */
function differingItems(
  before: readonly unknown[],
  after: readonly unknown[],
  { at, named }: Comparison,
): string[] {
  const texts = new Set(after.map((item) => JSON.stringify(item)));
  return before.flatMap((item, index) => {
    if (texts.has(JSON.stringify(item))) return [];
    const same = after.find((other) => keyOf(other) !== null && keyOf(other) === keyOf(item));
    const other = same ?? (before.length === after.length ? after[index] : undefined);
    return differing(item, other, { at: pointerBelow(at, index), named });
  });
}

function keyOf(item: unknown): string | null {
  if (!isObject(item) || typeof item.name !== 'string') return null;
  return `${item.in} ${item.name}`;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
