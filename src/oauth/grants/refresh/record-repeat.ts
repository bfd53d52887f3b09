import { recordAudit } from '../../../audit/audit-log.ts';
import { firstAuditEntry } from '../../../audit/read-audit.ts';
import type { Scene } from '../../../environments/environment.ts';
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
  scene: Scene,
  token: TokenRecord,
  { rotation, origin }: { rotation: RotationAnswer; origin: Buffer },
): Promise<void> {
  const repeats = await countRepeat(scene.session, token.digest);
  const isElsewhere = rotation.originDigest !== null && !digestsEqual(rotation.originDigest, origin);
  const { grantId, clientId, userId, clientOrganizationId: organizationId } = token;
  if ((repeats === 1 && !isElsewhere) || (await wasRecorded(scene, grantId))) return;
  await recordAudit(scene, [
    {
      actor: { type: 'client', id: clientId },
      action: ACTION,
      ...{ tokenId: token.id, grantId, clientId, userId: userId ?? undefined, organizationId },
      details: { repeats, from_another_address: isElsewhere },
    },
  ]);
}

/** However often it is repeated, a minute of one grant is one entry. */
async function wasRecorded(scene: Scene, grantId: string): Promise<boolean> {
  const since = new Date(scene.clock.now().getTime() - RECORDED_ONCE_PER_MS + 1);
  return (await firstAuditEntry(scene, { action: ACTION, grantId, since })) !== null;
}
