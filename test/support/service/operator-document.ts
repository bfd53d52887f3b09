import type { JsonSchema, OpenApiDocument, Validate } from '@dateline/versions';
import { validator } from '../../../versions/src/schema/validator.ts';

export interface DocumentedOperation {
  id: string;
  method: string;
  /** With parameters in braces. */
  path: string;
  /** The roles that may call it; empty where no key is needed. */
  roles: readonly string[];
  responses: Readonly<Record<string, DocumentedResponse>>;
  part: Part;
}

interface DocumentedResponse {
  content?: Readonly<Record<string, { schema: JsonSchema }>>;
}

type Part = Readonly<Record<string, unknown>>;

/** The operations of the operator API's OpenAPI document. */
export function documentedOperations({ paths, components }: OpenApiDocument): DocumentedOperation[] {
  const { responses } = components as { responses: Record<string, DocumentedResponse> };
  const resolved = (response: DocumentedResponse & { $ref?: string }): DocumentedResponse =>
    response.$ref === undefined ? response : (responses[response.$ref.split('/').at(-1) ?? ''] ?? {});
  return Object.entries(paths as Record<string, Record<string, Part>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, part]) => ({
      id: String(part.operationId),
      method: method.toUpperCase(),
      path,
      roles: (part.security as Record<string, string[]>[]).flatMap((entry) => entry.operator_key ?? []),
      responses: Object.fromEntries(
        Object.entries(part.responses as DocumentedOperation['responses']).map(([status, response]) => [
          status,
          resolved(response),
        ]),
      ),
      part,
    })),
  );
}

export interface OperatorAnswer {
  status: number;
  contentType: string | null;
  text: string;
}

/** Says what is wrong with an answer of an operation, by the document; nothing if it is as promised. */
export function answerProblems({ id, responses }: DocumentedOperation, answer: OperatorAnswer): string[] {
  const { status, contentType, text } = answer;
  const promised = responses[status];
  if (!promised) return [`${id} answered ${status}, which its document does not have: ${text}`];
  if (!promised.content) return text === '' ? [] : [`${id} answered ${status} with a body: ${text}`];
  const sent = (contentType ?? '').split(';', 1)[0] ?? '';
  const schema = promised.content[sent]?.schema;
  if (!schema) return [`${id} answered ${status} as ${sent}, which its document does not have`];
  const body: unknown = sent === 'application/json' ? JSON.parse(text) : text;
  return checkOf(schema)(body).map(
    ({ instancePath, message }) => `${id} ${status}: ${instancePath || 'the body'} ${message}`,
  );
}

const checks = new WeakMap<JsonSchema, Validate>();

function checkOf(schema: JsonSchema): Validate {
  const known = checks.get(schema) ?? validator(schema);
  checks.set(schema, known);
  return known;
}

/** The operation that a request is for. */
export function operationFor(
  operations: readonly DocumentedOperation[],
  method: string,
  url: string,
): DocumentedOperation | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const matches = (operation: DocumentedOperation): boolean =>
    new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path);
  const there = operations.filter((operation) => operation.method === method && matches(operation));
  // A fixed path comes before one with a parameter.
  return there.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}
