import { isPart, isTexts } from '../openapi/plain-data.ts';

type Rule = readonly [mustBe: string, allows: (value: unknown) => boolean, ...keywords: string[]];

/**
 * Every keyword that a schema may have, and what its value must be. All that are not dropped are compiled, and what is
 * not listed cannot be.
 */
const rules: readonly Rule[] = [
  ['a type, or a list of types', isType, 'type'],
  ['a list of values', isFilledList, 'enum'],
  ['a value', () => true, 'const'],
  ['a number above 0', (value) => isNumber(value) && value > 0, 'multipleOf'],
  ['a number', isNumber, 'maximum', 'minimum'],
  ['a number', (value) => isNumber(value) || isBoolean(value), 'exclusiveMaximum', 'exclusiveMinimum'],
  ['a whole number', isCount, 'maxLength', 'maxItems', 'minItems', 'maxContains', 'minContains'],
  ['a whole number', isCount, 'maxProperties', 'minProperties'],
  // The compiler doubles it in 32 bits.
  ['a whole number up to 1,000,000,000', (value) => isCount(value) && value <= 1e9, 'minLength'],
  ['a regular expression of JavaScript, with the flag u', isPattern, 'pattern'],
  ['text', (value) => typeof value === 'string', 'format', '$ref'],
  ['true or false', isBoolean, 'uniqueItems', 'nullable'],
  ['a list of names, none of which every object of JavaScript has', isNameList, 'required'],
  ['lists of names, none of which every object of JavaScript has', isNameLists, 'dependentRequired'],
  ['a schema', isSchema, 'items', 'contains', 'unevaluatedItems', 'additionalProperties', 'propertyNames'],
  ['a schema', isSchema, 'unevaluatedProperties', 'not', 'if', 'then', 'else'],
  ['a list of schemas', isFilledList, 'prefixItems', 'allOf', 'anyOf', 'oneOf'],
  [
    'schemas by names, none of which every object of JavaScript has',
    isNamed,
    'properties',
    'dependentSchemas',
  ],
  ['schemas by regular expressions of JavaScript, with the flag u', isByPattern, 'patternProperties'],
  ['the dialect of JSON Schema 2020-12 or OpenAPI 3.1', isDialect, '$schema'],
];

/** Words for people and for generators, and what is read only where something refers to it. */
const dropped = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['externalDocs', 'xml', 'discriminator', '$comment', '$schema', '$defs', 'definitions'],
  ...['contentEncoding', 'contentMediaType', 'contentSchema'],
]);

const byKeyword = new Map(
  rules.flatMap(([mustBe, allows, ...keywords]) => keywords.map((keyword) => [keyword, { mustBe, allows }])),
);

/** True of a keyword that says nothing that could be checked: it is left out of contracts. */
export function isDropped(keyword: string): boolean {
  return dropped.has(keyword) || keyword.startsWith('x-');
}

/** Why a keyword cannot be compiled; null if it can be, or is dropped. */
export function keywordProblem(keyword: string, value: unknown): string | null {
  const rule = byKeyword.get(keyword);
  if (rule) return rule.allows(value) ? null : `it must be ${rule.mustBe}`;
  return isDropped(keyword) ? null : `the keyword ${keyword} cannot be compiled`;
}

/** False for names that every object of JavaScript inherits: `toString` cannot be told from a property. */
export function isPossibleName(name: string): boolean {
  return name === 'constructor' || !(name in Object.prototype);
}

/** The dialects that `$schema` and `jsonSchemaDialect` may name. */
export function isDialect(value: unknown): boolean {
  return (
    value === 'https://json-schema.org/draft/2020-12/schema' ||
    value === 'https://spec.openapis.org/oas/3.1/dialect/base'
  );
}

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function isType(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((type) => typeof type === 'string' && TYPES.includes(type));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isCount(value: unknown): value is number {
  return isNumber(value) && Number.isSafeInteger(value) && value >= 0;
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isNameList(value: unknown): boolean {
  return isTexts(value) && value.every(isPossibleName);
}

function isNameLists(value: unknown): boolean {
  return isNamed(value) && Object.values(value).every(isNameList);
}

function isSchema(value: unknown): boolean {
  return isPart(value) || isBoolean(value);
}

function isNamed(value: unknown): value is object {
  return isPart(value) && Object.keys(value).every(isPossibleName);
}

function isByPattern(value: unknown): boolean {
  return isPart(value) && Object.keys(value).every(isPattern);
}
