import { deref, isJsonType, type OpenApiDocument, partAt } from '@dateline/versions';
import { isPart, listIn, type Part, partIn } from '../../document/parts.ts';
import { createDeclarations, type Declarations } from './declarations.ts';
import { docComment } from './doc-comment.ts';
import { atom, combined, type Printed } from './printed-type.ts';
import { type Direction, memberName } from './schema-type.ts';

/** The types of a version, from its document: its operations, its events, and the schemas that they have in common. */
export function versionTypes(document: OpenApiDocument): string {
  const declarations = createDeclarations(document);
  const version: Version = { document, declarations };
  const operations = operationsOf(document).map((operation) => operationType(operation, version));
  const events = eventsOf(document).map(({ kind, part, schema }) => {
    const { text } = declarations.type(schema, 'answer', '  ');
    return `${docComment(part, '  ')}  ${quoted(kind)}: ${text};\n`;
  });
  return [
    `export interface Operations {\n${operations.join('')}}\n`,
    `export interface Events {\n${events.join('')}}\n`,
    ...declarations.texts(),
  ].join('\n');
}

interface Version {
  document: OpenApiDocument;
  declarations: Declarations;
}

interface DocumentOperation {
  id: string;
  method: string;
  path: string;
  part: Part;
  parameters: readonly Part[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

function operationsOf(document: OpenApiDocument): DocumentOperation[] {
  return Object.keys(partIn(document, 'paths')).flatMap((path) => {
    const item = partAt(document, 'paths', path) ?? {};
    return METHODS.filter((method) => isPart(item[method])).map((method) => {
      const part = partIn(item, method);
      const { operationId = `${method.toUpperCase()} ${path}` } = part;
      return { id: String(operationId), method, path, part, parameters: parametersOf(document, item, part) };
    });
  });
}

/** The parameter of an operation takes the place of the one of its path. */
function parametersOf(document: OpenApiDocument, item: Part, operation: Part): Part[] {
  const parameters = [item, operation].flatMap((part) =>
    listIn(part, 'parameters').map((parameter) => deref(document, parameter) ?? {}),
  );
  return [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()];
}

function eventsOf(document: OpenApiDocument) {
  return Object.keys(partIn(document, 'webhooks')).map((kind) => {
    const part = partAt(document, 'webhooks', kind, 'post') ?? {};
    const content = partAt(part, 'requestBody') ?? {};
    const body = deref(document, content) ?? {};
    const [schema] = jsonSchemas(document, body);
    return { kind, part, schema };
  });
}

function operationType(operation: DocumentOperation, version: Version): string {
  const { id, part } = operation;
  const members = {
    params: parameterType(operation, version, 'path'),
    query: parameterType(operation, version, 'query'),
    headers: parameterType(operation, version, 'header'),
    body: bodyType(operation, version),
    ...answerTypes(part, version),
  };
  const lines = Object.entries(members).map(([name, text]) => `    ${name}: ${text};\n`);
  return `${docComment(part, '  ')}  ${quoted(id)}: {\n${lines.join('')}  };\n`;
}

/** They stand for the request itself. */
const IGNORED_HEADERS = ['accept', 'authorization', 'content-type'];

function parameterType(
  { parameters }: DocumentOperation,
  { document, declarations }: Version,
  place: 'path' | 'query' | 'header',
): string {
  const members = parameters
    .filter((parameter) => parameter.in === place && typeof parameter.name === 'string')
    .map((parameter) => ({
      parameter,
      name: place === 'header' ? String(parameter.name).toLowerCase() : String(parameter.name),
    }))
    .filter(({ name }) => place !== 'header' || !IGNORED_HEADERS.includes(name))
    .map(({ parameter, name }) => {
      const schema = parameter.schema ?? Object.values(contentOf(document, parameter))[0]?.schema;
      const text =
        place === 'query' ? declarations.type(schema, 'request', '      ').text : textType(schema, document);
      const mark = parameter.required === true || place === 'path' ? '' : '?';
      return `${docComment(parameter, '      ')}      ${memberName(name)}${mark}: ${text};\n`;
    });
  return members.length === 0 ? '{}' : `{\n${members.join('')}    }`;
}

/** Parameters of paths and headers are texts, whatever they stand for. */
function textType(schema: unknown, document: OpenApiDocument): string {
  const { enum: values } = (isPart(schema) && deref(document, schema)) || {};
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  return texts.length > 0 && Array.isArray(values) && texts.length === values.length
    ? texts.map((text) => JSON.stringify(text)).join(' | ')
    : 'string';
}

/** Neither GET nor HEAD has a body. */
function bodyType({ method, part }: DocumentOperation, { document, declarations }: Version): string {
  if (!isPart(part.requestBody) || ['get', 'head'].includes(method)) return '{}';
  const body = deref(document, part.requestBody) ?? {};
  const { text } = contentType(contentOf(document, body), 'request', { document, declarations }, '    ');
  // A request without a body comes as one with nothing in it.
  return body.required === true ? text : `Partial<${text}>`;
}

function answerTypes(part: Part, version: Version): { answers: string; errors: string } {
  const rows = Object.entries(partIn(part, 'responses')).map(([status, response]) => {
    const answer = (isPart(response) && deref(version.document, response)) || {};
    const content = contentOf(version.document, answer);
    const text =
      Object.keys(content).length === 0
        ? 'undefined'
        : contentType(content, 'answer', version, '      ').text;
    const row = `${docComment(answer, '      ')}      ${/^\d+$/.test(status) ? status : quoted(status)}: ${text};\n`;
    return { isError: /^[45]|^default$/.test(status), row };
  });
  const typeOf = (wanted: boolean): string => {
    const some = rows.filter(({ isError }) => isError === wanted).map(({ row }) => row);
    return some.length === 0 ? '{}' : `{\n${some.join('')}    }`;
  };
  return { answers: typeOf(false), errors: typeOf(true) };
}

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** What is neither JSON nor a form is bytes. */
function contentType(
  content: Readonly<Record<string, Part>>,
  direction: Direction,
  { declarations }: Version,
  indent: string,
): Printed {
  const types = Object.entries(content).map(([name, { schema }]) => {
    const mediaType = name.toLowerCase().replace(/\s*;.*$/, '');
    const isRead = isJsonType(mediaType) || (direction === 'request' && FORMS.includes(mediaType));
    return isRead ? declarations.type(schema, direction, indent) : atom('Uint8Array');
  });
  return combined('|', types, indent);
}

function jsonSchemas(document: OpenApiDocument, part: Part): unknown[] {
  return Object.entries(contentOf(document, part))
    .filter(([name]) => isJsonType(name.toLowerCase().replace(/\s*;.*$/, '')))
    .map(([, { schema }]) => schema);
}

function contentOf(document: OpenApiDocument, part: Part): Readonly<Record<string, Part>> {
  const entries = Object.entries(partIn(part, 'content'));
  return Object.fromEntries(
    entries.flatMap(([name, value]) => {
      const found = isPart(value) ? deref(document, value) : undefined;
      return found ? [[name, found]] : [];
    }),
  );
}

const quoted = (text: string): string => JSON.stringify(text);
