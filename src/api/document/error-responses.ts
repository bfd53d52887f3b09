import { createHash } from 'node:crypto';
import type { ErrorShape, JsonSchema, OpenApiDocument } from '@dateline/versions';
import { otherErrors } from '../../contracts/prose/about.ts';
import { errorFields } from '../../contracts/prose/shared.ts';
import { catalogue, isErrorCode } from '../../errors/catalogue.ts';
import { errorResponse, isErrorShape } from '../../errors/error-body.ts';
import { present } from '../../kernel/presence.ts';
import { describeSchema, proseFinder } from './describe-schema.ts';
import { errorShapeIn, type Part, type Parts, partIn, partsIn, textIn, textsIn } from './parts.ts';

const findError = proseFinder(errorFields);
const JSON_TYPE = 'application/json';

/** Which versions are served, as the 404 of a version tells it. */
export interface ServedNow {
  supported: readonly string[];
  current: string;
}

/** The errors of one status of an operation. */
export interface ErrorsOf {
  status: number;
  codes: readonly string[];
  shape: ErrorShape;
  /** As the document of an API folder has it: with its own forms, and the codes that have none of them. */
  written?: Part;
}

/** The errors of an operation: those of its contract, and the 404 of a version that is not served. */
export function errorsOf(operation: Part, document: OpenApiDocument): ErrorsOf[] {
  const shape = errorShapeOf(operation, document);
  if (operation['x-own-api']) return folderErrorsOf(operation, shape);
  const codesOf = Object.fromEntries(
    Object.entries(partsIn(operation, 'responses'))
      .filter(([, response]) => 'x-error-codes' in response)
      .map(([status, response]) => [status, textsIn(response, 'x-error-codes')]),
  );
  const all = { ...codesOf, 404: ['version_not_found', ...(codesOf[404] ?? [])] };
  return Object.entries(all).map(([status, codes]) => ({ status: Number(status), codes, shape }));
}

function folderErrorsOf(operation: Part, shape: ErrorShape): ErrorsOf[] {
  const responses = Object.entries(partsIn(operation, 'responses'));
  return responses
    .filter(([, response]) => 'x-error-codes' in response)
    .map(([status, written]) => {
      const codes = textsIn(written, 'x-error-codes');
      const all = status === '404' ? [VERSION_NOT_FOUND, ...codes] : codes;
      return { status: Number(status), codes: all, shape, written };
    });
}

export function errorShapeOf(operation: Part, document: OpenApiDocument): ErrorShape {
  return errorShapeIn(operation) ?? usualShape(document);
}

export function usualShape(document: OpenApiDocument): ErrorShape {
  return present(errorShapeIn(document), 'the error shape of a contract');
}

/** `problem.404.not_found`: operations share them, so they stand in one place. */
export function errorName({ shape, status, codes, written }: ErrorsOf): string {
  if (!written) return [shape.name, status, ...codes].join('.');
  // Its author may have described each of them in another way.
  const digest = createHash('sha256').update(JSON.stringify(written)).digest('hex');
  return ['api', status, digest.slice(0, 12)].join('.');
}

export function errorPart(errors: ErrorsOf, served: ServedNow): Part {
  const { codes, written } = errors;
  if (written) return folderErrorPart({ ...errors, written }, served);
  return {
    description: codes.map(inWords).join('\n\n'),
    'x-error-codes': codes,
    content: contentOf(errors, served),
  };
}

/** An error of an API folder: what its author has written, with Dateline's form of what has no other. */
function folderErrorPart({ codes, shape, status, written }: Required<ErrorsOf>, served: ServedNow): Part {
  const own = textsIn(written, 'x-dateline-codes');
  const version = codes.filter((code) => code === VERSION_NOT_FOUND);
  const ours = contentOf({ shape, status, codes: [...version, ...own] }, served);
  const description = textIn(written, 'description');
  const content = joinedContent(partsIn(written, 'content'), partsIn({ ours }, 'ours'));
  return {
    description: version.length > 0 ? `${description}\n\n${inWords(VERSION_NOT_FOUND)}` : description,
    'x-error-codes': codes,
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** One body of each media type: where both have one, it is any of them. */
function joinedContent(theirs: Parts, ours: Parts): Parts {
  const shared = Object.keys(theirs).filter((type) => type in ours);
  const joined = shared.map((type) => [type, anyOfBoth(partIn(theirs, type), partIn(ours, type))]);
  return { ...theirs, ...ours, ...Object.fromEntries(joined) };
}

function anyOfBoth(their: Part, our: Part): Part {
  const { schema, example, examples, ...rest } = their;
  const alternatives = partIn(our, 'schema').anyOf ?? [our.schema];
  const shown = example === undefined ? partIn({ examples }, 'examples') : { example: { value: example } };
  return {
    ...rest,
    schema: { anyOf: [schema ?? {}, ...(Array.isArray(alternatives) ? alternatives : [])] },
    examples: { ...shown, ...partIn(our, 'examples') },
  };
}

const inWords = (code: string): string => `\`${code}\`: ${textOf(code)}`;

/**
 * True for an operation that always redirects. Tools expect a 2XX of every operation, or a `default`: here it stands
 * for an error page, or for a refusal before any page, such as while the service starts.
 */
export function needsDefault(operation: Part): boolean {
  return !Object.keys(partIn(operation, 'responses')).some(
    (status) => status.startsWith('2') || status === 'default',
  );
}

/** `page.default` */
export function defaultName(shape: ErrorShape): string {
  return `${shape.name}.default`;
}

export function defaultPart(own: ErrorShape, usual: ErrorShape): Part {
  const shown = [
    ['internal_error', own],
    ['starting', usual],
  ] as const;
  const content = shown.map(([code, shape]) => [
    shape.mediaType,
    {
      schema: refTo(errorSchemaName(shape)),
      examples: { [code]: { value: exampleBody(code, catalogue[code].status, shape) } },
    },
  ]);
  return { description: otherErrors, 'x-error-codes': [], content: Object.fromEntries(content) };
}

/** The name of the schema of a shape. */
export function errorSchemaName(shape: ErrorShape): string {
  return `${shape.name}_error`;
}

/** The schema of an error's body, with descriptions; a page has no fields to describe. */
export function errorSchema({ name, schema }: ErrorShape): JsonSchema {
  return describeSchema(schema, [name], findError);
}

/** A version that is not served is answered in one shape, whatever the shape of the operation is. */
function contentOf({ shape, status, codes }: ErrorsOf, served: ServedNow): Part {
  const own = codes.filter((code) => code !== VERSION_NOT_FOUND);
  const examples = Object.fromEntries(own.map((code) => [code, { value: exampleBody(code, status, shape) }]));
  const content = own.length > 0 && {
    [shape.mediaType]: { schema: refTo(errorSchemaName(shape)), examples },
  };
  if (own.length === codes.length) return content || {};
  return withVersion(content || {}, served);
}

const VERSION_NOT_FOUND = 'version_not_found';

interface Content {
  schema: JsonSchema;
  examples: Part;
}

function withVersion(content: Readonly<Record<string, Content>>, served: ServedNow): Part {
  const { schema, examples } = content[JSON_TYPE] ?? { schema: null, examples: {} };
  const version = refTo(VERSION_NOT_FOUND);
  return {
    ...content,
    [JSON_TYPE]: {
      schema: schema ? { anyOf: [schema, version] } : version,
      examples: { ...examples, [VERSION_NOT_FOUND]: { value: versionBody(served) } },
    },
  };
}

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** RFC 6749 has codes of its own for what is no fault of the request. */
const ofOAuth: Readonly<Record<string, string>> = {
  server_error: catalogue.internal_error.text,
  temporarily_unavailable: catalogue.storage_unavailable.text,
};

function textOf(code: string): string {
  return isErrorCode(code) ? catalogue[code].text : (ofOAuth[code] ?? code);
}

function exampleBody(code: string, status: number, { name }: ErrorShape): unknown {
  if (!isErrorShape(name)) return `<!doctype html><title>${textOf(code)}</title>`;
  return JSON.parse(
    errorResponse({ code, status, detail: textOf(code), headers: {}, members: {} }, name).body,
  );
}

function versionBody({ supported, current }: ServedNow): unknown {
  const members = { reason: 'unknown', supported, current };
  const detail = textOf(VERSION_NOT_FOUND);
  return JSON.parse(
    errorResponse({ code: VERSION_NOT_FOUND, status: 404, detail, headers: {}, members }).body,
  );
}

/** The body of a version that is not served, the same in every version. */
export function versionNotFoundSchema(): JsonSchema {
  const version = { type: 'string', pattern: '^\\d{4}-\\d{2}$' };
  const schema = {
    type: 'object',
    required: ['error', 'detail', 'reason', 'supported', 'current'],
    properties: {
      error: { const: VERSION_NOT_FOUND },
      detail: { type: 'string' },
      reason: { type: 'string', enum: ['malformed', 'unknown', 'removed'] },
      supported: { type: 'array', items: version },
      current: version,
      removed_at: { type: 'string', format: 'date-time' },
    },
    additionalProperties: false,
  };
  return describeSchema(schema, [VERSION_NOT_FOUND], findError);
}
