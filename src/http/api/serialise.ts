import type { Json } from '@dateline/versions';
import type { FastifyReply } from 'fastify';

export const JSON_TEXT = 'application/json; charset=utf-8';

/** Serialises an answer by the schema of its route and status; throws where it does not match. */
export function serialise(reply: FastifyReply, status: number, body: Json): string {
  return String(reply.serializeInput(body, String(status)));
}
