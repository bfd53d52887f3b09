import { deref, type OpenApiDocument, partAt } from '@dateline/versions';

type Part = Record<string, unknown>;

/** The next version of a document, and the source of the modules that bridge it with the document as it was. */
export interface EditedDocument {
  next: OpenApiDocument;
  modules: readonly string[];
}

export interface Place {
  id: string;
  path: string;
  method: string;
}

/** One edit of an operation, which may be changed. Null where it does not suit the operation. */
type Edit = (operation: Part, document: Part, place: Place) => string | null;

const methods = ['get', 'put', 'post', 'delete', 'patch'];
const JSON_TYPE = 'application/json';

/** Every kind of edit, each on the first operation that it suits and that has none yet. */
export function editedDocument(document: OpenApiDocument): EditedDocument {
  const next = structuredClone(document) as Part;
  const taken = new Set<string>();
  const modules = Object.entries(edits).flatMap(([name, edit]) => {
    for (const { id, path, method } of placesIn(next).filter((place) => !taken.has(place.id))) {
      const operation = partAt(next, 'paths', path, method) as Part;
      const bridge = edit(operation, next, { id, path, method });
      if (bridge === null) continue;
      taken.add(id);
      return [moduleOf(name, id, bridge)];
    }
    return [];
  });
  return { next, modules };
}

function placesIn(document: OpenApiDocument): Place[] {
  const paths = partAt(document, 'paths') ?? {};
  return Object.keys(paths).flatMap((path) =>
    methods.flatMap((method) => {
      const operation = partAt(document, 'paths', path, method);
      if (!operation) return [];
      return [{ id: String(operation.operationId ?? `${method.toUpperCase()} ${path}`), path, method }];
    }),
  );
}

const edits: Readonly<Record<string, Edit>> = {
  /** The body of an answer is inside of `data`. */
  wrapAnswers(operation, document, { id }) {
    const content = onlyJson(operation, document, '200');
    if (!content) return null;
    content[JSON_TYPE] = { schema: wrapped('data', (content[JSON_TYPE] as Part).schema) };
    return `touches: ['${id}'], downgradeResponse: { '${id}': (body) => body.data }`;
  },
  /** The body of a request is inside of `input`. */
  wrapRequests(operation, document, { id }) {
    const body = deref(document, operation.requestBody as Part | undefined);
    const content = structuredClone(body?.content) as Part | undefined;
    if (body?.required !== true || !content || Object.keys(content).join() !== JSON_TYPE) return null;
    content[JSON_TYPE] = { schema: wrapped('input', (content[JSON_TYPE] as Part).schema) };
    operation.requestBody = { required: true, content };
    return `touches: ['${id}'], upgradeRequest: { '${id}': ({ body }) => ({ body: { input: body } }) }`;
  },
  /** An optional parameter of the query has another name. */
  renameQuery(operation, document, { id }) {
    const parameters = (operation.parameters ?? []) as Part[];
    const index = parameters.findIndex((parameter) => isSimpleQuery(deref(document, parameter)));
    const parameter = deref(document, parameters[index]);
    if (!parameter) return null;
    const name = String(parameter.name);
    operation.parameters = parameters.with(index, { ...parameter, name: `${name}_next` });
    const [old, renamed] = [JSON.stringify(name), JSON.stringify(`${name}_next`)];
    return `touches: ['${id}'], upgradeRequest: { '${id}': ({ query: { [${old}]: value, ...query } }) =>
      ({ query: value === undefined ? query : { ...query, [${renamed}]: value } }) }`;
  },
  /** 200 became 202. */
  changeStatus(operation, document, { id }) {
    const responses = operation.responses as Part;
    if (!ownContent(operation, document, '200') || responses['202'] || responses['2XX']) return null;
    const { '200': accepted, ...others } = responses;
    operation.responses = { ...others, '202': accepted };
    return `touches: ['${id}'], downgradeStatus: { '${id}': { 202: 200 } }`;
  },
  /** Answers have one more header. */
  addHeader(operation, document, { id }) {
    if (!ownContent(operation, document, '200')) return null;
    const response = (operation.responses as Part)['200'] as Part;
    response.headers = { ...(response.headers as Part), 'X-Next': { schema: { type: 'string' } } };
    return `touches: ['${id}'], downgradeHeaders: { '${id}': ({ 'x-next': _new, ...headers }) => headers }`;
  },
  /** An operation is at another path. */
  movePath(operation, document, { id, path, method }) {
    const paths = document.paths as Record<string, Part>;
    const { [method]: _moved, ...left } = paths[path] as Part;
    paths[path] = left;
    paths[`/moved${path}`] = {
      ...(left.parameters ? { parameters: left.parameters } : {}),
      [method]: { ...operation, operationId: id },
    };
    return `touches: ['${id}']`;
  },
  /** An operation is gone, and stays for older versions as it was. */
  removeAndKeep(_operation, document, { id, path, method }) {
    const paths = document.paths as Record<string, Part>;
    const { [method]: _removed, ...left } = paths[path] as Part;
    paths[path] = left;
    return `touches: ['${id}'], kept: ['${id}']`;
  },
};

/** The content of an answer, as a part of this operation alone; null where it has no JSON, or something beside it. */
function onlyJson(operation: Part, document: OpenApiDocument, status: string): Part | null {
  const content = ownContent(operation, document, status);
  return content && Object.keys(content).length === 1 ? content : null;
}

function ownContent(operation: Part, document: OpenApiDocument, status: string): Part | null {
  const responses = (operation.responses ?? {}) as Part;
  const response = deref(document, responses[status] as Part | undefined);
  const content = response?.content as Part | undefined;
  if (!response || (content?.[JSON_TYPE] as Part | undefined)?.schema === undefined) return null;
  const own = structuredClone(response) as Part;
  responses[status] = own;
  return own.content as Part;
}

function isSimpleQuery(parameter: Readonly<Part> | undefined): boolean {
  const schema = parameter?.schema as Part | undefined;
  return (
    parameter?.in === 'query' &&
    parameter.required !== true &&
    ['string', 'integer'].includes(String(schema?.type))
  );
}

const wrapped = (name: string, schema: unknown): Part => ({
  type: 'object',
  required: [name],
  properties: { [name]: schema },
});

const moduleOf = (name: string, id: string, bridge: string): string => `{
  name: '${name}', kind: 'changed', summary: 'It.', why: 'For a test.', upgradeNote: 'Do.',
  examples: [{ before: null, after: { request: ${JSON.stringify(id)} } }],
  ${bridge},
}`;
