import type { OpenApiDocument } from '@dateline/versions';
import { isPart } from '../../../api/document/parts.ts';

// The parts of an OpenAPI document that the reference shows: of our own documents, which are checked elsewhere.

export interface DocumentParts {
  info: { version: string; description: string };
  servers?: readonly { url: string }[];
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationPart>>>>;
  webhooks?: Readonly<Record<string, { post: OperationPart }>>;
}

export interface OperationPart {
  operationId: string;
  /** Of the operator's own API. */
  'x-own-api'?: true;
  summary: string;
  description?: string;
  tags: readonly [string, ...string[]];
  security: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly ParameterPart[];
  requestBody?: { required?: boolean; content: Contents };
  responses: Readonly<Record<string, ResponsePart>>;
}

export interface ParameterPart {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: SchemaPart;
  example?: unknown;
}

export interface ResponsePart {
  description: string;
  content?: Contents;
}

export type Contents = Readonly<Record<string, ContentPart>>;

export interface ContentPart {
  schema: SchemaPart;
  example?: unknown;
}

export interface SchemaPart {
  type?: string;
  description?: string;
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  examples?: readonly unknown[];
  anyOf?: readonly SchemaPart[];
  items?: SchemaPart;
  properties?: Readonly<Record<string, SchemaPart>>;
  required?: readonly string[];
  additionalProperties?: boolean | SchemaPart;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

/** A document with everything in its place that it refers to. */
export function withoutReferences(document: OpenApiDocument): DocumentParts {
  const partAt = (reference: string): unknown =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((part, name) => (isPart(part) ? part[name] : undefined), document);
  const resolved = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolved(item, within));
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') {
      const { $ref: reference } = value;
      // A schema that contains itself is shown once.
      if (within.includes(reference)) return { description: `As ${reference.split('/').at(-1)} above.` };
      return resolved(partAt(reference), [...within, reference]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, resolved(part, within)]));
  };
  return resolved(document, []) as DocumentParts;
}
