import { isPart, type Part } from '../../document/parts.ts';

const SCHEMAS = '#/components/schemas/';

/** Names that the file of a version uses itself. */
const TAKEN = ['Operations', 'Events', 'Partial', 'Uint8Array'];

/**
 * Gives names to the types of what references lead to: those of components, where they are names in TypeScript, and else something near. The
 * component that is called so keeps its name, whoever asks first.
 */
export function createTypeNames(schemas: Part): (reference: string, ending?: string) => string {
  const names = new Map<string, string>();
  const taken = new Set(TAKEN);
  for (const component of Object.keys(schemas)) {
    const reference = `${SCHEMAS}${escaped(component)}`;
    if (component === typeNameOf(component) && !taken.has(component)) claim(reference, component);
  }
  return nameOf;

  function nameOf(reference: string, ending = ''): string {
    const key = `${reference} ${ending}`.trimEnd();
    const known = names.get(key);
    if (known !== undefined) return known;
    const wanted = typeNameOf(wordsOf(reference)) + ending;
    for (let number = 1; ; number++) {
      const name = number === 1 ? wanted : `${wanted}${number}`;
      if (!taken.has(name)) return claim(key, name);
    }
  }

  function claim(key: string, name: string): string {
    names.set(key, name);
    taken.add(name);
    return name;
  }
}

/** `simple-user` is SimpleUser. No word of the language begins with a capital. */
function typeNameOf(text: string): string {
  const words = text.split(/[^A-Za-z0-9_$]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}

function wordsOf(reference: string): string {
  const path = reference.startsWith(SCHEMAS) ? reference.slice(SCHEMAS.length) : reference;
  return path.replaceAll('~1', '/').replaceAll('~0', '~');
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The schemas that have a name of their own in a document. */
export function namedSchemas(document: Part): Part {
  const { components } = document;
  return isPart(components) && isPart(components.schemas) ? components.schemas : {};
}
