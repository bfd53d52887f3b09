import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isId } from '../../kernel/ids.ts';
import { revokeInBulk } from '../../oauth/tokens/bulk/revoke-in-bulk.ts';
import { type AskedToken, explainToken } from '../../oauth/tokens/explain-token.ts';
import type { App } from '../app/create-app.ts';
import { readGrantCursor, readSelection, type SelectionFields } from '../app/read-selection.ts';
import { operatorOf } from './acting-operator.ts';
import { explanationBody } from './explanation-body.ts';
import { AnyId, Reason, Secret } from './fields.ts';

const Asked = Type.Object(
  { token_id: Type.Optional(AnyId), token: Type.Optional(Secret) },
  { additionalProperties: false },
);

const Revocation = Type.Object(
  {
    subject: Type.Optional(AnyId),
    client_id: Type.Optional(AnyId),
    organization_id: Type.Optional(AnyId),
    issued_before: Type.Optional(Type.String()),
    reason: Type.Optional(Reason),
    dry_run: Type.Optional(Type.Boolean()),
    cursor: Type.Optional(AnyId),
  },
  { additionalProperties: false },
);

/** Explains why a token died, and revokes in bulk. A token itself is sent in the body, never in the address. */
export function tokenRoutes(app: App, environment: Environment): void {
  app.post<{ Body: Type.Static<typeof Asked> }>(
    '/operator/tokens/explain',
    { schema: { body: Asked } },
    async (request) => explanationBody(await explainToken(environment, readAsked(request.body))),
  );

  app.post<{ Body: Type.Static<typeof Revocation> }>(
    '/operator/tokens/revoke',
    { schema: { body: Revocation } },
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
