import {
  type ApiVersion,
  type Body,
  bodyValidators,
  type CompiledApi,
  type CompiledOperation,
  type CompiledVersion,
  declaredBody,
  isJsonType,
  type Json,
  type OpenApiDocument,
  type Validate,
} from '@dateline/versions';
import { isPart, partIn } from '../../document/parts.ts';
import { readFolderContract } from '../folder-contract.ts';
import { ERRORS_FILE } from '../folder-files.ts';
import type { FolderErrors, ToldError } from './load-errors.ts';

export interface ErrorLocation {
  version: ApiVersion;
  /** Its id in that version; null where the address or the method leads to none. */
  operation: string | null;
}

/** An error in the API's own form, as the caller's version has it. */
export interface ShapedError {
  status: number;
  mediaType: string;
  text: string;
  /** Described by the component that `errors.mjs` names: the operation declares no form for this status. */
  isNamed: boolean;
}

/** Null where the contract of that version has no form for it. Throws where `errors.mjs` or a change has made something else. */
export type ErrorShaper = (told: ToldError, location: ErrorLocation) => ShapedError | null;

const JSON_TYPE = 'application/json';

/**
 * Writes errors of Dateline's own as the API's: `errors.mjs` writes them as the upstream would, in Next, and changes translate them for
 * older versions. Nothing leaves that its contract does not have.
 */
export function createErrorShaper(errors: FolderErrors, api: CompiledApi): ErrorShaper {
  const write = createWriter(errors, api);
  const validators = new WeakMap<Body, ReadonlyMap<string, Validate>>();
  return (told, location) => {
    const written = write(told, location);
    if (written === null) return null;
    const { shaped, form } = written;
    if (form !== null && isJsonType(baseOf(shaped.mediaType))) requireFit(form, shaped);
    return shaped;
  };

  function requireFit(form: Body, { mediaType, text, isNamed }: ShapedError): void {
    const known = validators.get(form) ?? bodyValidators(form);
    validators.set(form, known);
    const validate = known.get(isNamed ? form.mediaType : baseOf(mediaType));
    const [finding] = validate?.(JSON.parse(text)) ?? [];
    if (finding) throw new Error(`${finding.instancePath || 'the body'} ${finding.message}`);
  }
}

/** The same for a document, which nobody waits for: nothing is validated, and what fails is null. */
export function createErrorOutline(errors: FolderErrors, api: CompiledApi): ErrorShaper {
  const write = createWriter(errors, api);
  return (told, location) => {
    try {
      const { shaped = null } = write(told, location) ?? {};
      return shaped && { ...shaped, mediaType: baseOf(shaped.mediaType) };
    } catch {
      return null;
    }
  };
}

interface Written {
  shaped: ShapedError;
  /** Null where no contract describes it. */
  form: Body | null;
}

function createWriter({ write, schema }: FolderErrors, api: CompiledApi) {
  const namedForms = new Map<ApiVersion, Body | null>();
  return (told: ToldError, { version: versionId, operation: id }: ErrorLocation): Written | null => {
    const version = api.get(versionId);
    if (!version) return null;
    const compiled = (id === null ? undefined : version.operations.get(id)) ?? null;
    const written = readWritten(write(told), told);
    const sent = compiled ? downgraded(written, told, compiled) : written;
    const declared = compiled && declaredBody(compiled.operation, sent.status);
    const form = declared ?? namedForm(version);
    // No contract describes an address without an operation, unless a component is named for it.
    if (form === null)
      return compiled || schema !== null ? null : { shaped: serialised(sent, sent.mediaType), form };
    const isNamed = !declared;
    const shaped = serialised(sent, isNamed ? sent.mediaType : declaredType(form, sent.mediaType));
    return { shaped: { ...shaped, isNamed }, form };
  };

  function namedForm(version: CompiledVersion): Body | null {
    if (schema === null) return null;
    const known = namedForms.get(version.version);
    if (known !== undefined) return known;
    const form = readComponent(version.document, schema);
    namedForms.set(version.version, form);
    return form;
  }
}

interface WrittenError {
  status: number;
  /** Null where it is left to the contract. */
  mediaType: string | null;
  body: unknown;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w-]+="?[\w.:/+-]+"?)*$/;

/** Both mean that the request is invalid: an API has one of them for it. */
const INVALID = [400, 422];

function readWritten(made: unknown, { status: told }: ToldError): WrittenError {
  // Nobody waits for it, and its failure must not end the process.
  if (made instanceof Promise) made.catch(() => {});
  if (!isPart(made) || !('body' in made) || made.body === undefined)
    throw new Error('it must return an object with a body, and no promise');
  const { body, contentType = null, status = told } = made;
  if (contentType !== null && (typeof contentType !== 'string' || !MEDIA_TYPE.test(contentType)))
    throw new Error('contentType must be a media type, such as application/json');
  const mayChange = INVALID.includes(told) && INVALID.includes(Number(status));
  if (status !== told && !mayChange)
    throw new Error(`the status is ${told}; only that of invalid requests can be another one: 400 or 422`);
  return { status: Number(status), mediaType: contentType, body };
}

const NO_REQUEST = { params: {}, query: {}, headers: {}, body: {}, command: {} };

function downgraded(written: WrittenError, told: ToldError, compiled: CompiledOperation): WrittenError {
  const { downgradeErrorBody, downgradeStatus, downgradeError } = compiled;
  const { status, mediaType, body } = written;
  const older = downgradeError({ ...told, status }).status;
  const context = { request: NO_REQUEST, status, extras: {} };
  const isJson = mediaType === null || isJsonType(baseOf(mediaType));
  return {
    status: older === status ? (downgradeStatus?.(status) ?? status) : older,
    mediaType,
    body: isJson && downgradeErrorBody ? downgradeErrorBody(body as Json, context) : body,
  };
}

/** The type that a contract has for it: another kind of JSON is the older version's. */
function declaredType({ mediaType, others = [] }: Body, written: string | null): string {
  if (written === null) return mediaType;
  const types = [mediaType, ...others.map((other) => other.mediaType)];
  if (types.includes(baseOf(written))) return written;
  if (isJsonType(mediaType) && isJsonType(baseOf(written))) return mediaType;
  throw new Error(`the media type ${written} is not in the contract`);
}

function serialised({ status, body }: WrittenError, mediaType: string | null): ShapedError {
  const type = mediaType ?? JSON_TYPE;
  if (isJsonType(baseOf(type)))
    return { status, mediaType: type, text: JSON.stringify(body), isNamed: false };
  if (typeof body === 'string') return { status, mediaType: type, text: body, isNamed: false };
  throw new Error(`a body of type ${type} must be a text`);
}

const baseOf = (mediaType: string): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();

/** A component, read as the body of an error is; null where this version has none of that name. */
function readComponent(document: OpenApiDocument, name: string): Body | null {
  const components = partIn(document, 'components');
  if (!Object.hasOwn(partIn(components, 'schemas'), name)) return null;
  const content = { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${name}` } } };
  const responses = { 200: { description: '' }, default: { description: '', content } };
  const { openapi, info } = document;
  const paths = { '/': { get: { operationId: 'errors', security: [], responses } } };
  const { operations } = readFolderContract({ openapi, info, components, paths }, ERRORS_FILE);
  return operations[0]?.ranges?.default ?? null;
}
