import type { OpenApiDocument } from '@dateline/versions';
import { exampleOf } from './example-of.ts';
import {
  type Contents,
  type DocumentParts,
  type OperationPart,
  type ParameterPart,
  type ResponsePart,
  withoutReferences,
} from './openapi-parts.ts';
import type {
  Reference,
  ReferenceAnswer,
  ReferenceBody,
  ReferenceOperation,
  ReferenceParameter,
} from './reference.ts';
import { callSamples, type SampleSetting } from './samples.ts';
import { schemaFields, typeText } from './schema-fields.ts';

/** The parts of a document that a page shows. */
export function readReference(document: OpenApiDocument, setting: SampleSetting): Reference {
  const parts = withoutReferences(document);
  const operations = operationsIn(parts).map(({ method, path, part }) => {
    const operation = readOperation(part, method, path);
    // Our client library knows our own operations.
    const called = part['x-own-api'] ? { ...setting, callOf: () => null } : setting;
    return { group: part.tags[0], operation: { ...operation, samples: callSamples(operation, called) } };
  });
  const groups = parts.tags.map(({ name, description = '' }) => ({
    name,
    description: description,
    operations: operations.filter(({ group }) => group === name).map(({ operation }) => operation),
  }));
  return {
    description: parts.info.description,
    groups: groups.filter((group) => group.operations.length > 0),
    events: Object.entries(parts.webhooks ?? {}).map(([kind, { post }]) => ({
      ...readOperation(post, 'EVENT', kind),
      samples: [],
    })),
  };
}

function operationsIn({ paths }: DocumentParts): { method: string; path: string; part: OperationPart }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => !method.startsWith('x-'))
      .map(([method, part]) => ({ method: method.toUpperCase(), path, part })),
  );
}

function readOperation(
  part: OperationPart,
  method: string,
  path: string,
): Omit<ReferenceOperation, 'samples'> {
  const parameters = (part.parameters ?? [])
    .filter(({ name }) => name !== 'Service-Version')
    .map(readParameter);
  return {
    id: part.operationId,
    method,
    path,
    title: part.summary,
    description: paragraphs(part.description ?? ''),
    parameters,
    body: part.requestBody ? readBody(part.requestBody) : null,
    answers: Object.entries(part.responses).map(([status, answer]) => readAnswer(status, answer)),
    token: tokenOf(part),
    isPaged: method === 'GET' && parameters.some(({ name }) => name === 'limit'),
    isPage: Object.entries(part.responses).every(
      ([status, { content = {} }]) => !status.startsWith('2') || 'text/html' in content,
    ),
  };
}

function tokenOf({ security }: OperationPart): ReferenceOperation['token'] {
  const [scheme] = Object.keys(security[0] ?? {});
  if (scheme === undefined) return 'none';
  return scheme === 'registration_access_token' ? 'own' : 'access';
}

function readParameter({
  name,
  in: location,
  required = false,
  description = '',
  schema,
  example,
}: ParameterPart): ReferenceParameter {
  return {
    name,
    in: location,
    isRequired: required,
    type: typeText(schema),
    description: description,
    example,
  };
}

function readBody({ required = false, content }: { required?: boolean; content: Contents }): ReferenceBody {
  const [mediaType, part] = Object.entries(content)[0] as [string, Contents[string]];
  return {
    mediaType,
    isForm: mediaType === 'application/x-www-form-urlencoded',
    isRequired: required,
    fields: schemaFields(part.schema),
    example: exampleOf(part),
  };
}

function readAnswer(status: string, { description, content = {} }: ResponsePart): ReferenceAnswer {
  const isError = !/^[23]/.test(status);
  const [part] = Object.values(content);
  return {
    status,
    description: paragraphs(description),
    isError,
    fields: part && !isError ? schemaFields(part.schema) : [],
    example: part && !isError && part.schema.type !== 'string' ? exampleOf(part) : undefined,
  };
}

function paragraphs(text: string): string[] {
  return text.split('\n\n').filter((paragraph) => paragraph !== '');
}
