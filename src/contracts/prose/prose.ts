/** The description of a field, and an example. A field with fields of its own is shown by their examples. */
export interface FieldProse {
  description: string;
  example?: unknown;
  /** The newest version that has it, where later ones do not: once that is removed, these words may go. */
  lastIn?: string;
}

/**
 * By the end of a field's path, such as `name` or `created_by.client_id`; the longest that fits counts. A path begins with
 * where the field is: request, answer, query, path, header or event. The places of a list have no name.
 */
export type Fields = Readonly<Record<string, FieldProse>>;

export interface OperationProse {
  description: string;
  lastIn?: string;
  /** The meaning of each success, by status. */
  answers: Readonly<Record<number, string>>;
  /** Descriptions that differ from those of the subject. */
  fields?: Fields;
  /** The optional fields that the example of a body has; all of them where this is left out. */
  sends?: readonly string[];
  /** The example of an answer, where it is not made of those of its fields. */
  shows?: unknown;
}

/** The descriptions of operations and events that share fields. They hold for every version that has them. */
export interface Subject {
  operations: Readonly<Record<string, OperationProse>>;
  /** By kind. */
  events: Readonly<Record<string, string>>;
  fields: Fields;
}

export const describe = (text: string, example?: unknown): FieldProse =>
  example === undefined ? { description: text } : { description: text, example };

/** An id as examples have it: visibly nobody's. */
export const exampleId = (prefix: string): string => `${prefix}_0000000000000000000001`;
