import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isId } from '../../kernel/ids.ts';
import { revokeInBulk } from '../../oauth/tokens/bulk/revoke-in-bulk.ts';
import { type AskedToken, explainToken } from '../../oauth/tokens/explain-token.ts';
import { endToken, tokensOfGrant } from '../../oauth/tokens/oversee-tokens.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { readGrantCursor, readSelection, type SelectionFields } from '../app/read-selection.ts';
import { operatorOf } from './acting-operator.ts';
import { Explanation, ends, explanationBody, idsOfToken, Token, tokenBody } from './explanation-body.ts';
import {
  AnyId,
  Count,
  describe,
  object,
  oneOf,
  optional,
  orNull,
  pageOf,
  pageQuery,
  Reason,
  Revoking,
  Secret,
  Text,
} from './fields.ts';
import { namesOf } from './names.ts';
import { operationsOf } from './operation.ts';

const Asked = object({
  token_id: optional(AnyId, 'The id of the token; begins with tok_.'),
  token: optional(Secret, 'The token itself, as it was issued.'),
});

const Revocation = object({
  subject: optional(AnyId, 'The user or organization that the tokens act for.'),
  client_id: optional(AnyId, 'The client that they were issued to.'),
  organization_id: optional(AnyId, 'An organization that they reach.'),
  issued_before: optional(Text, 'Only what was issued before this time.'),
  reason: optional(Reason, 'Why, for the audit log.'),
  dry_run: optional(Type.Boolean(), 'Count only, and revoke nothing.'),
  cursor: optional(AnyId, 'The next_cursor of the answer before.'),
});

const Revoked = object({
  dry_run: describe(Type.Boolean(), 'Nothing was revoked, only counted.'),
  grants: describe(Count, 'How many grants ended.'),
  tokens: describe(Count, 'How many live tokens were revoked.'),
  next_cursor: describe(orNull(Text), 'Send the same request with this cursor to go on; null at the end.'),
});

const TokenOfGrant = object({
  ...Token.properties,
  state: describe(oneOf([...ends, 'active'] as const), 'Whether it is active, or how it ended first.'),
});

/** Explains why a token died, and revokes in bulk. A token itself is sent in the body, never in the address. */
export function tokenRoutes(app: App, environment: Environment): void {
  oneTokenRoutes(app, environment);
  const operation = operationsOf(app, 'Tokens');

  operation(
    'POST /operator/tokens/explain',
    {
      id: 'explain_token',
      needs: 'viewer',
      summary: 'Explain whether a token is active, or why it is not',
      description:
        'Give either token or token_id. A token is sent in the body, because addresses end up in logs.',
      body: Asked,
      answer: { description: 'The explanation.', body: Explanation },
    },
    async (request) => explanationBody(environment, await explainToken(environment, readAsked(request.body))),
  );

  operation(
    'POST /operator/tokens/revoke',
    {
      id: 'revoke_tokens',
      needs: 'admin',
      summary: 'Revoke all tokens that match',
      description:
        'Name at least one of subject, client_id, organization_id and issued_before; a token is revoked if all of them match.',
      body: Revocation,
      answer: { description: 'How much was revoked.', body: Revoked },
    },
    async (request) => {
      const { reason = 'revoked by an operator', dry_run: dryRun = false, cursor, ...fields } = request.body;
      const { grants, tokens, next } = await revokeInBulk(environment, {
        selection: requireSelection(fields),
        cause: { actor: operatorOf(request), reason },
        dryRun,
        after: readGrantCursor(cursor, refuse),
      });
      return { dry_run: dryRun, grants, tokens, next_cursor: next };
    },
  );
}

function oneTokenRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Tokens');

  operation(
    'POST /operator/tokens/:id/revoke',
    {
      id: 'revoke_token',
      needs: 'admin',
      summary: 'Revoke one token',
      description: 'An access token ends alone, a refresh token with its whole grant.',
      params: { id: 'The id of the token.' },
      body: Revoking,
      answer: { status: 204, description: 'It has ended.' },
    },
    async (request) => {
      const { reason = 'revoked by an operator' } = request.body;
      await endToken(environment, request.params.id, { actor: operatorOf(request), reason });
    },
  );

  operation(
    'GET /operator/grants/:id/tokens',
    {
      id: 'list_grant_tokens',
      needs: 'viewer',
      summary: 'List the tokens that were issued under a grant',
      params: { id: 'The id of the grant.' },
      query: pageQuery,
      answer: { description: 'A page of tokens, newest first.', body: pageOf(TokenOfGrant) },
    },
    async (request) => {
      const page = await tokensOfGrant(environment, request.params.id, pageRequest(request));
      const nameOf = await namesOf(
        environment,
        page.items.flatMap(({ token }) => idsOfToken(token)),
      );
      return pageBody(page, ({ token, endedBy }) => ({
        ...tokenBody(token, nameOf),
        state: endedBy ?? ('active' as const),
      }));
    },
  );
}

function requireSelection(fields: SelectionFields) {
  if (Object.keys(fields).length === 0)
    throw refuse('Name at least one of subject, client_id, organization_id and issued_before.');
  return readSelection(fields, refuse);
}

function readAsked({ token, token_id: tokenId }: Type.Static<typeof Asked>): AskedToken {
  if ((token === undefined) === (tokenId === undefined)) throw refuse('Give either token or token_id.');
  if (token !== undefined) return { tokenValue: token };
  if (tokenId !== undefined && isId<'token'>('tok', tokenId)) return { tokenId };
  throw refuse('token_id must be an id that begins with tok_.');
}

function refuse(detail: string): ApiError {
  return new ApiError('validation_failed', { detail });
}
