import {
  bodyValidators,
  type CompiledOperation,
  isJsonType,
  type Json,
  type UpgradableRequest,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { errorMessage } from '../../../kernel/error-facts.ts';
import { createQueryWriter } from './fields/query.ts';
import { createSimpleReader } from './fields/read-simple.ts';
import { declaredHeaders } from './implied-headers.ts';
import { createBodyReader, formIn } from './read-forwarded-body.ts';
import type { ForwardedRequest } from './read-forwarded-request.ts';

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
  content: { mediaType: string; bytes: Uint8Array } | null;
}

/**
 * Brings requests of one operation from the caller's version to the one that the upstream speaks. What a change has brought out of that
 * contract is never forwarded: it is our fault, and the caller did nothing wrong.
 */
export function createUpgrade({ compiled, head, onViolation }: UpgradeRules) {
  const problemOf = createHeadCheck(head);
  const checkContent = createContentCheck(head);
  const writeQuery = createQueryWriter(compiled.operation, head.operation);
  return async (received: ForwardedRequest): Promise<UpstreamAsk> => {
    const { asked, sent } = received;
    if (!compiled.requestsDiffer && !compiled.upgradeRequest)
      return { request: asked, query: writeQuery(asked.query, received.query), content: contentOf(received) };
    const upgraded = translated(() => compiled.upgradeRequest?.(asked) ?? asked);
    const isJson = sent === null || (sent.isMain && isJsonType(sent.mediaType));
    const content = isJson ? jsonContent(received, upgraded) : translated(() => upgradedContent(received));
    const request = isJson ? upgraded : { ...upgraded, body: await bodyIn(content) };
    const problem = missingBody(content) ?? problemOf(request, isJson && content !== null);
    if (problem !== null) throw refused(problem);
    return { request, query: writeQuery(request.query, received.query), content };
  };

  /** The fields of a form, as the upstream's contract reads and checks them. */
  async function bodyIn(content: UpstreamAsk['content']): Promise<Json> {
    const { value, problem } = await checkContent(content);
    if (problem !== null) throw refused(problem);
    return value;
  }

  function upgradedContent(received: ForwardedRequest): UpstreamAsk['content'] {
    const content = contentOf(received);
    return content && (compiled.upgradeContent?.(content) ?? content);
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
    if (body === asked.body) return contentOf(received);
    if (sent === null && isEmpty(body)) return null;
    return { mediaType: head.operation.body.mediaType, bytes: Buffer.from(JSON.stringify(body)) };
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

function contentOf({ sent }: ForwardedRequest): UpstreamAsk['content'] {
  return sent && { mediaType: sent.contentType, bytes: sent.bytes };
}

function isEmpty(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0;
}

/** Says why a request does not fit the contract that the upstream keeps; null if it does. */
function createHeadCheck(head: CompiledOperation) {
  const { operation } = head;
  const readParams = createSimpleReader(operation.params ?? null, operation.styles?.path);
  const readHeaders = createSimpleReader(operation.headers ?? null, operation.styles?.header);
  const names = declaredHeaders(operation);
  return ({ params, query, headers, body }: UpgradableRequest, hasBody: boolean): string | null => {
    const known = names.filter((name) => Object.hasOwn(headers, name.toLowerCase()));
    const named = Object.fromEntries(known.map((name) => [name, headers[name.toLowerCase()] ?? '']));
    const [finding] = [
      ...head.validateParams(readParams(params)),
      ...head.validateQuery(query),
      ...head.validateHeaders(readHeaders(named)),
      ...(hasBody ? head.validateBody(body) : []),
    ];
    return finding
      ? `a change made a request whose ${finding.instancePath || 'body'} ${finding.message}`
      : null;
  };
}

/** Reads a body that is not JSON by the contract that the upstream keeps, and says why it does not fit; null if it does. */
function createContentCheck({ operation: { body } }: CompiledOperation) {
  const read = body && createBodyReader(body);
  const validators = bodyValidators(body);
  return async (content: UpstreamAsk['content']): Promise<{ value: Json; problem: string | null }> => {
    if (!read || !content) return { value: {}, problem: null };
    const { mediaType: contentType, bytes } = content;
    try {
      const sent = await read({ bytes: Buffer.from(bytes), contentType });
      const [finding] = sent?.value === undefined ? [] : (validators.get(sent.mediaType)?.(sent.value) ?? []);
      const problem = finding
        ? `a change made a body whose ${finding.instancePath} ${finding.message}`
        : null;
      return { value: formIn(sent), problem };
    } catch (error) {
      return { value: {}, problem: `a change made a body that cannot be read: ${errorMessage(error)}` };
    }
  };
}
