import type { JsonSchema, Operation } from '../contract/contract.ts';
import { parametersIn } from '../contract/path-template.ts';
import { below, itemsBelow, type Location, type OpenApiReading } from '../openapi/openapi-reading.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { type Parameter, readParameter } from './read-parameter.ts';

type Parameters = Pick<Operation, 'params' | 'allowSlash' | 'query' | 'headers' | 'styles'>;

/** The parameters of an operation, with those that its path shares. */
export function readParameters(
  reader: OpenApiReader,
  { path, location, shared }: { path: string; location: Location; shared: Location },
): Parameters {
  const own = readList(reader, below(location, 'parameters'));
  const parameters = [...new Map([...readList(reader, shared), ...own]).values()];
  const located = (sentIn: Parameter['sentIn']): Parameter[] =>
    parameters.filter((parameter) => parameter.sentIn === sentIn);
  checkPathParameters(reader.reading, { path, location }, located('path'));
  const schemaOf = (some: readonly Parameter[]): JsonSchema | null => objectOf(reader, some);
  const headers = schemaOf(located('header'));
  const params = located('path').every(isPlainText) ? null : schemaOf(located('path'));
  const allowSlash = located('path').flatMap(({ name, allowsSlash }) => (allowsSlash ? [name] : []));
  return {
    ...(params ? { params } : {}),
    ...(allowSlash.length > 0 ? { allowSlash: allowSlash.sort() } : {}),
    query: schemaOf(located('query')),
    ...(headers ? { headers } : {}),
    ...stylesOf(parameters),
  };
}

/** By location and name: what an operation declares takes the place of what its path shares. */
function readList(reader: OpenApiReader, list: Location): Map<string, Parameter> {
  const { reading } = reader;
  const known = new Map<string, Parameter>();
  for (const item of itemsBelow(list)) {
    const parameter = readParameter(reader, item);
    if (parameter === null) continue;
    const { sentIn, name } = parameter;
    const key = `${sentIn} ${sentIn === 'header' ? name.toLowerCase() : name}`;
    if (known.has(key)) reading.refuse(item, `the ${sentIn} has a parameter ${name} already`);
    known.set(key, parameter);
  }
  return known;
}

function stylesOf(parameters: readonly Parameter[]): Pick<Operation, 'styles'> {
  const styled = parameters.flatMap(({ sentIn, name, style }) => (style ? [{ sentIn, name, style }] : []));
  const places = [...new Set(styled.map(({ sentIn }) => sentIn))].map((place) => [
    place,
    Object.fromEntries(
      styled.filter(({ sentIn }) => sentIn === place).map(({ name, style }) => [name, style]),
    ),
  ]);
  return styled.length > 0 ? { styles: Object.fromEntries(places) } : {};
}

function checkPathParameters(
  { refuse }: OpenApiReading,
  { path, location }: { path: string; location: Location },
  declared: readonly Parameter[],
): void {
  const named = parametersIn(path);
  for (const name of named)
    if (!declared.some((parameter) => parameter.name === name))
      refuse(location, `the parameter ${name} of its path is not declared`);
  for (const parameter of declared)
    if (!named.includes(parameter.name)) refuse(parameter.location, `the path has no {${parameter.name}}`);
}

function isPlainText({ schema }: Parameter): boolean {
  return schema.type === 'string' && Object.keys(schema).length === 1;
}

function objectOf({ schemas }: OpenApiReader, parameters: readonly Parameter[]): JsonSchema | null {
  if (parameters.length === 0) return null;
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  return schemas.whole({ type: 'object', required: required.sort(), properties });
}
