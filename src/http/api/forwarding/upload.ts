import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { type Body, type CompiledOperation, isJsonType } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { dropRest } from '../../edge/drop-rest.ts';
import { requestContext } from '../../edge/request-context.ts';
import type { ApiRequest } from '../read-request.ts';

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The media types that go upstream as they come in: nothing looks into them, and nothing translates them. */
export function uploadTypesOf(compiled: CompiledOperation, head: Body | null): string[] {
  if (compiled.upgradeContent) return [];
  const taken = typesOf(head);
  return typesOf(compiled.operation.body).filter(
    (type) => !isJsonType(type) && !FORMS.includes(type) && taken.includes(type),
  );
}

function typesOf(body: Body | null): string[] {
  return body === null ? [] : [body, ...(body.others ?? [])].map(({ mediaType }) => mediaType);
}

/** The body of a request that is forwarded while it comes in. Its error says what broke it. */
export function startUpload(raw: IncomingMessage, bytesMax: number): Readable {
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw new ApiError('payload_too_large');
  let bytes = 0;
  const upload = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) done(new ApiError('payload_too_large'));
      else done(null, chunk);
    },
  });
  // Whoever reads it tells about errors; one that nobody listens to would end the process.
  upload.on('error', () => {});
  raw.once('error', (error) => upload.destroy(error));
  raw.once('close', () => raw.complete || upload.destroy(new Error('the caller has gone')));
  // Not a pipeline: the connection has to outlive an upload that is refused, for its answer.
  return raw.pipe(upload);
}

export function uploadIn({ body }: ApiRequest): Readable | null {
  return body instanceof Readable ? body : null;
}

/** The time for an answer begins when all of the upload is there: how long that takes depends on the caller. */
export function timeAfterUpload({ raw }: ApiRequest, upload: Readable): void {
  const context = requestContext(raw);
  const { deadline } = context;
  if (!deadline) return;
  const leftMs = deadline.atMs - performance.now();
  context.deadline = undefined;
  upload.once('end', () => {
    context.deadline = { atMs: performance.now() + leftMs, refuse: deadline.refuse };
  });
}

/** The answer is known: nobody wants the rest. */
export function endUpload({ raw }: ApiRequest, upload: Readable): void {
  if (raw.complete && upload.readableEnded) return;
  upload.destroy();
  if (!raw.destroyed) dropRest(raw);
}
