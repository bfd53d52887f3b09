import { keysOfPointer, valueBelow } from './json-pointer.ts';
import type { OpenApiReference } from './openapi-reference.ts';

/** The names of components: those that a document has, and new ones for what comes from other files. */
export interface ComponentNames {
  /** Gives what stands there a name that the document has for it. The first one stays. */
  claim(section: string, origin: OpenApiReference, name: string): void;
  /** The name of what stands there. It is new where nobody has asked for it before. */
  nameOf(section: string, origin: OpenApiReference): { name: string; isNew: boolean };
}

export function createComponentNames(components: unknown): ComponentNames {
  const named = new Map<string, string>();
  const given = new Set<string>();
  const keyOf = (section: string, { file, pointer }: OpenApiReference) => `${section} ${file}#${pointer}`;
  const isTaken = (section: string, name: string): boolean =>
    valueBelow(valueBelow(components, section), name) !== undefined || given.has(`${section} ${name}`);
  return {
    claim(section, origin, name) {
      const key = keyOf(section, origin);
      if (!named.has(key)) named.set(key, name);
    },
    nameOf(section, origin) {
      const key = keyOf(section, origin);
      const known = named.get(key);
      if (known !== undefined) return { name: known, isNew: false };
      const name = freeName(readableName(origin), (candidate) => isTaken(section, candidate));
      named.set(key, name);
      given.add(`${section} ${name}`);
      return { name, isNew: true };
    },
  };
}

/** `Order` for `schemas/order.yaml`, and for `orders.yaml#/Order`. */
function readableName({ file, pointer }: OpenApiReference): string {
  const keys = keysOfPointer(pointer);
  const fileName = (file.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
  const last = keys.at(-1) ?? fileName;
  // A place in a list has no name of its own.
  const words = /^\d+$/.test(last) ? `${keys.at(-2) ?? fileName} ${last}` : last;
  const name = words.split(/[^A-Za-z0-9]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return name.join('') || 'Part';
}

function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name}${number}`)) number++;
  return `${name}${number}`;
}
