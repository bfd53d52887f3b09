import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { errorAddress } from '../../oauth/authorize/answer-address.ts';
import {
  type AuthorizationRequest,
  readAuthorizationRequest,
} from '../../oauth/authorize/authorization-request.ts';
import { findDestination } from '../../oauth/authorize/find-destination.ts';
import { readParameters } from '../../oauth/authorize/sent-parameters.ts';

export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Works on a client's request. Once the redirect URI is known, errors of the request are sent there; server errors, and errors
 * of a form, are shown to the user. So are errors of a client that has registered itself: whoever registers one and sends a
 * broken request would make this address lead to any other (RFC 9700 §4.11.2). Only the user's own decision goes there.
 */
export async function forClient(
  context: Context,
  { exchange, query }: { exchange: Exchange; query: string },
  work: (request: AuthorizationRequest) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const sent = readParameters(query);
  const destination = await findDestination(context, sent);
  try {
    return await work(await readAuthorizationRequest(context, destination, sent));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    if (destination.isSelfRegistered && error.code !== 'access_denied') throw error;
    return redirect(exchange, errorAddress(context.issuer, destination, error));
  }
}

/** After a POST the browser must follow with a GET, without the posted fields (RFC 9700 §4.12). */
export function redirect({ request, reply }: Exchange, address: string): FastifyReply {
  return reply.redirect(address, request.method === 'POST' ? 303 : 302);
}
