import { type OpenApiDocument, valueAt } from '@dateline/versions';
import { isPart, listIn, type Part, partIn, textsIn } from '../../document/parts.ts';
import { docComment } from './doc-comment.ts';
import { atom, combined, type Printed, unknownType } from './printed-type.ts';

/** Which way a value goes: what is `readOnly` need not be in a request, and what is `writeOnly` not in an answer. */
export type Direction = 'request' | 'answer';

export interface SchemaTypes {
  document: OpenApiDocument;
  direction: Direction;
  /** The name of the type of what a reference leads to; null where it must not stand here. */
  nameOf(reference: string, at: Position): string | null;
}

/** Where a type stands in a declaration: right in it, where it must not name itself, or inside of an object or a list. */
export type Position = 'whole' | 'inside';

/** The type of the values that a schema takes, in TypeScript. Rules that a type cannot have, such as limits, are left to the checks. */
export function schemaType(
  schema: unknown,
  types: SchemaTypes,
  indent: string,
  at: Position = 'inside',
): Printed {
  if (schema === false) return atom('never');
  if (!isPart(schema)) return unknownType;
  const inner = (part: unknown): Printed => schemaType(part, types, indent, at);
  const unionOf = (name: string): Printed[] => {
    const parts = Array.isArray(schema[name]) ? schema[name] : [];
    return parts.length > 0 ? [combined('|', parts.map(inner), indent)] : [];
  };
  const others = [
    ...referred(schema, types, at),
    ...(Array.isArray(schema.allOf) ? schema.allOf.map(inner) : []),
    ...unionOf('oneOf'),
    ...unionOf('anyOf'),
  ];
  const whole = combined('&', [...others, ...ownType(schema, types, indent, others.length === 0)], indent);
  return schema.nullable === true ? combined('|', [whole, atom('null')], indent) : whole;
}

function referred({ $ref }: Part, { nameOf }: SchemaTypes, at: Position): Printed[] {
  if (typeof $ref !== 'string') return [];
  const name = nameOf($ref, at);
  return [name === null ? unknownType : atom(name)];
}

/** What a schema says besides what it refers to; none where that is nothing. */
function ownType(schema: Part, types: SchemaTypes, indent: string, isAlone: boolean): Printed[] {
  if (Object.hasOwn(schema, 'const')) return [atom(JSON.stringify(schema.const))];
  if (Array.isArray(schema.enum))
    return [
      combined(
        '|',
        schema.enum.map((value) => atom(JSON.stringify(value))),
        indent,
      ),
    ];
  const names = typeNames(schema);
  if (names.length === 0) return [];
  // Beside others, an object of anything says nothing.
  if (!isAlone && names.join() === 'object' && !hasMembers(schema)) return [];
  return [
    combined(
      '|',
      names.map((name) => typeNamed(name, schema, types, indent)),
      indent,
    ),
  ];
}

const OBJECT_KEYWORDS = ['properties', 'additionalProperties', 'patternProperties'];
const LIST_KEYWORDS = ['items', 'prefixItems'];

function typeNames(schema: Part): string[] {
  if (typeof schema.type === 'string') return [schema.type];
  if (Array.isArray(schema.type)) return textsIn(schema, 'type');
  if (OBJECT_KEYWORDS.some((name) => Object.hasOwn(schema, name))) return ['object'];
  return LIST_KEYWORDS.some((name) => Object.hasOwn(schema, name)) ? ['array'] : [];
}

function hasMembers(schema: Part): boolean {
  return Object.keys(partIn(schema, 'properties')).length > 0 || isPart(schema.additionalProperties);
}

function typeNamed(name: string, schema: Part, types: SchemaTypes, indent: string): Printed {
  switch (name) {
    case 'integer':
      return atom('number');
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return atom(name);
    case 'array':
      return listType(schema, types, indent);
    case 'object':
      return objectType(schema, types, indent);
    default:
      return unknownType;
  }
}

function listType(schema: Part, types: SchemaTypes, indent: string): Printed {
  const item = schemaType(schema.items, types, indent);
  const isOpen = schema.items !== false;
  if (!Array.isArray(schema.prefixItems)) return atom(isOpen ? `${item.inBrackets}[]` : '[]');
  const needed = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const first = schema.prefixItems.map((part, index) => {
    const { inBrackets } = schemaType(part, types, indent);
    return index < needed ? inBrackets : `${inBrackets}?`;
  });
  return atom(`[${[...first, ...(isOpen ? [`...${item.inBrackets}[]`] : [])].join(', ')}]`);
}

function objectType(schema: Part, types: SchemaTypes, indent: string): Printed {
  const below = `${indent}  `;
  const required = new Set(textsIn(schema, 'required'));
  const members = Object.entries(partIn(schema, 'properties')).map(([name, property]) => {
    const mark = required.has(name) && !isLeftOut(property, types) ? '' : '?';
    const { text } = schemaType(property, types, below);
    return `${docComment(property, below)}${below}${memberName(name)}${mark}: ${text};\n`;
  });
  if (members.length === 0) return atom(anyMember(schema, types, indent));
  // Names besides those that are listed may have values of one type; all of them have one that fits any.
  if (isPart(schema.additionalProperties)) members.push(`${below}[name: string]: unknown;\n`);
  return atom(`{\n${members.join('')}${indent}}`);
}

function anyMember({ additionalProperties = true }: Part, types: SchemaTypes, indent: string): string {
  return `{ [name: string]: ${schemaType(additionalProperties, types, indent).text} }`;
}

function isLeftOut(property: unknown, { document, direction }: SchemaTypes): boolean {
  if (!isPart(property)) return false;
  const mark = direction === 'request' ? 'readOnly' : 'writeOnly';
  const named = typeof property.$ref === 'string' ? valueAt(document, property.$ref.slice(1)) : null;
  return property[mark] === true || (isPart(named) && named[mark] === true);
}

/** The name of a member as it is written in a type. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The references of a schema that are no deeper than in `allOf` and the like: a type that names itself there has no end. */
export function wholeReferences(schema: unknown): string[] {
  if (!isPart(schema)) return [];
  const own = typeof schema.$ref === 'string' ? [schema.$ref] : [];
  return [
    ...own,
    ...['allOf', 'oneOf', 'anyOf'].flatMap((name) => listIn(schema, name).flatMap(wholeReferences)),
  ];
}
