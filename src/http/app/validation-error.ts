import type { ValidationFinding } from '@dateline/versions';
import { ApiError, type FieldError } from '../../errors/api-error.ts';

/** Names a field by its place, or a member of what is there. */
export type Naming = (instancePath: string, member?: string) => string;

/** Turns the validator's findings into one sentence that names the fields. Values are left out: they may be secret. */
export function validationError(
  errors: readonly ValidationFinding[],
  nameOf: Naming = byFieldName,
): ApiError {
  const choices = choicesIn(errors);
  const findings = [
    ...[...choices].map(([path, values]) => `${nameOf(path)} must be one of ${values.join(', ')}`),
    ...errors.filter((error) => !isAboutChoice(error, choices)).flatMap((error) => describe(error, nameOf)),
  ];
  return new ApiError('validation_failed', { detail: `${[...new Set(findings)].join('; ')}.` });
}

/** The same of the parts of a request, with the fields one by one. */
export function invalidRequest(
  found: Readonly<Record<FieldError['in'], readonly ValidationFinding[]>>,
): ApiError {
  const parts = Object.keys(found) as FieldError['in'][];
  const { detail } = validationError(parts.flatMap((part) => found[part]));
  const fields = parts.flatMap((part) =>
    once(found[part].flatMap(fieldErrors)).map((field) => ({ in: part, ...field })),
  );
  return new ApiError('validation_failed', { detail, fields });
}

function fieldErrors(finding: ValidationFinding): Omit<FieldError, 'in'>[] {
  const { keyword, instancePath, params, message } = finding;
  const members = (kind: string, message: string) =>
    namesIn(params, kind).map((name) => ({ pointer: `${instancePath}/${escaped(name)}`, message }));
  if (keyword === 'required') return members('requiredProperties', 'is missing');
  if (keyword === 'additionalProperties') return members('additionalProperties', UNKNOWN);
  return [{ pointer: instancePath, message: isUnknownMember(finding) ? UNKNOWN : message }];
}

const UNKNOWN = 'is not a field of this request';

function once(fields: readonly Omit<FieldError, 'in'>[]): Omit<FieldError, 'in'>[] {
  const texts = new Set(fields.map((field) => JSON.stringify(field)));
  return [...texts].map((text) => JSON.parse(text));
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Members by their own name alone, as the versions of the API have always been answered. */
function byFieldName(instancePath: string, member?: string): string {
  return member ?? (instancePath.slice(1).replaceAll('/', '.') || 'the body');
}

/** With all that stands before them, such as `events[3].data.total`: for bodies with lists of objects. */
export function byWholePath(instancePath: string, member?: string): string {
  const path = member === undefined ? instancePath : `${instancePath}/${member}`;
  return (
    path
      .slice(1)
      .replaceAll(/\/(\d+)(?=\/)/g, '[$1]')
      .replaceAll('/', '.') || 'the body'
  );
}

/** The values of enums that are written as alternatives, each of them a constant, by the place of the field. */
function choicesIn(errors: readonly ValidationFinding[]): Map<string, string[]> {
  const choices = new Map<string, string[]>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'const' || !('allowedValue' in params)) continue;
    choices.set(instancePath, [...(choices.get(instancePath) ?? []), String(params.allowedValue)]);
  }
  return choices;
}

/** Of the same field: that none of the alternatives fits says nothing more, nor does null, which leaves the field out. */
function isAboutChoice(
  { keyword, instancePath, params }: ValidationFinding,
  choices: ReadonlyMap<string, unknown>,
): boolean {
  if (!choices.has(instancePath)) return false;
  return ['const', 'anyOf'].includes(keyword) || ('type' in params && params.type === 'null');
}

function describe(error: ValidationFinding, nameOf: Naming): string[] {
  const field = nameOf(error.instancePath);
  if (isUnfitVersion(error)) return [`${field} must be a text of the form YYYY-MM`];
  const members = (kind: string): string[] =>
    namesIn(error.params, kind).map((name) => nameOf(error.instancePath, name));
  switch (error.keyword) {
    case 'required':
      return members('requiredProperties').map((name) => `${name} is missing`);
    case 'additionalProperties':
      return members('additionalProperties').map((name) => `${name} is not a field of this request`);
    case 'boolean':
      return isUnknownMember(error)
        ? [`${nameOf(...placeOfMember(error))} is not a field of this request`]
        : [];
    case 'enum':
      return [`${field} must be one of ${allowedValues(error).join(', ')}`];
    case 'pattern':
      if (field === 'cursor') return ['cursor must be the next_cursor of an earlier answer'];
      return [`${field} has characters or a form that are not allowed`];
    default:
      return [`${field} ${error.message}`];
  }
}

/** One mistake, for which the library finds three: not a text, not null, neither of them. Of older fields all three are said. */
function isUnfitVersion({ keyword, instancePath }: ValidationFinding): boolean {
  return instancePath === '/api_version' && ['type', 'anyOf'].includes(keyword);
}

/** The library finds fault with each unknown member before it names all of them together, which it may not come to. */
function isUnknownMember({ schemaPath }: ValidationFinding): boolean {
  return schemaPath.endsWith('/additionalProperties');
}

function placeOfMember({ instancePath }: ValidationFinding): [string, string] {
  const slash = instancePath.lastIndexOf('/');
  const member = instancePath
    .slice(slash + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return [instancePath.slice(0, slash), member];
}

/** A list among a finding's parameters, such as the names of missing properties. */
export function namesIn(params: object, member: string): string[] {
  const named: unknown = Object.entries(params).find(([name]) => name === member)?.[1];
  return Array.isArray(named) ? named.map(String) : [];
}

/** Null means that the field is left out, which is not worth naming. */
function allowedValues({ params }: ValidationFinding): string[] {
  return namesIn(params, 'allowedValues').filter((value) => value !== 'null');
}
