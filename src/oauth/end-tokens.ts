import { recordAudit } from '../audit/audit-log.ts';
import type { Actor } from '../audit/types.ts';
import type { Environment, Scene } from '../environments/environment.ts';
import { recordOccurrences } from '../webhooks/record-occurrences.ts';
import { endGrants, endTokens, organizationsOfAudiences, type TokenRecord } from './store.ts';
import { subjectOf } from './token-facts.ts';
import type { GrantId, TokenId } from './types.ts';

/** A token that somebody wants to be over. */
export interface Ending {
  token: TokenRecord;
  actor: Actor;
  reason: string;
}

/**
 * Ends tokens in one transaction, with what is written down about it: all of them, or none. An access token takes down
 * itself alone, a refresh token its whole grant, by one row.
 */
export async function endAll(environment: Environment, endings: readonly Ending[]): Promise<undefined[]> {
  await environment.transaction(async (scene) => {
    const now = scene.clock.now();
    const [access, refresh] = byKind(endings);
    // Grants before tokens, everywhere: so nobody waits for somebody who waits for them.
    const grantIds = new Set(await endGrants(scene.session, [...refresh.keys()], now));
    const tokenIds = new Set(
      await endTokens(
        scene.session,
        [...access.values()].map(({ token }) => token.digest),
        now,
      ),
    );
    const ended = [
      ...[...refresh.values()].filter(({ token }) => grantIds.has(token.grantId)),
      ...[...access.values()].filter(({ token }) => tokenIds.has(token.id)),
    ];
    await writeDown(scene, ended, now);
  });
  return endings.map(() => undefined);
}

/** Each grant and each access token once, however often it was asked for. */
function byKind(endings: readonly Ending[]): [Map<TokenId, Ending>, Map<GrantId, Ending>] {
  const access = endings.filter(({ token }) => token.kind === 'access_token');
  const refresh = endings.filter(({ token }) => token.kind === 'refresh_token');
  return [
    new Map(access.map((ending) => [ending.token.id, ending])),
    new Map(refresh.map((ending) => [ending.token.grantId, ending])),
  ];
}

async function writeDown(scene: Scene, ended: readonly Ending[], now: Date): Promise<void> {
  if (ended.length === 0) return;
  const concerned = await concernedBy(scene, ended);
  await recordAudit(
    scene,
    ended.map(({ token, actor, reason }) => ({
      actor,
      reason,
      action: token.kind === 'access_token' ? 'token.revoked' : 'grant.revoked',
      tokenId: token.id,
      grantId: token.grantId,
      clientId: token.clientId,
      userId: token.userId ?? undefined,
    })),
  );
  await recordOccurrences(
    scene,
    ended.map(({ token }) => ({
      type: token.kind === 'access_token' ? 'token.revoked' : 'grant.revoked',
      organizationIds: concerned(token),
      data: token.kind === 'access_token' ? tokenData(token, now) : grantData(token, now),
    })),
  );
}

function grantData(token: TokenRecord, now: Date) {
  const subject = subjectOf(token);
  return {
    grant_id: token.grantId,
    client_id: token.clientId,
    sub_type: subject.type,
    sub: subject.id,
    revoked_at: now.toISOString(),
  };
}

function tokenData(token: TokenRecord, now: Date) {
  return {
    token_id: token.id,
    token_sha256: Buffer.from(token.digest).toString('hex'),
    ...grantData(token, now),
  };
}

/** The organizations of the token, of its client and of the resource server it was made for. */
async function concernedBy(
  scene: Scene,
  ended: readonly Ending[],
): Promise<(token: TokenRecord) => string[]> {
  const foreign = ended.map(({ token }) => token).filter(({ audience, clientId }) => audience !== clientId);
  const servers =
    foreign.length === 0
      ? []
      : await organizationsOfAudiences(scene.session, [...new Set(foreign.map(({ audience }) => audience))]);
  return ({ audience, clientOrganizationId, organizationIds }) => {
    const ofAudience = servers.filter((server) => server.audience === audience);
    return [
      ...new Set([
        clientOrganizationId,
        ...organizationIds,
        ...ofAudience.map(({ organizationId }) => organizationId),
      ]),
    ].sort();
  };
}
