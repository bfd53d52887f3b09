import type { ErrorShape } from '@dateline/versions';

/** An object of a document. */
export type Part = Readonly<Record<string, unknown>>;
export type Parts = Readonly<Record<string, Part>>;

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object of this name; an empty one if there is none. */
export function partIn(part: Part, name: string): Part {
  const value = part[name];
  return isPart(value) ? value : {};
}

/** Returns the object of this name with the objects in it. */
export function partsIn(part: Part, name: string): Parts {
  return Object.fromEntries(
    Object.entries(partIn(part, name)).flatMap(([key, value]) => (isPart(value) ? [[key, value]] : [])),
  );
}

export function listIn(part: Part, name: string): readonly Part[] {
  const value = part[name];
  return Array.isArray(value) ? value.filter(isPart) : [];
}

export function textIn(part: Part, name: string): string {
  const value = part[name];
  return typeof value === 'string' ? value : '';
}

export function textsIn(part: Part, name: string): string[] {
  const value = part[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns the error shape of a document or of an operation; null if it names none. */
export function errorShapeIn(part: Part): ErrorShape | null {
  const { name, mediaType, schema } = partIn(part, 'x-error-shape');
  if (typeof name !== 'string' || typeof mediaType !== 'string' || !isPart(schema)) return null;
  return { name, mediaType, schema };
}
