import {
  type Body,
  declaredBody,
  drawnSample,
  isJsonType,
  type JsonSchema,
  type Operation,
  sampleIn,
  sampleOf,
  validator,
} from '@dateline/versions';
import type { StatedAnswers, StatedHeader } from './stated-answers.ts';

/** An answer that a contract has, with a body that fits it. */
export interface SampledAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Null where there is no body. */
  mediaType: string | null;
  body: Buffer;
  /** What is in it, where it is JSON. */
  value?: unknown;
}

/** Returns an answer with this status; null where no sample of it can be made. Each is made once. */
export function createSampledAnswers(
  stated: StatedAnswers,
): (operation: Operation, status: number) => SampledAnswer | null {
  const known = new WeakMap<Operation, Map<number, SampledAnswer | null>>();
  return (operation, status) => {
    const ofOperation = known.get(operation) ?? new Map<number, SampledAnswer | null>();
    known.set(operation, ofOperation);
    const made = ofOperation.get(status);
    if (made !== undefined) return made;
    const answer = sampledAnswer(stated, operation, status);
    ofOperation.set(status, answer);
    return answer;
  };
}

function sampledAnswer(stated: StatedAnswers, operation: Operation, status: number): SampledAnswer | null {
  const headers = sampledHeaders(stated.headers(operation, status), status);
  const declared = declaredBody(operation, status);
  const none = { status, headers, mediaType: null, body: Buffer.alloc(0) };
  // An error without a form of its own is told in Dateline's.
  if (!declared) return none;
  for (const { mediaType, schema } of [declared, ...(declared.others ?? [])]) {
    const examples = stated.bodies(operation, status, mediaType);
    const content = sampledContent(mediaType, schema, examples);
    if (content) return { status, headers, mediaType, ...content };
  }
  return null;
}

type Content = Pick<SampledAnswer, 'body' | 'value'>;

function sampledContent(
  mediaType: string,
  schema: JsonSchema | null,
  examples: readonly unknown[],
): Content | null {
  if (isJsonType(mediaType)) return sampledJson(schema ?? {}, examples);
  const text = [...examples, schema && sampleOf(schema)].find(isText);
  return { body: text === undefined ? usualBytes(mediaType) : Buffer.from(text) };
}

function sampledJson(schema: Body['schema'], examples: readonly unknown[]): Content | null {
  const fits = validator(schema);
  const isFitting = (one: unknown): boolean => one !== undefined && fits(one).length === 0;
  const value = [...examples, sampleOf(schema)].find(isFitting) ?? drawnSample(schema);
  return value === undefined ? null : { body: Buffer.from(JSON.stringify(value)), value };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The smallest picture there is: one transparent pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

function usualBytes(mediaType: string): Buffer {
  if (mediaType === 'image/png') return Buffer.from(PIXEL, 'base64');
  if (mediaType === 'text/event-stream') return Buffer.from('data: sample\n\n');
  if (/[/+]xml$/.test(mediaType)) return Buffer.from('<sample/>\n');
  if (mediaType === 'application/x-www-form-urlencoded') return Buffer.from('sample=1');
  return Buffer.from('sample\n');
}

/** Those that an answer must have, and the address of a redirection. */
function sampledHeaders(stated: readonly StatedHeader[], status: number): Record<string, string> {
  const isRedirection = [301, 302, 303, 307, 308].includes(status);
  const wanted = stated.filter(({ isRequired, examples }) => isRequired || examples.length > 0);
  const sampled = wanted.flatMap(({ name, document, schema, examples }) => {
    const value = examples[0] ?? sampleIn(document, schema);
    const isSendable =
      ['string', 'number', 'boolean'].includes(typeof value) && !/[^\x20-\x7e]/.test(String(value));
    return isSendable && name !== 'location' ? [[name, String(value)]] : [];
  });
  const declaresLocation = stated.some(({ name, isRequired }) => name === 'location' && isRequired);
  // Where it leads to is up to the server that is not there.
  return { ...Object.fromEntries(sampled), ...((isRedirection || declaresLocation) && { location: './' }) };
}
