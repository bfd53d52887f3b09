import { recordAudit } from '../../../audit/audit-log.ts';
import { firstAuditEntry } from '../../../audit/read-audit.ts';
import type { Context } from '../../../environments/environment.ts';
import { digestsEqual } from '../../../kernel/digest.ts';
import { deriveKey } from '../../../kernel/seal.ts';
import type { TokenRecord } from '../../tokens/token-record.ts';
import { countRepeat, type RotationAnswer } from './store.ts';

const ACTION = 'grant.refresh_repeated';
const RECORDED_ONCE_PER_MS = 60_000;

/** Where a refresh came from. Only the holder of the token can tell which address it is. */
export function originOf(refreshTokenValue: string, address: string): Buffer {
  return deriveKey(refreshTokenValue, `dateline refresh from ${address}`);
}

/**
 * Records that an answer is repeated, unless this may well be its client's one retry: the first, from where the refresh came from.
 * The rest may be a thief and an owner who hold the same token. Called with the grant locked, so that nodes record it once.
 */
export async function recordRepeat(
  context: Context,
  token: TokenRecord,
  { rotation, origin }: { rotation: RotationAnswer; origin: Buffer },
): Promise<void> {
  const repeats = await countRepeat(context.session, token.digest);
  const isElsewhere = rotation.originDigest !== null && !digestsEqual(rotation.originDigest, origin);
  const { grantId, clientId, userId, clientOrganizationId: organizationId } = token;
  if ((repeats === 1 && !isElsewhere) || (await wasRecorded(context, grantId))) return;
  await recordAudit(context, [
    {
      actor: { type: 'client', id: clientId },
      action: ACTION,
      ...{ tokenId: token.id, grantId, clientId, userId: userId ?? undefined, organizationId },
      details: { repeats, from_another_address: isElsewhere },
    },
  ]);
}

/** However often it is repeated, a minute of one grant is one entry. */
async function wasRecorded(context: Context, grantId: string): Promise<boolean> {
  const since = new Date(context.clock.now().getTime() - RECORDED_ONCE_PER_MS + 1);
  return (await firstAuditEntry(context, { action: ACTION, grantId, since })) !== null;
}
