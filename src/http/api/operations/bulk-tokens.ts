import type { bulkTokenOperations } from '../../../contracts/head/bulk-tokens.ts';
import type { RequestTo } from '../../../contracts/head/operation-types.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { revokeInBulk } from '../../../oauth/tokens/bulk/revoke-in-bulk.ts';
import type { ClientGate } from '../../../oauth/tokens/client-gate.ts';
import type { BatchIntrospector } from '../../../oauth/tokens/introspect-batch.ts';
import { readGrantCursor, readSelection } from '../../app/read-selection.ts';
import type { HandlersOf } from '../handler.ts';
import { authenticated, clientIn, introspectionBody } from './oauth.ts';

export interface BulkTokenParts {
  issuer: string;
  gate: ClientGate;
  introspectTokens: BatchIntrospector;
}

type Revocation = RequestTo<'oauth2:revoke_tokens'>['body'];
type BulkHandlers = Omit<HandlersOf<typeof bulkTokenOperations>, 'oauth2:report_leak'>;

export function bulkTokenHandlers({ issuer, gate, introspectTokens }: BulkTokenParts): BulkHandlers {
  return {
    async 'oauth2:introspect_tokens'({ request: { body }, caller }) {
      const asking = clientIn(body, caller);
      const tokens = await introspectTokens(asking, body.tokens);
      caller.admitted(authenticated(asking));
      return {
        status: 200,
        body: { introspections: tokens.map((token) => introspectionBody(token, issuer)) },
      };
    },

    async 'oauth2:revoke_tokens'({ context, request: { body }, caller }) {
      const { client } = await gate(clientIn(body, caller));
      caller.admitted(client.id);
      const { dry_run: dryRun = false, cursor } = body;
      const { grants, tokens, next } = await revokeInBulk(context, {
        // A client can revoke only what was issued to it.
        selection: { ...selectionOf(body), clientId: client.id },
        cause: { actor: { type: 'client', id: client.id }, reason: 'revoked in bulk by its client' },
        dryRun,
        after: readGrantCursor(cursor, refuse),
      });
      return { status: 200, body: { dry_run: dryRun, grants, tokens, next_cursor: next } };
    },
  };
}

function selectionOf({ subject, organization_id, issued_before }: Revocation) {
  const fields = Object.entries({ subject, organization_id, issued_before });
  const given = fields.filter(([, value]) => value !== undefined);
  if (given.length === 0) throw refuse('Name at least one of subject, organization_id and issued_before.');
  return readSelection(Object.fromEntries(given), refuse);
}

function refuse(detail: string): ApiError {
  return new ApiError('invalid_request', { detail });
}
