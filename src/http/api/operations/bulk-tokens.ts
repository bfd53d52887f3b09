import { ApiError } from '../../../errors/api-error.ts';
import { revokeInBulk } from '../../../oauth/tokens/bulk/revoke-in-bulk.ts';
import type { ClientGate } from '../../../oauth/tokens/client-gate.ts';
import type { BatchIntrospector } from '../../../oauth/tokens/introspect-batch.ts';
import { readGrantCursor, readSelection } from '../../app/read-selection.ts';
import type { OpenCall, OperationHandlers } from '../version-app.ts';
import { clientOf, introspectionBody } from './oauth.ts';

export interface BulkTokenParts {
  issuer: string;
  gate: ClientGate;
  introspectTokens: BatchIntrospector;
}

interface RevocationBody {
  subject?: string;
  organization_id?: string;
  issued_before?: string;
  dry_run?: boolean;
  cursor?: string;
}

export function bulkTokenHandlers({ issuer, gate, introspectTokens }: BulkTokenParts): OperationHandlers {
  return {
    async 'oauth2:introspect_tokens'(call: OpenCall) {
      const { tokens } = call.request.body as { tokens: string[] };
      const told = await introspectTokens(clientOf(call), tokens);
      return { status: 200, body: { introspections: told.map((token) => introspectionBody(token, issuer)) } };
    },

    async 'oauth2:revoke_tokens'(call: OpenCall) {
      const { client } = await gate(clientOf(call));
      const { dry_run: dryRun = false, cursor, ...fields } = call.request.body as RevocationBody;
      const { grants, tokens, next } = await revokeInBulk(call.scene, {
        // A client reaches what was issued to it, and nothing else.
        selection: { ...selectionOf(fields), clientId: client.id },
        cause: { actor: { type: 'client', id: client.id }, reason: 'revoked in bulk by its client' },
        dryRun,
        after: readGrantCursor(cursor, refuse),
      });
      return { status: 200, body: { dry_run: dryRun, grants, tokens, next_cursor: next } };
    },
  };
}

function selectionOf({ subject, organization_id, issued_before }: RevocationBody) {
  const fields = Object.entries({ subject, organization_id, issued_before });
  const given = fields.filter(([, value]) => value !== undefined);
  if (given.length === 0) throw refuse('Name at least one of subject, organization_id and issued_before.');
  return readSelection(Object.fromEntries(given), refuse);
}

function refuse(detail: string): ApiError {
  return new ApiError('invalid_request', { detail });
}
