import { describe, expect, it } from 'vitest';
import { blockUser } from '../../../src/directory/users.ts';
import { unblockUser } from '../../../src/identity/users.ts';
import { statement } from '../../../src/storage/statement.ts';
import { anyEngine, onPostgresFirst } from '../../support/database/databases.ts';
import { createVisitor, fieldsOf, type Visited, type Visitor } from '../../support/http/visitor.ts';
import { authorization, authorizePath, PASSWORD } from '../../support/oauth/authorization.ts';
import { itInLongRuns } from '../../support/run/in-long-runs.ts';
import { operatorCalls } from '../../support/service/operator-calls.ts';
import { startTestService, useTestService } from '../../support/service/test-service.ts';

const COOKIE = 'dateline_sandbox_session';
const isSignedIn = async (browser: Visitor): Promise<boolean> =>
  (await browser.visit('/account/grants')).url.endsWith('/account/grants');

onPostgresFirst('signing in', (engine) => {
  const service = useTestService(engine);
  const { environment, addUser, addClient, visitor, signIn, signedIn, allow } = authorization(service);
  const signInPage = (browser: Visitor) => browser.visit('/account/sign-in');

  it('accepts the right password only, and answers the same for a wrong one and an unknown email', async () => {
    const { email } = await addUser();
    const attempt = async (tried: string, password: string) => {
      const browser = visitor();
      const { status, text } = await signIn(browser, await signInPage(browser), tried, password);
      return { status, message: /role="alert">([^<]*)/.exec(text)?.[1], in: await isSignedIn(browser) };
    };
    const refused = { status: 422, message: 'Email or password is wrong.', in: false };
    expect(await attempt(email, 'wrong password')).toEqual(refused);
    expect(await attempt('nobody@example.com', PASSWORD)).toEqual(refused);
    expect(await attempt(email, '')).toEqual(refused);
    expect(await attempt(email.toUpperCase(), PASSWORD)).toMatchObject({ status: 200, in: true });
  });

  it('makes a new session value each time: one set before sign-in is worthless (session fixation)', async () => {
    const { email } = await addUser();
    const browser = visitor();
    const planted = 'planted'.padEnd(43, 'x');
    browser.cookies.set(COOKIE, planted);
    const page = await signInPage(browser);
    expect(browser.cookies.get(COOKIE)).toBe(planted);
    await signIn(browser, page, email);
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.get(COOKIE)).not.toBe(planted);

    const thief = visitor();
    thief.cookies.set(COOKIE, planted);
    expect(await isSignedIn(thief)).toBe(false);
  });

  it('ends the earlier session of the same browser', async () => {
    const browser = await signedIn((await addUser()).email);
    const old = browser.cookies.get(COOKIE) ?? '';
    const client = await addClient();
    await signIn(
      browser,
      await browser.visit(authorizePath(client.id, { prompt: 'login' })),
      (await addUser()).email,
    );
    const left = visitor();
    left.cookies.set(COOKIE, old);
    expect([await isSignedIn(browser), await isSignedIn(left)]).toEqual([true, false]);
  });

  it('stores the SHA-256 of the value and never the value', async () => {
    const browser = await signedIn((await addUser()).email);
    const value = browser.cookies.get(COOKIE) ?? '';
    expect(value).toMatch(/^dl_test_ss_\w{38}$/);
    const rows = await (await service.database('sandbox')).run<{ text: string }>(
      statement('all_sessions', `select s::text as text from {schema}.sign_in_sessions s`),
      [],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(value);
    expect(service.logLines.join('')).not.toContain(value);
    expect(service.logLines.join('')).not.toContain(PASSWORD);
  });

  it('sets a cookie that scripts cannot read and other sites cannot use', async () => {
    const browser = visitor();
    await signIn(browser, await signInPage(browser), (await addUser()).email);
    expect(browser.setCookies).toHaveLength(2);
    for (const line of browser.setCookies)
      expect(line).toMatch(/^dateline_sandbox_session=\w{43,64}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('ends after two hours without a request', async () => {
    const browser = await signedIn((await addUser()).email);
    service.clock.advanceSeconds(7199);
    expect(await isSignedIn(browser)).toBe(true);
    service.clock.advanceSeconds(7199);
    expect(await isSignedIn(browser)).toBe(true);
    service.clock.advanceSeconds(7200);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends after twelve hours in any case', async () => {
    const browser = await signedIn((await addUser()).email);
    for (let hour = 1; hour < 12; hour += 1) {
      service.clock.advanceSeconds(3600);
      expect(await isSignedIn(browser)).toBe(true);
    }
    service.clock.advanceSeconds(3600);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends at sign-out, for good', async () => {
    const browser = await signedIn((await addUser()).email);
    const value = browser.cookies.get(COOKIE) ?? '';
    await browser.submit(await browser.visit('/account/grants'), '/account/sign-out');
    expect(await isSignedIn(browser)).toBe(false);
    browser.cookies.set(COOKIE, value);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('is refused to blocked users: their sessions end at once, and stay ended after unblocking', async () => {
    const { id, email } = await addUser();
    const browser = await signedIn(email);
    await blockUser(await environment(), id);
    expect(await isSignedIn(browser)).toBe(false);
    const again = visitor();
    expect((await signIn(again, await signInPage(again), email)).status).toBe(422);
    expect(await isSignedIn(again)).toBe(false);
    await unblockUser(await environment(), id);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await isSignedIn(await signedIn(email))).toBe(true);
  });

  it('redirects to paths of this service only', async () => {
    const { email } = await addUser();
    for (const evil of [
      'https://evil.test/',
      '//evil.test/',
      '/\\evil.test/',
      '/v1/oauth2/authorize@evil.test',
      '/nowhere',
    ]) {
      const browser = visitor();
      const page = await browser.visit(`/account/sign-in?continue=${encodeURIComponent(evil)}`);
      expect(fieldsOf(page, '/account/sign-in').continue).toBe('/account/grants');
      const { url } = await signIn(browser, page, email);
      expect(url).toBe(`${service.urls.sandbox}/account/grants`);
      const forged = await browser.submit(page, '/account/sign-in', {
        continue: evil,
        email,
        password: PASSWORD,
      });
      expect(forged.url.startsWith(`${service.urls.sandbox}/account/`)).toBe(true);
    }
  });

  describe('forms', () => {
    it('are rejected without their token, with that of another browser, and for another purpose', async () => {
      const { email } = await addUser();
      const [browser, other] = [visitor(), visitor()];
      const page = await signInPage(browser);
      const { form_token: foreign = '' } = fieldsOf(await signInPage(other), '/account/sign-in');
      for (const form_token of ['', 'x', foreign]) {
        const fields = { email, password: PASSWORD, form_token };
        const { status, text } = await browser.submit(page, '/account/sign-in', fields);
        expect([status, text.includes('form_refused')]).toEqual([403, true]);
      }
      const elsewhere = { continue: '/account/password', email, password: PASSWORD };
      expect((await browser.submit(page, '/account/sign-in', elsewhere)).status).toBe(403);
      expect(await isSignedIn(browser)).toBe(false);
    });

    it('are rejected from another origin, even with the right token', async () => {
      const { email } = await addUser();
      const browser = visitor();
      const page = await signInPage(browser);
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.test' },
        { origin: 'null' },
      ] as Record<string, string>[]) {
        const fields = { email, password: PASSWORD };
        expect((await browser.submit(page, '/account/sign-in', fields, headers)).status).toBe(403);
      }
      expect(await isSignedIn(browser)).toBe(false);
      await browser.submit(
        page,
        '/account/sign-in',
        { email, password: PASSWORD },
        { 'sec-fetch-site': 'same-origin' },
      );
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('are checked on every route that changes something', async () => {
      const { email } = await addUser();
      const browser = await signedIn(email);
      const client = await addClient();
      const consent = await browser.visit(authorizePath(client.id));
      const posts = [
        browser.submit(consent, '/account/consent', { decision: 'allow', form_token: 'x' }),
        browser.submit(consent, '/account/sign-out', { form_token: 'x' }),
        browser.post('/account/grants', { client_id: client.id, form_token: 'x' }),
        browser.post('/account/password', { old_password: PASSWORD, form_token: 'x' }),
        browser.post('/account/password', {}),
      ];
      for (const { status, url } of await Promise.all(posts)) {
        expect([status, url.startsWith(service.urls.sandbox)]).toEqual([403, true]);
      }
      expect(await isSignedIn(browser)).toBe(true);
    });

    it('must be form-encoded: JSON, a body too large and repeated fields are rejected', async () => {
      const send = (body: string, type: string) =>
        service.call('sandbox', '/account/sign-in', {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
      const form = 'application/x-www-form-urlencoded';
      expect((await send('{}', 'application/json')).status).toBe(415);
      expect((await send(`email=${'x'.repeat(300_000)}`, form)).status).toBe(413);
      expect((await send('email=a&email=b', form)).status).toBe(400);
      expect((await send('email=%00', form)).status).toBe(400);
    });
  });

  it('lets a person use another account for the same request', async () => {
    const [one, other] = [await addUser(['One Ltd']), await addUser(['Other Ltd'])];
    const client = await addClient();
    const browser = await signedIn(one.email);
    const asked = await browser.visit(authorizePath(client.id));
    expect(asked.text).toContain(one.email);
    const again = await signIn(browser, await browser.submit(asked, '/account/sign-out'), other.email);
    expect(again.text).toContain('Other Ltd');
    expect(again.text).not.toContain('One Ltd');
    expect((await allow(browser, again)).url).toContain('code=');
  });
});

describe('a client that guesses passwords', () => {
  const service = useTestService(anyEngine, { DATELINE_TRUSTED_PROXIES: '127.0.0.1' });
  const { addUser } = authorization(service);

  async function attempt(email: string, password: string, from: string) {
    const browser = createVisitor(service.urls.sandbox);
    const page = await browser.visit('/account/sign-in');
    return browser.submit(page, '/account/sign-in', { email, password }, { 'x-forwarded-for': from });
  }

  it('waits after ten failures, even with the right password; other addresses do not', async () => {
    const { email } = await addUser();
    const guesses = Array.from({ length: 14 }, () => attempt(email, 'guess', '203.0.113.1'));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(422), ...Array(4).fill(429)]);
    const right = await attempt(email.toUpperCase(), PASSWORD, '203.0.113.1');
    expect([right.status, Number(right.headers.get('retry-after'))]).toEqual([429, 300]);
    expect((await attempt(email, PASSWORD, '203.0.113.2')).status).toBe(200);
    service.clock.advanceSeconds(300);
    expect((await attempt(email, PASSWORD, '203.0.113.1')).status).toBe(200);
  });

  itInLongRuns(
    '[outside 8] waits after thirty failures at an account from one /48, whatever the /64',
    async () => {
      const { email } = await addUser();
      const guesses = Array.from({ length: 33 }, (_, number) =>
        attempt(email, 'guess', `2001:db8:7:${number.toString(16)}::1`),
      );
      const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(30).fill(422), ...Array(3).fill(429)]);
      expect((await attempt(email, PASSWORD, '2001:db8:7:ff::1')).status).toBe(429);
      expect((await attempt(email, PASSWORD, '2001:db8:8:ff::1')).status).toBe(200);
    },
  );

  itInLongRuns(
    '[outside 8] slows an account down that is guessed at from everywhere, and locks nobody out',
    async () => {
      const [{ email: attacked }, { email: other }] = [await addUser(), await addUser()];
      const guesses = await Promise.all(
        Array.from({ length: 16 }, (_, number) => attempt(attacked, 'guess', `198.51.100.${number}`)),
      );
      expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([422]));
      const answered: string[] = [];
      const browser = createVisitor(service.urls.sandbox);
      const page = await browser.visit('/account/sign-in');
      const from = { 'x-forwarded-for': '203.0.113.77' };
      const filledIn = { email: attacked, password: PASSWORD };
      const slowed = browser.submit(page, '/account/sign-in', filledIn, from).then(({ url }) => {
        answered.push(attacked);
        return url.endsWith('/account/grants');
      });
      // It begins later and takes more steps, and is done first all the same.
      expect((await attempt(other, PASSWORD, '203.0.113.77')).url).toMatch(/\/account\/grants$/);
      answered.push(other);
      expect(await slowed).toBe(true);
      expect(answered).toEqual([other, attacked]);
    },
  );

  it('is not confused with a person who signs in often', async () => {
    const { email } = await addUser();
    for (let time = 0; time < 12; time += 1)
      expect((await attempt(email, PASSWORD, '203.0.113.3')).status).toBe(200);
  });

  itInLongRuns('cannot try one password on many accounts', async () => {
    const { email } = await addUser();
    const accounts = Array.from({ length: 100 }, (_, number) => `account-${number}@example.com`);
    // Not all at once: few passwords are checked at the same time.
    for (let from = 0; from < accounts.length; from += 25) {
      const tries = await Promise.all(
        accounts.slice(from, from + 25).map((account) => attempt(account, 'password', '203.0.113.4')),
      );
      expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([422]));
    }
    expect((await attempt(email, PASSWORD, '203.0.113.4')).status).toBe(429);
    expect((await attempt(email, PASSWORD, '203.0.113.5')).status).toBe(200);
  });
});

describe('a link to set a password', () => {
  const service = useTestService(anyEngine);
  const { addUser, visitor, signIn, signedIn } = authorization(service);
  const { post, lastAudit } = operatorCalls(service);
  const linkFor = async (id: string): Promise<string> => {
    const { status, body } = await post(`/operator/users/${id}/password-link`);
    expect([status, body.user_id]).toEqual([201, id]);
    return new URL(body.url).pathname;
  };
  const fill = (browser: Visitor, page: Visited, password: string, repeated = password) =>
    browser.submit(page, '/account/set-password', { new_password: password, repeated_password: repeated });

  it('[outside 8] works once, signs the person in, and ends every other session', async () => {
    const { id, email } = await addUser();
    const elsewhere = await signedIn(email);
    const path = await linkFor(id);
    const browser = visitor();
    // Looking at it, also twice, uses nothing up; neither do mistakes.
    await visitor().visit(path);
    const page = await browser.visit(path);
    expect(page.text).toContain(email);
    expect((await fill(browser, page, 'a new password', 'another password')).status).toBe(422);
    expect((await fill(browser, page, 'short')).text).toContain('12 to 200 characters');
    const set = await fill(browser, page, 'a new password');
    expect([set.status, set.url.endsWith('/account/grants')]).toEqual([200, true]);
    expect(await lastAudit()).toMatchObject({ action: 'user.password_changed', actor_id: id });
    expect(await isSignedIn(elsewhere)).toBe(false);
    const signingIn = async (password: string) => {
      const other = visitor();
      return (await signIn(other, await other.visit('/account/sign-in'), email, password)).status;
    };
    expect([await signingIn('a new password'), await signingIn(PASSWORD)]).toEqual([200, 422]);
    const again = await browser.visit(path);
    expect([again.status, again.text.includes('Ask for a new one')]).toEqual([404, true]);
    expect((await fill(browser, page, 'yet another password')).status).toBe(403);
    expect(service.logLines.join('')).not.toContain(path.split('/').at(-1));
  });

  itInLongRuns(
    '[outside 8] hashes few passwords at the same time, and refuses at once what would wait for long',
    async () => {
      const path = '/operator/users/usr_0000000000000000000000/set-password';
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => post(path, { password: 'a new password' })),
      );
      const statuses = answers.map(({ status }) => status);
      expect([...new Set(statuses)].sort()).toEqual([404, 429]);
    },
  );

  it('[outside 8] is good for a day, and until there is a newer one', async () => {
    const { id } = await addUser();
    const older = await linkFor(id);
    const newer = await linkFor(id);
    const statusOf = async (path: string) => (await visitor().visit(path)).status;
    expect([await statusOf(older), await statusOf(newer)]).toEqual([404, 200]);
    service.clock.advanceSeconds(24 * 3600);
    expect([await statusOf(newer), await statusOf('/account/set-password/nonsense')]).toEqual([404, 404]);
  });
});

describe('behind https', () => {
  it('the cookie is Secure and bound to this host, and forms are accepted from the public address', async () => {
    const publicUrl = 'https://id.example.test';
    const service = await startTestService(anyEngine, { DATELINE_SANDBOX_PUBLIC_URL: publicUrl });
    const browser = createVisitor(service.urls.sandbox);
    const page = await browser.visit('/account/sign-in');
    expect(browser.setCookies[0]).toMatch(
      /^__Host-dateline_sandbox_session=\w{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const { user_email: email, user_password: password } = service.quickstart.sandbox;
    const post = (origin: string) =>
      browser.submit(page, '/account/sign-in', { email, password }, { origin });
    expect((await post('https://evil.example.test')).status).toBe(403);
    expect((await post(publicUrl)).url).toContain('/account/grants');
    await service.stop();
  });
});
