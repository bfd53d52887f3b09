import type { ReferenceField } from './schema-fields.ts';

/** An API as people read it. */
export interface Reference {
  /** Markdown. */
  description: string;
  groups: ReferenceGroup[];
  /** The events that integrators receive as webhooks. */
  events: ReferenceOperation[];
}

export interface ReferenceGroup {
  name: string;
  description: string;
  operations: ReferenceOperation[];
}

export interface ReferenceOperation {
  id: string;
  method: string;
  /** Of an event, its kind. */
  path: string;
  title: string;
  /** Paragraphs. */
  description: string[];
  parameters: ReferenceParameter[];
  body: ReferenceBody | null;
  answers: ReferenceAnswer[];
  /** Which bearer token it takes: the access token, one of its own, or none. */
  token: 'access' | 'own' | 'none';
  isPaged: boolean;
  /** Made for browsers: no program calls it. */
  isPage: boolean;
  samples: CallSample[];
}

export interface ReferenceParameter extends ReferenceField {
  in: 'path' | 'query' | 'header';
  example: unknown;
}

export interface ReferenceBody {
  mediaType: string;
  isForm: boolean;
  isRequired: boolean;
  fields: ReferenceField[];
  example: unknown;
}

export interface ReferenceAnswer {
  status: string;
  /** Paragraphs; of an error, one for each code. */
  description: string[];
  isError: boolean;
  fields: ReferenceField[];
  example: unknown;
}

/** A call as a program makes it. */
export interface CallSample {
  language: 'curl' | 'client' | 'python';
  label: string;
  code: string;
}
