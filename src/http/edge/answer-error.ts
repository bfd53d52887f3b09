import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import { requestContext } from './request-context.ts';

/** Writes an error that no app has seen; in the public API, in the shape of the request's version. */
export type EdgeErrorWriter = (error: ApiError, request: IncomingMessage) => ErrorResponse;

/** Answers with an error outside of the framework. */
export function answerError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  { status, headers, body }: ErrorResponse = errorResponse(error),
): void {
  noteError(request, error);
  if (error.code === 'draining') response.setHeader('connection', 'close');
  response.writeHead(status, { ...requestContext(request).headers, ...headers }).end(body);
}

/** For the log line of the request. */
export function noteError(request: IncomingMessage, { code, internal }: ApiError): void {
  const context = requestContext(request);
  context.error = code;
  if (internal !== undefined) context.internal = internal;
}

export type Refusal = (request: IncomingMessage, response: ServerResponse, error: ApiError) => void;

/** Answers with an error in the shape of the request's version. */
export function createRefusal(writeError: EdgeErrorWriter): Refusal {
  return (request, response, error) => {
    answerError(request, response, error, writeError(error, request));
  };
}
