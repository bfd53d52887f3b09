import {
  type Body,
  declaredBody,
  isJsonType,
  type MarkedMembers,
  markedMembers,
  type Operation,
  type OtherBody,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { jsonProblem } from '../../../kernel/json-problem.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import { withoutFields } from './fields/form-fields.ts';
import { withoutJsonMembers } from './fields/json-members.ts';
import { isRedirection } from './forwarded-answers.ts';
import { isToldInOurForm } from './forwarded-errors.ts';
import { jsonIn } from './json-in.ts';
import type { BodyReader, SentBody } from './read-forwarded-body.ts';
import { mediaTypeIn } from './streamed-answers.ts';

/** Finds marked members of a body by its media type. A schema is looked into when its first body comes. */
function createMarks(): (body: Body, mediaType: string) => MarkedMembers | null {
  const known = new Map<Body, Map<string, MarkedMembers | null>>();
  return (body, mediaType) => {
    const types = known.get(body) ?? new Map<string, MarkedMembers | null>();
    known.set(body, types);
    const found = types.get(mediaType);
    if (found !== undefined) return found;
    const marks = markedMembers(typesOf(body).find((type) => type.mediaType === mediaType)?.schema ?? null);
    types.set(mediaType, marks);
    return marks;
  };
}

function typesOf(body: Body): (Body | OtherBody)[] {
  return [body, ...(body.others ?? [])];
}

export type ReadOnlyRule = 'ignore' | 'refuse';

/** Takes `readOnly` properties out of requests, or refuses them. */
export function createReadOnlyRemoval(body: Body, rule: ReadOnlyRule, read: BodyReader): BodyReader {
  const marks = createMarks();
  return async (bytes) => {
    const sent = await read(bytes);
    const find = sent && marks(body, sent.mediaType);
    const pointers = (sent && find?.(sent.value)) ?? [];
    if (!sent || !find || pointers.length === 0) return sent;
    if (rule === 'refuse') throw refusal(pointers);
    if (isJsonType(sent.mediaType)) return withoutJson(sent, pointers);
    const names = new Set(pointers.map((pointer) => pointer.split('/')[1] ?? ''));
    const rest = await read({ contentType: sent.contentType, bytes: withoutFields(sent, names) });
    // What is inside a field of a form, or sent in another way, cannot be taken out.
    const left = rest ? find(rest.value) : [];
    if (left.length > 0) throw refusal(left);
    return rest;
  };
}

function withoutJson(sent: SentBody, pointers: readonly string[]): SentBody {
  const text = withoutJsonMembers(sent.bytes.toString(), pointers);
  return { ...sent, bytes: Buffer.from(text), value: JSON.parse(text) };
}

function refusal(pointers: readonly string[]): ApiError {
  const message = 'is read-only, and cannot be sent';
  const names = pointers.slice(0, FIELDS_MAX).map((pointer) => pointer.slice(1).replaceAll('/', '.'));
  return new ApiError('validation_failed', {
    detail: `${names.map((name) => `${name} ${message}`).join('; ')}.`,
    fields: pointers.slice(0, FIELDS_MAX).map((pointer) => ({ in: 'body', pointer, message })),
  });
}

const FIELDS_MAX = 20;

/** Stands for the marks of a type that nothing can be found in. */
const OPAQUE = 'opaque';

type FoundMarks = MarkedMembers | typeof OPAQUE;

/**
 * Says where an answer may have `writeOnly` properties: null where its contract has none for it. Where the contract does not have its
 * status or its media type, it may be any of the answers that are declared: its JSON is looked into for all of their marks.
 */
function createWriteOnlyMarks(operation: Operation) {
  const marks = createMarks();
  let all: MarkedMembers | null | undefined;

  function allMarks(): MarkedMembers | null {
    if (all !== undefined) return all;
    const found = answersOf(operation)
      .flatMap((body) => typesOf(body).map(({ mediaType }) => marks(body, mediaType)))
      .filter((find) => find !== null);
    all = found.length === 0 ? null : (value) => [...new Set(found.flatMap((find) => find(value)))];
    return all;
  }

  return (status: number, mediaType: string): FoundMarks | null => {
    if (allMarks() === null) return null;
    const body = declaredBody(operation, status);
    const declared = body && typesOf(body).find((type) => type.mediaType === mediaType);
    const own = body && declared ? marks(body, mediaType) : null;
    if (!isJsonType(mediaType)) return declared && own === null ? null : OPAQUE;
    // JSON that is declared without a schema may have anything, too.
    return declared?.schema ? own : allMarks();
  };
}

function answersOf({ responses, errorBodies = {}, ranges = {} }: Operation): Body[] {
  return [responses, errorBodies, ranges].flatMap(Object.values<Body | null>).filter((body) => body !== null);
}

/** Takes `writeOnly` properties out of the JSON of answers. What cannot be looked into is refused where it might have some. */
export function createWriteOnlyRemoval(operation: Operation, onFound: () => void) {
  const marksOf = createWriteOnlyMarks(operation);

  /** Null where it cannot be looked into. */
  function without(bytes: Buffer, find: FoundMarks): Buffer | null {
    const value = find === OPAQUE ? undefined : jsonIn(bytes);
    if (find === OPAQUE || value === undefined || jsonProblem(bytes.toString()) !== null) return null;
    const pointers = find(value);
    if (pointers.length === 0) return bytes;
    onFound();
    return Buffer.from(withoutJsonMembers(bytes.toString(), pointers));
  }

  function unreadable(): ApiError {
    onFound();
    const internal = `${operation.id}: an answer that cannot be looked into, and its contract has writeOnly properties`;
    return new ApiError('upstream_contract', { internal });
  }

  return {
    marksOf,
    fromAnswer(answer: UpstreamAnswer): UpstreamAnswer {
      const { status, headers } = answer;
      const find = marksOf(status, mediaTypeIn(headers));
      const isStream = 'stream' in answer;
      if (find === null || (!isStream && answer.body.length === 0)) return answer;
      const body = isStream ? null : without(answer.body, find);
      if (body !== null) return { status, headers, body };
      if (isStream) answer.stream.destroy();
      if (isStatusEnough(operation, status)) return { status, headers, body: NO_BYTES };
      throw unreadable();
    },
    /** The body of an answer that a change has translated. */
    fromBody<Sent>(status: number, mediaType: string | null, body: Sent): Sent | Buffer {
      const find = mediaType === null ? null : marksOf(status, mediaType);
      if (find === null || !(typeof body === 'string' || body instanceof Buffer)) return body;
      const rest = without(Buffer.from(body), find);
      if (rest === null) throw unreadable();
      return rest;
    },
  };
}

const NO_BYTES = Buffer.alloc(0);

/** What is said beside a redirection is for people, and what it says of its own failures is not for callers: neither is missed. */
function isStatusEnough(operation: Operation, status: number): boolean {
  return isRedirection(status) || status >= 500 || (status >= 400 && isToldInOurForm(operation, status));
}
