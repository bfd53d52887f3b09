import { type OpenApiDocument, valueAt } from '@dateline/versions';
import { isPart } from '../../document/parts.ts';
import { docComment } from './doc-comment.ts';
import type { Printed } from './printed-type.ts';
import { type Direction, type Position, schemaType, wholeReferences } from './schema-type.ts';
import { createTypeNames, namedSchemas } from './type-names.ts';

/** The types that have names of their own in the file of a version. */
export interface Declarations {
  type(schema: unknown, direction: Direction, indent: string): Printed;
  /** Declarations of the types that were named so far, and of those that they name. */
  texts(): string[];
}

interface Named {
  name: string;
  reference: string;
  direction: Direction;
}

export function createDeclarations(document: OpenApiDocument): Declarations {
  const nameOf = createTypeNames(namedSchemas(document));
  const named = new Map<string, Named>();
  const marks = createMarks(document);
  const target = (reference: string): unknown => valueAt(document, reference.slice(1));

  return { type, texts };

  function type(schema: unknown, direction: Direction, indent: string): Printed {
    return schemaType(
      schema,
      { document, direction, nameOf: (reference) => declare(reference, direction) },
      indent,
    );
  }

  /** One type does for both directions, unless it has something that only one of them has. */
  function declare(reference: string, direction: Direction): string {
    const isOwn = direction === 'request' && marks(reference);
    const name = nameOf(reference, isOwn ? 'Request' : '');
    if (!named.has(name)) named.set(name, { name, reference, direction });
    return name;
  }

  function texts(): string[] {
    const done = new Map<string, string>();
    // Types that are named by the ones before are added while it goes on.
    for (const one of named.values()) done.set(one.name, declaration(one));
    return [...done].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  }

  function declaration({ name, reference, direction }: Named): string {
    const schema = target(reference);
    const nameInside = (other: string, at: Position): string | null =>
      at === 'whole' && leadsTo(other, reference) ? null : declare(other, direction);
    const { text } = schemaType(schema, { document, direction, nameOf: nameInside }, '', 'whole');
    return `${docComment(schema, '')}export type ${name} =${text.startsWith('\n') ? '' : ' '}${text};\n`;
  }

  /** True where a type would have to be known before it is. */
  function leadsTo(from: string, wanted: string, seen = new Set<string>()): boolean {
    if (from === wanted) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return wholeReferences(target(from)).some((reference) => leadsTo(reference, wanted, seen));
  }
}

/** Tells which references lead to something that is `readOnly` or `writeOnly`. */
function createMarks(document: OpenApiDocument): (reference: string) => boolean {
  const facts = new Map<string, Facts>();
  const known = new Map<string, boolean>();
  const factsOf = (reference: string): Facts => {
    const found = facts.get(reference) ?? factsIn(valueAt(document, reference.slice(1)));
    facts.set(reference, found);
    return found;
  };
  return (reference) => {
    const answer = known.get(reference) ?? isMarked(reference);
    known.set(reference, answer);
    return answer;
  };

  function isMarked(first: string): boolean {
    const waiting = new Set([first]);
    for (const reference of waiting) {
      const { isMarked, references } = factsOf(reference);
      if (isMarked) return true;
      for (const next of references) waiting.add(next);
    }
    return false;
  }
}

interface Facts {
  isMarked: boolean;
  references: readonly string[];
}

/** Values that are no schemas. */
const DATA = ['example', 'examples', 'default', 'enum', 'const'];

function factsIn(value: unknown): Facts {
  if (typeof value !== 'object' || value === null) return { isMarked: false, references: [] };
  const inner = Object.entries(value).flatMap(([name, part]) => (DATA.includes(name) ? [] : [factsIn(part)]));
  const { $ref, readOnly, writeOnly } = isPart(value) ? value : {};
  return {
    isMarked: readOnly === true || writeOnly === true || inner.some(({ isMarked }) => isMarked),
    references: [
      ...(typeof $ref === 'string' ? [$ref] : []),
      ...inner.flatMap(({ references }) => references),
    ],
  };
}
