import type { Body, Operation } from '../contract/contract.ts';
import {
  below,
  type Found,
  type Location,
  namedBelow,
  type OpenApiReading,
} from '../openapi/openapi-reading.ts';
import type { OpenApiReader } from './openapi-reader.ts';
import { readContent } from './read-content.ts';
import { readErrorCodes } from './read-error-codes.ts';

type Answers = Pick<Operation, 'responses' | 'errors' | 'answerHeaders'>;

/** The answers of an operation: successes, errors, and the headers that come with either. */
export function readAnswers(reader: OpenApiReader, responses: Location): Answers {
  const { reading, options } = reader;
  const found = namedBelow(responses)
    .filter(([status]) => !status.startsWith('x-') && !isProse(status))
    .flatMap(([status, location]) => readAnswer(reading, status, location));
  const isSuccess = ({ status }: FoundAnswer): boolean => status < 400;
  if (!found.some(isSuccess))
    reading.refuse(
      responses,
      'name the status of a success, such as 200; 2XX and default do not say which it is',
    );
  const headers = headersOf(reading, found);
  return {
    responses: Object.fromEntries(
      found.filter(isSuccess).map((answer) => [answer.status, readSuccess(reader, answer)]),
    ),
    errors: withErrors(
      options.errors,
      found
        .filter((answer) => !isSuccess(answer))
        .map((answer) => [answer.status, readErrorCodes(reader, answer)]),
    ),
    ...(headers.length > 0 ? { answerHeaders: headers } : {}),
  };
}

interface FoundAnswer {
  status: number;
  response: Found;
}

/** Errors are told by their status: what stands for many of them is for people. */
function isProse(status: string): boolean {
  return ['4XX', '5XX', 'default'].includes(status);
}

function readAnswer(reading: OpenApiReading, status: string, location: Location): FoundAnswer[] {
  const reason = statusReason(status);
  if (reason !== null) reading.refuse(location, reason);
  const response = reason === null ? reading.find(location, 'response') : null;
  if (response === null) return [];
  const links = below(response, 'links');
  if (links.value !== undefined) reading.refuse(links, 'links are not kept');
  return [{ status: Number(status), response }];
}

function statusReason(status: string): string | null {
  if (/^1(?:\d\d|XX)$/.test(status)) return 'what comes before an answer is not passed on';
  if (/^[23]XX$/.test(status)) return 'name the status, such as 200';
  return /^[2-5]\d\d$/.test(status) ? null : 'it is no status';
}

const WITHOUT_BODY = [204, 205, 304];

function readSuccess(reader: OpenApiReader, { status, response }: FoundAnswer): Body | null {
  const content = below(response, 'content');
  const body = readContent(reader, content);
  if (body !== null && WITHOUT_BODY.includes(status))
    reader.reading.refuse(content, `an answer with ${status} has no body`);
  return body;
}

/** Headers that are ours to set, whatever the document says. */
const SERVICE_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'service-version',
  'transfer-encoding',
  'vary',
  'x-request-id',
]);

function headersOf(reading: OpenApiReading, found: readonly FoundAnswer[]): string[] {
  const headers = found.flatMap(({ response }) => namedBelow(below(response, 'headers')));
  const names = headers.flatMap(([name, location]) => {
    const header = name.toLowerCase();
    if (header === 'set-cookie') reading.refuse(location, 'cookies are not passed on');
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) reading.refuse(location, 'it is no name of a header');
    return reading.find(location, 'header') && !SERVICE_HEADERS.has(header) ? [header] : [];
  });
  return [...new Set(names)].sort();
}

function withErrors(
  added: Operation['errors'],
  own: readonly (readonly [number, readonly string[]])[],
): Operation['errors'] {
  const errors: Record<number, readonly string[]> = {};
  const all = [...own, ...Object.entries(added).map(([status, codes]) => [Number(status), codes] as const)];
  for (const [status, codes] of all)
    errors[status] = [...new Set([...(errors[status] ?? []), ...codes])].sort();
  return errors;
}
