import { beforeAll, expect, it } from 'vitest';
import { listAudit } from '../../src/audit/read-audit.ts';
import { LOST_ACCESS_ENDED } from '../../src/doctor/keep-sightings.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { createOperatorSessions } from '../../src/identity/operator-sessions/operator-sessions.ts';
import { createPasswordLink } from '../../src/identity/password-links/password-links.ts';
import { findSession, startSession } from '../../src/identity/sessions/sign-in-sessions.ts';
import { findConsent, rememberConsent } from '../../src/oauth/authorize/consent/consents.ts';
import { endLostAccess } from '../../src/recovery/lost-access/end-lost-access.ts';
import { onBothDatabases } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

onBothDatabases('the access of a restored database', (engine) => {
  const service = useTestService(engine);
  const { token, isActive, revoke } = oauthCalls(service);
  let sandbox: Environment;
  let lostFrom: Date;
  let alive: Awaited<ReturnType<typeof makeAccess>>;

  const issue = async (): Promise<string> =>
    (await token({ grant_type: 'client_credentials' })).body.access_token;

  /** One of each kind. */
  async function makeAccess() {
    const { code, codeVerifier, user, client } = await signInDemoUser(service);
    const consent = { userId: user.id, clientId: client.id, audience: client.id };
    await rememberConsent(sandbox, consent, { scopes: ['openid'], organizationIds: [] });
    const consoles = createOperatorSessions(sandbox, null);
    const { operator_key } = service.quickstart.sandbox;
    const registration = await service.operate('sandbox', '/operator/registration-tokens', {
      method: 'POST',
      body: {},
    });
    return {
      access: service.quickstart.sandbox.access_token,
      refresh: service.quickstart.sandbox.refresh_token,
      ofClient: await issue(),
      code: { code, code_verifier: codeVerifier, redirect_uri: REDIRECT_URI },
      consent,
      session: await startSession(sandbox, user.id),
      console: await consoles.start(operator_key),
      consoles,
      link: (await createPasswordLink(sandbox, user.id)).linkValue,
      registration: ((await registration.json()) as { registration_token: string }).registration_token,
    };
  }

  const end = (dryRun: boolean) => endLostAccess(sandbox, { lostFrom, dryRun });

  async function isUsable() {
    const { access, ofClient, consent, session, console, consoles } = alive;
    return {
      access: await isActive(access),
      ofClient: await isActive(ofClient),
      consent: (await findConsent(sandbox, consent)) !== null,
      session: (await findSession(sandbox, session)) !== null,
      console: (await consoles.find(console?.sessionValue ?? '')) !== null,
    };
  }
  const everything = { access: true, ofClient: true, consent: true, session: true, console: true };
  const nothing = { access: false, ofClient: false, consent: false, session: false, console: false };

  beforeAll(async () => {
    sandbox = await serviceEnvironment(service);
    await revoke({ token: await issue(), token_type: 'access_token' });
    alive = await makeAccess();
    lostFrom = service.clock.now();
    service.clock.advanceSeconds(30);
  });

  const counts = {
    // The demo user's grant, and that of the client's own token.
    grants: 2,
    tokens: 3,
    authorization_codes: 1,
    consents: 1,
    registration_tokens: 1,
    sign_in_sessions: 1,
    console_sessions: 1,
    password_links: 1,
  };

  it('is counted by a dry run, which changes nothing', async () => {
    const { ended, alreadyDone, toCheck } = await end(true);
    expect([alreadyDone, ended]).toEqual([false, counts]);
    expect(toCheck).toMatchObject({
      operator_keys: 1,
      clients: 1,
      client_secrets: 1,
      users: 1,
      memberships: 1,
    });
    expect(await isUsable()).toEqual(everything);
    expect(
      (await listAudit(sandbox, { action: LOST_ACCESS_ENDED }, { limit: 1, after: null })).items,
    ).toEqual([]);
  });

  it('is ended as a whole or not at all', async () => {
    // The last thing that is written fails.
    await sandbox.database.migration((session) =>
      session.script(
        `alter table {schema}.audit_log add constraint refused check (action <> '${LOST_ACCESS_ENDED}')`,
      ),
    );
    await expect(end(false)).rejects.toThrow();
    await sandbox.database.migration((session) =>
      session.script('alter table {schema}.audit_log drop constraint refused'),
    );
    expect(await isUsable()).toEqual(everything);
  });

  it('is ended: tokens, grants, consents, sessions, links and registration tokens, and announced', async () => {
    expect(await end(false)).toMatchObject({ alreadyDone: false, ended: counts });
    expect(await isUsable()).toEqual(nothing);
    const refused = await token({ grant_type: 'refresh_token', refresh_token: alive.refresh });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    expect((await token({ grant_type: 'authorization_code', ...alive.code })).status).toBe(400);
    const registered = await service.call('sandbox', `/account/set-password/${alive.link}`);
    expect(registered.status).not.toBe(200);
    const grants = await listAudit(sandbox, { action: 'grant.revoked' }, { limit: 100, after: null });
    const reason = `the database was restored: what happened after ${lostFrom.toISOString()} is lost`;
    expect(grants.items.filter((entry) => entry.reason === reason)).toHaveLength(counts.grants);
    const [entry] = (await listAudit(sandbox, { action: LOST_ACCESS_ENDED }, { limit: 2, after: null }))
      .items;
    expect(entry).toMatchObject({
      actor: { type: 'system' },
      reason,
      details: { lost_from: lostFrom.toISOString(), ...counts },
    });
  });

  it('is ended once: what begins afterwards stays when it is run again', async () => {
    const fresh = await issue();
    expect(await end(false)).toMatchObject({
      alreadyDone: true,
      ended: { grants: 0, tokens: 0, consents: 0 },
    });
    expect(await isActive(fresh)).toBe(true);
  });

  it('does not reach the other environment', async () => {
    const production = await serviceEnvironment(service, 'production');
    const { items } = await listAudit(production, { action: LOST_ACCESS_ENDED }, { limit: 1, after: null });
    expect(items).toEqual([]);
  });
});
