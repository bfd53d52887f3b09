import { expect, it } from 'vitest';
import { statement } from '../../../src/storage/statement.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { fieldsOf } from '../../support/http/visitor.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  CALLBACK,
  createPkce,
  PASSWORD,
} from '../../support/oauth/authorization.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('the pages of a person', (engine) => {
  const service = useTestService(engine);
  const { addUser, addClient, visitor, signIn, signedIn, obtainTokens, exchange } = authorization(service);
  const NEW_PASSWORD = 'a new and better one';

  const opens = async (token: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await service.call('sandbox', '/v1/oauth2/grants', { headers })).status === 200;
  };

  it('require a session: others sign in first, and are sent back', async () => {
    const { email } = await addUser();
    for (const path of ['/account/password', '/account/grants']) {
      const browser = visitor();
      const page = await browser.visit(path);
      expect(page.url).toContain('/account/sign-in');
      expect((await signIn(browser, page, email)).url).toBe(service.urls.sandbox + path);
    }
    expect((await visitor().visit('/account')).url).toContain('/account/sign-in');
    expect((await visitor().visit('/account/nowhere')).status).toBe(404);
  });

  it('submit forms to their own origin only, are not cached and cannot be framed', async () => {
    const browser = await signedIn((await addUser()).email);
    for (const path of ['/account/password', '/account/grants']) {
      const { headers } = await browser.visit(path);
      expect(headers.get('content-security-policy')).toContain("form-action 'self'; frame-ancestors 'none'");
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('change the password, and end all other sessions', async () => {
    const { id, email } = await addUser();
    const [browser, other] = [await signedIn(email), await signedIn(email)];
    const before = new Map(browser.cookies);
    const page = await browser.visit('/account/password');
    const done = await browser.submit(page, '/account/password', {
      old_password: PASSWORD,
      new_password: NEW_PASSWORD,
      repeated_password: NEW_PASSWORD,
    });
    expect([done.status, done.text.includes('The password was changed.')]).toEqual([200, true]);
    expect((await browser.visit('/account/grants')).url).toContain('/account/grants');
    expect((await other.visit('/account/grants')).url).toContain('/account/sign-in');
    expect([...browser.cookies]).not.toEqual([...before]);

    const again = visitor();
    const refused = await signIn(again, await again.visit('/account/sign-in'), email, PASSWORD);
    expect(refused.status).toBe(422);
    const taken = await signIn(again, await again.visit('/account/sign-in'), email, NEW_PASSWORD);
    expect(taken.url).toContain('/account/grants');

    const audited = await (await service.database('sandbox')).run<{ action: string }>(
      statement('audit_of_user', 'select action, actor_id from {schema}.audit_log where user_id = $1'),
      [id],
    );
    expect(audited).toEqual([{ action: 'user.password_changed', actor_id: id }]);
  });

  it.each([
    ['The old password is wrong.', { old_password: 'not the old one' }],
    ['The two new passwords differ.', { repeated_password: 'something else' }],
    [
      'The new password must have 12 to 200 characters.',
      { new_password: 'short', repeated_password: 'short' },
    ],
  ])('say %s', async (sentence, change) => {
    const { email } = await addUser();
    const browser = await signedIn(email);
    const fields = { old_password: PASSWORD, new_password: NEW_PASSWORD, repeated_password: NEW_PASSWORD };
    const page = await browser.visit('/account/password');
    const { status, text } = await browser.submit(page, '/account/password', { ...fields, ...change });
    expect([status, text.includes(sentence)]).toEqual([422, true]);
    const again = visitor();
    expect((await signIn(again, await again.visit('/account/sign-in'), email)).url).toContain(
      '/account/grants',
    );
  });

  it('list the applications with access, and revoke it', async () => {
    const { email } = await addUser(['Acme']);
    const [kept, removed] = [await addClient({ name: 'Kept tool' }), await addClient({ name: 'Gone tool' })];
    const keptTokens = (await obtainTokens(kept, email)).body;
    service.clock.advanceSeconds(1);
    const first = await obtainTokens(removed, email);
    const second = await obtainTokens(removed, email, { prompt: 'consent' });
    const page = await first.browser.visit('/account/grants');
    for (const words of ['Kept tool', 'Gone tool', 'See products', 'Acme'])
      expect(page.text).toContain(words);
    expect(page.text.match(/<article>/g)).toHaveLength(2);

    const { client_id: shownFirst } = fieldsOf(page, '/account/grants');
    expect(shownFirst).toBe(kept.id);
    const [, formToken = ''] =
      new RegExp(`value="${removed.id}"><input type="hidden" name="form_token" value="([^"]*)"`).exec(
        page.text,
      ) ?? [];
    const after = await first.browser.post('/account/grants', {
      client_id: removed.id,
      form_token: formToken,
    });
    expect(after.text).not.toContain('Gone tool');
    expect([await opens(first.body.access_token), await opens(second.body.access_token)]).toEqual([
      false,
      false,
    ]);
    expect(await opens(keptTokens.access_token)).toBe(true);
  });

  it('also list remembered consent, and revoke codes that are not exchanged yet', async () => {
    const { email } = await addUser(['Acme']);
    const client = await addClient({ name: 'Now and then', allowedGrants: ['authorization_code'] });
    await obtainTokens(client, email);
    service.clock.advanceSeconds(2 * 3_600);
    const browser = await signedIn(email);
    // Its only token has expired, but the next one would be issued without a question.
    const { verifier, challenge } = createPkce();
    const silent = authorizePath(client.id, { prompt: 'none', code_challenge: challenge });
    const { code = '' } = answerIn((await browser.visit(silent)).url);
    expect(code).not.toBe('');
    const page = await browser.visit('/account/grants');
    expect(page.text).toContain('Now and then');
    const after = await browser.submit(page, '/account/grants', {});
    expect(after.text).toContain('No application has access');

    expect(answerIn((await browser.visit(silent)).url).error).toBe('consent_required');
    const late = { ...client.credentials, code, redirect_uri: CALLBACK, code_verifier: verifier };
    expect((await exchange(late)).body.error).toBe('invalid_grant');
  });
});
