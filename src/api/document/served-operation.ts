import type { JsonSchema, OpenApiDocument } from '@dateline/versions';
import { answerHeaders } from '../../contracts/prose/about.ts';
import type { OperationProse, Subject } from '../../contracts/prose/prose.ts';
import { sharedFields } from '../../contracts/prose/shared.ts';
import type { VersionState } from '../../releases/lifecycle.ts';
import { describeSchema, exampleOf, type FindProse, mapValues, proseFinder } from './describe-schema.ts';
import {
  defaultName,
  errorName,
  errorShapeOf,
  errorsOf,
  needsDefault,
  type ServedNow,
} from './error-responses.ts';
import { isPart, listIn, type Part, partIn, partsIn, textIn, textsIn } from './parts.ts';

/** The inputs of a served document. */
export interface Served extends ServedNow {
  document: OpenApiDocument;
  subjects: readonly Subject[];
  issuer: string;
  state: VersionState;
}

/** An operation with its words and examples, its version header, and all that it may answer. */
export function servedOperation(operation: Part, served: Served): Part {
  const id = textIn(operation, 'operationId');
  const subject = served.subjects.find(({ operations }) => Object.hasOwn(operations, id));
  const prose = subject?.operations[id] ?? NO_PROSE;
  const find = proseFinder(prose.fields ?? {}, subject?.fields ?? {}, sharedFields);
  const choices = choicesOf(operation);
  return {
    ...operation,
    description: [prose.description || operation.description, ...needs(choices)].filter(Boolean).join('\n\n'),
    ...securityPart(operation, choices),
    parameters: [
      { $ref: '#/components/parameters/Service-Version' },
      ...listIn(operation, 'parameters').map((parameter) => servedParameter(parameter, find)),
    ],
    ...(isPart(operation.requestBody) && {
      requestBody: servedRequest(operation.requestBody, { find, prose }),
    }),
    responses: {
      ...successResponses(operation, { find, prose, state: served.state }),
      ...Object.fromEntries(
        errorsOf(operation, served.document).map((errors) => [errors.status, refTo(errorName(errors))]),
      ),
      ...(needsDefault(operation) && {
        default: refTo(defaultName(errorShapeOf(operation, served.document))),
      }),
    },
  };
}

const refTo = (name: string): Part => ({ $ref: `#/components/responses/${name}` });

const NO_PROSE: OperationProse = { description: '', answers: {} };

/** Only schemes of OAuth name scopes in a document; ours is a bearer token, so they stand beside it. */
function securityPart(operation: Part, [first, ...others]: readonly (readonly string[])[]): Part {
  if (first === undefined) return {};
  const isOptional = listIn(operation, 'security').some((requirement) => !('bearer' in requirement));
  return {
    'x-scopes': first,
    ...(others.length > 0 && { 'x-scopes-or': others }),
    security: [{ bearer: [] }, ...(isOptional ? [{}] : [])],
  };
}

/** The sets of scopes any of which is enough; none where a token needs none. */
function choicesOf(operation: Part): (readonly string[])[] {
  return listIn(operation, 'security')
    .map((requirement) => textsIn(requirement, 'bearer'))
    .filter((scopes) => scopes.length > 0);
}

function needs(choices: readonly (readonly string[])[]): string[] {
  const words = choices.map((scopes) => `the scope ${scopes.join(' and ')}`);
  return words.length === 0 ? [] : [`Needs a token with ${words.join(', or ')}.`];
}

function servedParameter(parameter: Part, find: FindProse): Part {
  const path = [textIn(parameter, 'in'), textIn(parameter, 'name')];
  const schema = partIn(parameter, 'schema');
  return {
    ...parameter,
    description: find(path)?.description ?? parameter.description,
    schema: describeSchema(schema, path, find),
    example: parameter.example ?? exampleOf(schema, path, { find }),
  };
}

interface Words {
  find: FindProse;
  prose: OperationProse;
}

function servedRequest(body: Part, { find, prose }: Words): Part {
  const wanted = (name: string): boolean => prose.sends?.includes(name) ?? true;
  return withContent(body, (schema) => ({
    schema: describeSchema(schema, ['request'], find),
    example: exampleOf(schema, ['request'], { find, wanted }),
  }));
}

function servedAnswer(body: Part, { find, prose }: Words): Part {
  return withContent(body, (schema) => ({
    schema: describeSchema(schema, ['answer'], find),
    example: prose.shows ?? exampleOf(schema, ['answer'], { find }),
  }));
}

/** Adds examples to a body's content. An API folder's own examples win; our contracts have none. */
function withContent(body: Part, make: (schema: JsonSchema) => Part): Part {
  return {
    ...body,
    content: mapValues(partsIn(body, 'content'), ({ schema, ...written }) => ({
      ...make(isPart(schema) ? schema : {}),
      ...written,
    })),
  };
}

function successResponses(operation: Part, { state, ...words }: Words & { state: VersionState }): Part {
  const responses = Object.entries(partsIn(operation, 'responses'));
  return Object.fromEntries(
    responses
      .filter(([, response]) => !('x-error-codes' in response))
      .map(([status, response]) => [
        status,
        {
          ...(response.content ? servedAnswer(response, words) : response),
          description: words.prose.answers[Number(status)] ?? response.description,
          headers: withHeaders(response, headersOf(Number(status), state)),
        },
      ]),
  );
}

const ALWAYS = ['Service-Version', 'X-Request-Id'];
const WHEN_DEPRECATED = ['Deprecation', 'Sunset', 'Link'];
const BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  302: ['Location'],
  303: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  502: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
};

/** The author of an API folder may have described some of ours, too. */
export function withHeaders(response: Part, ours: Part): Part {
  const theirs = partIn(response, 'headers');
  const described = new Set(Object.keys(theirs).map((name) => name.toLowerCase()));
  const others = Object.entries(ours).filter(([name]) => !described.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...theirs };
}

/** The headers of an answer, by reference. */
export function headersOf(status: number | 'default', state: VersionState): Part {
  const names = [...ALWAYS, ...(state === 'deprecated' ? WHEN_DEPRECATED : []), ...(BY_STATUS[status] ?? [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The components that the answers' headers refer to. */
export function headerParts(version: string, state: VersionState): Part {
  const parts = mapValues(answerHeaders(version), ({ description, example }) => ({
    description: description,
    schema: { type: typeof example === 'number' ? 'integer' : 'string' },
    example,
  }));
  const sent = Object.entries(parts).filter(
    ([name]) => state === 'deprecated' || !WHEN_DEPRECATED.includes(name),
  );
  return Object.fromEntries(sent);
}
