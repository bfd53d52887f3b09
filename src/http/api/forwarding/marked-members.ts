import {
  type Body,
  declaredBody,
  isJsonType,
  type MarkedMembers,
  markedMembers,
  type Operation,
} from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { jsonProblem } from '../../../kernel/json-problem.ts';
import type { UpstreamAnswer } from '../../../upstream/types.ts';
import { withoutFields } from './fields/form-fields.ts';
import { withoutJsonMembers } from './fields/json-members.ts';
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
    const all = [body, ...(body.others ?? [])];
    const marks = markedMembers(all.find((type) => type.mediaType === mediaType)?.schema ?? null);
    types.set(mediaType, marks);
    return marks;
  };
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

/** Takes `writeOnly` properties out of the JSON of answers. What cannot be looked into is refused where it might have some. */
export function createWriteOnlyRemoval(operation: Operation, onFound: () => void) {
  const marks = createMarks();

  function findIn(status: number, mediaType: string): MarkedMembers | null {
    const body = isJsonType(mediaType) ? declaredBody(operation, status) : null;
    return body ? marks(body, mediaType) : null;
  }

  function removed(bytes: Buffer, find: MarkedMembers): Buffer {
    const value = jsonIn(bytes);
    if (value === undefined || jsonProblem(bytes.toString()) !== null)
      throw unreadable('it is no JSON that can be looked into');
    const pointers = find(value);
    if (pointers.length === 0) return bytes;
    onFound();
    return Buffer.from(withoutJsonMembers(bytes.toString(), pointers));
  }

  function unreadable(problem: string): ApiError {
    const internal = `${operation.id}: ${problem}, and its contract has writeOnly properties`;
    return new ApiError('upstream_contract', { internal });
  }

  return {
    fromAnswer(answer: UpstreamAnswer): UpstreamAnswer {
      const find = findIn(answer.status, mediaTypeIn(answer.headers));
      if (find === null) return answer;
      if ('stream' in answer) {
        answer.stream.destroy();
        throw unreadable('it is too large to be looked into');
      }
      return answer.body.length === 0 ? answer : { ...answer, body: removed(answer.body, find) };
    },
    /** The body of an answer that a change has translated. */
    fromBody<Sent>(status: number, mediaType: string | null, body: Sent): Sent | Buffer {
      const find = mediaType === null ? null : findIn(status, mediaType);
      if (find === null || !(typeof body === 'string' || body instanceof Buffer)) return body;
      return removed(Buffer.from(body), find);
    },
  };
}
