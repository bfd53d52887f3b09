import {
  type CompiledApi,
  type OpenApiDocument,
  type Operation,
  partAt,
  sampleIn,
  statedExamples,
} from '@dateline/versions';

/** What the authors of the documents have written as examples of their answers, and what can be made of them. */
export interface StatedAnswers {
  /** Of the body with this media type. */
  bodies(operation: Operation, status: number, mediaType: string): unknown[];
  /** The schemas of the headers that it must have, by name in lower case, each with its examples. */
  headers(operation: Operation, status: number): StatedHeader[];
}

export interface StatedHeader {
  name: string;
  isRequired: boolean;
  /** The document that the schema is a part of. */
  document: OpenApiDocument;
  schema: unknown;
  examples: unknown[];
}

type Found = NonNullable<ReturnType<typeof partAt>>;

/** Of an API as its upstream knows it. */
export function createStatedAnswers(api: CompiledApi): StatedAnswers {
  const documents = new Map(
    [...api.values()].flatMap(({ document, operations }) =>
      [...operations.values()].map(({ operation }) => [operation, document] as const),
    ),
  );

  function responseOf(operation: Operation, status: number): [OpenApiDocument, Found] | null {
    const document = documents.get(operation);
    if (!document) return null;
    const at = ['paths', operation.path, operation.method.toLowerCase(), 'responses'] as const;
    const names = [String(status), `${Math.floor(status / 100)}XX`, 'default'];
    for (const name of names) {
      const response = partAt(document, ...at, name);
      if (response) return [document, response];
    }
    return null;
  }

  return {
    bodies(operation, status, mediaType) {
      const [document, response] = responseOf(operation, status) ?? [];
      if (!document || !response) return [];
      const content = partAt({ ...document, 'x-response': response }, 'x-response', 'content') ?? {};
      const name = Object.keys(content).find(
        (one) => one.split(';', 1)[0]?.trim().toLowerCase() === mediaType,
      );
      const found = name === undefined ? undefined : partAt({ ...document, content }, 'content', name);
      // A contract has no examples: those of schemas stand in the document.
      return found ? [...statedExamples(document, found), sampleIn(document, found.schema)] : [];
    },
    headers(operation, status) {
      const [document, response] = responseOf(operation, status) ?? [];
      if (!document || !response) return [];
      const whole = { ...document, 'x-response': response };
      const names = Object.keys(partAt(whole, 'x-response', 'headers') ?? {});
      return names.flatMap((name) => {
        const header = partAt(whole, 'x-response', 'headers', name);
        if (!header) return [];
        const { required, schema } = header;
        const examples = statedExamples(document, header);
        return [{ name: name.toLowerCase(), isRequired: required === true, document, schema, examples }];
      });
    },
  };
}
