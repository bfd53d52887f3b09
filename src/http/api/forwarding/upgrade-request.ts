import type { Readable } from 'node:stream';
import {
  bodyValidators,
  type CompiledOperation,
  isJsonType,
  type Json,
  type UpgradableRequest,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { errorMessage } from '../../../kernel/error-facts.ts';
import { createQueryReader, createQueryWriter } from './fields/query.ts';
import { createSimpleReader } from './fields/read-simple.ts';
import { declaredHeaders } from './implied-headers.ts';
import { createReadOnlyRemoval } from './marked-members.ts';
import { createBodyReader, formIn, parseKnownJson } from './read-forwarded-body.ts';
import type { ForwardedRequest } from './read-forwarded-request.ts';
import { sendableHeaders } from './sendable-headers.ts';

export interface UpgradeRules {
  /** The operation of the caller's version. */
  compiled: CompiledOperation;
  /** The one that the upstream answers. */
  head: CompiledOperation;
  onViolation(): void;
}

/** A request as the upstream gets it. */
export interface UpstreamAsk {
  request: UpgradableRequest;
  /** Percent-encoded. */
  query: string;
  content: { mediaType: string; bytes: Uint8Array; stream?: Readable } | null;
}

/**
 * Brings requests of one operation from the caller's version to the one that the upstream speaks. What a change has brought out of that
 * contract is never forwarded: it is our fault, and the caller did nothing wrong.
 */
export function createUpgrade({ compiled, head, onViolation }: UpgradeRules) {
  const problemOf = createHeadCheck(head);
  const readContent = createContentReader(head);
  const readKnownContent = createContentReader(head, parseKnownJson);
  const bodyTypes = bodyValidators(head.operation.body);
  const writeQuery = createQueryWriter(compiled.operation, head.operation);
  const readQuery = createQueryReader(head.operation);
  const { requestsDiffer, upgradeRequest, upgradeContent } = compiled;
  const isTranslated = requestsDiffer || upgradeRequest !== null || upgradeContent !== null;
  return async (received: ForwardedRequest): Promise<UpstreamAsk> => {
    const { asked, sent } = received;
    if (!isTranslated)
      return { request: asked, query: writeQuery(asked.query, received.query), content: contentOf(received) };
    const upgraded = translated(() => sendable(upgradeRequest?.(asked) ?? asked));
    const isJson = sent === null || (sent.isMain && isJsonType(sent.mediaType));
    const changed = isJson ? jsonContent(received, upgraded) : translated(() => upgradedContent(received));
    const { content, body } = await bodyIn(changed, upgraded, isJson ? readKnownContent : readContent);
    const { params, query, headers, command } = upgraded;
    const request = { params, query, headers, body, command };
    const problem = missingBody(content) ?? problemOf(request, isJson && content !== null);
    if (problem !== null) throw refused(problem);
    return { request, query: checkedQuery(writeQuery(request.query, received.query)), content };
  };

  /** As the upstream will read it: what the older version has by a name of its own may be a part of another parameter here. */
  function checkedQuery(query: string): string {
    if (query === '') return query;
    const { values } = translated(() => readQuery(`?${query}`));
    const [finding] = head.validateQuery(values);
    if (finding) throw refused(`a change made a query whose ${finding.instancePath} ${finding.message}`);
    return query;
  }

  /** A body as the upstream's contract reads it, without what is `readOnly` there. Of forms, also whether they fit. */
  async function bodyIn(
    content: UpstreamAsk['content'],
    upgraded: UpgradableRequest,
    read: typeof readContent,
  ): Promise<{ content: UpstreamAsk['content']; body: Json }> {
    // Nothing looks into an upload.
    if (content === null || content.stream) return { content, body: upgraded.body };
    const { sent, problem } = await read(content);
    if (problem !== null) throw refused(problem);
    if (sent === null) return { content: null, body: upgraded.body };
    const isSame = sent.bytes === content.bytes || sent.bytes.equals(content.bytes);
    return {
      content: isSame ? content : { mediaType: sent.contentType, bytes: sent.bytes },
      body: sent.isMain && isJsonType(sent.mediaType) ? (sent.value as Json) : formIn(sent),
    };
  }

  function upgradedContent(received: ForwardedRequest): UpstreamAsk['content'] {
    const content = contentOf(received);
    return content && (upgradeContent?.(content) ?? content);
  }

  function missingBody(content: UpstreamAsk['content']): string | null {
    const { body } = head.operation;
    return content === null && body !== null && body.optional !== true
      ? 'a change made a request without the body that is required'
      : null;
  }

  /** The bytes that came in, unless a change has made another body of them: numbers keep their digits. */
  function jsonContent(received: ForwardedRequest, { body }: UpgradableRequest): UpstreamAsk['content'] {
    const { asked, sent } = received;
    if (head.operation.body === null) return null;
    const isTaken = bodyTypes.has(sent?.mediaType ?? '');
    if (body === asked.body && (isTaken || sent === null)) return contentOf(received);
    if (sent === null && isEmpty(body)) return null;
    const bytes = body === asked.body ? (sent?.bytes ?? Buffer.alloc(0)) : Buffer.from(JSON.stringify(body));
    return { mediaType: head.operation.body.mediaType, bytes };
  }

  function translated<Value>(translate: () => Value): Value {
    try {
      return translate();
    } catch (error) {
      throw refused(`a change could not translate the request: ${String(error)}`);
    }
  }

  function refused(problem: string): ApiError {
    onViolation();
    return new ApiError('upstream_contract', { internal: `${head.operation.id}: ${problem}` });
  }
}

function sendable(request: UpgradableRequest): UpgradableRequest {
  return { ...request, headers: sendableHeaders(request.headers) };
}

function contentOf({ sent }: ForwardedRequest): UpstreamAsk['content'] {
  if (sent === null) return null;
  const { contentType: mediaType, bytes, stream } = sent;
  return { mediaType, bytes, ...(stream && { stream }) };
}

/** The same bytes: nothing is copied. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0;
}

/** Half of a character, which has no place in UTF-8. */
const HALF = /\p{Surrogate}/u;

/** Says why a request does not fit the contract that the upstream keeps; null if it does. */
function createHeadCheck(head: CompiledOperation) {
  const { operation } = head;
  const readParams = createSimpleReader(operation.params ?? null, operation.styles?.path);
  const readHeaders = createSimpleReader(operation.headers ?? null, operation.styles?.header);
  const names = declaredHeaders(operation);
  return ({ params, query, headers, body }: UpgradableRequest, hasBody: boolean): string | null => {
    const named: Record<string, string> = {};
    for (const name of names) {
      const lower = name.toLowerCase();
      if (Object.hasOwn(headers, lower)) named[name] = headers[lower] ?? '';
    }
    if (Object.values(params).some((value) => HALF.test(value)))
      return 'a change made a request whose path has half of a character';
    const finding =
      head.validateParams(readParams(params))[0] ??
      head.validateQuery(query)[0] ??
      head.validateHeaders(readHeaders(named))[0] ??
      (hasBody ? head.validateBody(body)[0] : undefined);
    return finding
      ? `a change made a request whose ${finding.instancePath || 'body'} ${finding.message}`
      : null;
  };
}

/** Reads a body by the contract that the upstream keeps, and says why a form does not fit it; null if it does. */
function createContentReader({ operation: { body } }: CompiledOperation, parse?: (bytes: Buffer) => unknown) {
  const read = body && createReadOnlyRemoval(body, 'ignore', createBodyReader(body, parse));
  const validators = bodyValidators(body);
  return async ({ mediaType: contentType, bytes }: NonNullable<UpstreamAsk['content']>) => {
    try {
      const sent = read && (await read({ bytes: bufferOf(bytes), contentType }));
      const isForm = sent !== null && !isJsonType(sent.mediaType) && sent.value !== undefined;
      const [finding] = isForm ? (validators.get(sent.mediaType)?.(sent.value) ?? []) : [];
      const problem = finding
        ? `a change made a body whose ${finding.instancePath} ${finding.message}`
        : null;
      return { sent, problem };
    } catch (error) {
      return { sent: null, problem: `a change made a body that cannot be read: ${errorMessage(error)}` };
    }
  };
}
