import type { Json } from '@dateline/versions';
import type { FastifyReply } from 'fastify';

export const JSON_TEXT = 'application/json; charset=utf-8';

/** The bytes of an answer, by the schema of its route and status; throws where that refuses it. */
export function serialise(reply: FastifyReply, status: number, body: Json): string {
  return String(reply.serializeInput(body, String(status)));
}
