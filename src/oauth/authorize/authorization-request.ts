import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { chooseAudience } from '../clients/clients/audiences.ts';
import { allowedTo, parseScope } from '../scopes/parse-scope.ts';
import { type Scope, unnamed } from '../scopes/scopes.ts';
import type { OAuthClient } from '../types.ts';
import type { Destination } from './find-destination.ts';
import { parameter, refuseRepeated, type SentParameters } from './sent-parameters.ts';

export const prompts = ['none', 'login', 'consent', 'select_account'] as const;
export type Prompt = (typeof prompts)[number];

/** An authorization request (RFC 6749 §4.1.1, RFC 7636, RFC 8707, OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest extends Destination {
  scopes: readonly Scope[];
  /** True if one of the scopes acts in an organization, so that the user has to choose. */
  needsOrganization: boolean;
  audience: string;
  /** Null where the client sent none and need not. */
  codeChallenge: string | null;
  nonce: string | null;
  prompts: readonly Prompt[];
  /** The greatest allowed age of the sign-in. */
  maxAgeSeconds: number | null;
  /** The account to fill into the sign-in form. */
  loginHint: string | undefined;
  /** An id_token of the person that the client expects. */
  idTokenHint: string | undefined;
}

/** Reads a request whose redirect URI is known: every error thrown here is sent to the client in a redirect. */
export async function readAuthorizationRequest(
  context: Context,
  destination: Destination,
  sent: SentParameters,
): Promise<AuthorizationRequest> {
  const { client } = destination;
  refuseRepeated(sent);
  requireCode(sent);
  if (!client.allowedGrants.includes('authorization_code')) throw new ApiError('unauthorized_client');
  return {
    ...destination,
    codeChallenge: readChallenge(sent, client),
    prompts: readPrompts(parameter(sent, 'prompt')),
    maxAgeSeconds: readMaxAge(parameter(sent, 'max_age')),
    nonce: parameter(sent, 'nonce') ?? null,
    loginHint: parameter(sent, 'login_hint'),
    idTokenHint: parameter(sent, 'id_token_hint'),
    ...readScopes(context, client, parameter(sent, 'scope')),
    audience: await chooseAudience(context, client, parameter(sent, 'resource')),
  };
}

/** The only response type is a code in the query. */
function requireCode(sent: SentParameters): void {
  if (parameter(sent, 'request') !== undefined) throw new ApiError('request_not_supported');
  if (parameter(sent, 'request_uri') !== undefined) throw new ApiError('request_uri_not_supported');
  const responseType = parameter(sent, 'response_type');
  if (responseType === undefined) throw invalid('response_type is missing.');
  if (responseType !== 'code') throw new ApiError('unsupported_response_type');
  if ((parameter(sent, 'response_mode') ?? 'query') !== 'query')
    throw invalid('response_mode must be query.');
}

/**
 * Required, unless a client with a secret was registered otherwise (RFC 9700 §2.1.1). Without a method `plain` is meant,
 * which is refused (RFC 7636 §4.3).
 */
function readChallenge(sent: SentParameters, { requiresPkce }: OAuthClient): string | null {
  const challenge = parameter(sent, 'code_challenge');
  const method = parameter(sent, 'code_challenge_method');
  if (challenge === undefined && method === undefined && !requiresPkce) return null;
  if (challenge === undefined) throw invalid('code_challenge is missing.');
  if (method !== 'S256') throw invalid('code_challenge_method must be S256.');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw invalid('code_challenge must be a SHA-256 in base64url: 43 characters.');
  return challenge;
}

function readScopes(
  { scopes: known }: Context,
  client: OAuthClient,
  text: string | undefined,
): Pick<AuthorizationRequest, 'scopes' | 'needsOrganization'> {
  const allowed = allowedTo(client, known);
  const scopes = parseScope(text, { known, allowed, ifOmitted: unnamed(allowed, known) });
  return { scopes, needsOrganization: known.needsOrganization(scopes) };
}

function readPrompts(text: string | undefined): Prompt[] {
  const asked = (text ?? '').split(' ').filter(Boolean);
  if (!asked.every(isPrompt)) throw invalid(`prompt must be one or more of ${prompts.join(', ')}.`);
  if (asked.includes('none') && asked.length > 1) throw invalid('prompt none stands alone.');
  return asked;
}

function isPrompt(text: string): text is Prompt {
  return prompts.some((prompt) => prompt === text);
}

function readMaxAge(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw invalid('max_age must be a whole number of seconds.');
  return Number(text);
}

function invalid(detail: string): ApiError {
  return new ApiError('invalid_request', { detail });
}
