import { valueAt } from './json-pointer.ts';
import { type OpenApiReference, readReference } from './openapi-reference.ts';
import { isPart, type Part } from './plain-data.ts';

/** Where a reference leads in the end. A text is the reason why it leads nowhere. */
export type FollowReference = (text: string, from: string) => OpenApiReference | string;

/**
 * Follows references between files. In other files than the entry, what is nothing but a reference itself is passed
 * over: it needs no name.
 */
export function createReferenceFollower(entry: string, files: ReadonlyMap<string, unknown>): FollowReference {
  function follow(text: string, from: string, passed: readonly string[]): OpenApiReference | string {
    const target = readReference(text, from);
    if (typeof target === 'string') return target;
    const { file, pointer } = target;
    if (!files.has(file)) return `there is no file ${file}`;
    const value = valueAt(files.get(file), pointer);
    if (value === undefined) return `${file} has nothing at ${pointer}`;
    if (file === entry || !isAlias(value)) return target;
    const key = `${file}#${pointer}`;
    return passed.includes(key) ? 'it leads back to itself' : follow(value.$ref, file, [...passed, key]);
  }
  return (text, from) => follow(text, from, []);
}

/** True of an object that is nothing but a reference. */
export function isAlias(value: unknown): value is Part & { $ref: string } {
  return isPart(value) && typeof value.$ref === 'string' && Object.keys(value).length === 1;
}
