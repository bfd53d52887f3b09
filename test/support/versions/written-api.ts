import {
  type CompiledApi,
  type Contract,
  compileApi,
  expandChanges,
  type OpenApiDocument,
  readOpenApi,
  type WrittenChange,
} from '@dateline/versions';

type Part = Readonly<Record<string, unknown>>;

/** A document in one of two versions, with component schemas and paths. */
export function documentOf(
  version: string,
  schemas: Part,
  paths: Part,
  webhooks: Part = {},
): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version },
    security: [],
    paths,
    webhooks,
    components: { schemas },
  };
}

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: Part) => ({ content: { 'application/json': { schema } } });

export function operationOf(id: string, answer: Part | null, body: Part | null = null): Part {
  return {
    operationId: id,
    summary: id,
    ...(body ? { requestBody: { required: true, ...json(body) } } : {}),
    responses: { 200: { description: 'Done', ...(answer ? json(answer) : {}) } },
  };
}

export function contractIn(document: OpenApiDocument): Contract {
  const { contract, problems } = readOpenApi(document, {
    errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: {} },
    errors: {},
    open: '*',
    examples: 'later',
    wrapEvent: (_kind, data) => data,
    wrapExample: (_kind, data) => ({ data }),
  });
  if (!contract) throw new Error(JSON.stringify(problems));
  return contract;
}

/** The two versions with changes between them. Throws where these cannot be carried out or leave a difference. */
export function compiledWith(
  older: OpenApiDocument,
  newer: OpenApiDocument,
  changes: readonly WrittenChange[],
): CompiledApi {
  return compiledWithAll([older, newer], [changes]);
}

/** The same for several versions, oldest first, with the changes of each step. */
export function compiledWithAll(
  documents: readonly OpenApiDocument[],
  steps: readonly (readonly WrittenChange[])[],
): CompiledApi {
  const contracts = new Map(documents.map((document) => [document, contractIn(document)]));
  const all = [...contracts.values()];
  const expanded = steps.map((changes, index) => {
    const [one, other] = all.slice(index);
    if (!one || !other) throw new Error('both documents have a contract');
    return expandChanges({ older: one.version, newer: other.version, changes }, one, other);
  });
  const problems = expanded.flatMap((one) => one.problems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return compileApi({
    documents,
    changeSets: expanded.map(({ changeSet }) => changeSet),
    read: (document) => contracts.get(document) ?? contractIn(document),
  });
}
