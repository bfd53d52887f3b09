import { expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

describeInLongRuns('passport-oauth2, with its defaults', () => {
  const { addClient, comeBack, isActive } = useReleasedService();

  it('signs a person in without PKCE', async () => {
    const client = await addClient({ requiresPkce: false });
    const { strategy } = await runBlock('passport-oauth2', client);
    const { redirect = '' } = await authenticate(strategy, {});
    const back = await comeBack(redirect);
    const { user } = await authenticate(strategy, Object.fromEntries(back.searchParams));
    expect(await isActive(user?.accessToken ?? '', client)).toBe(true);
    expect(await isActive(user?.refreshToken ?? '', client)).toBe(true);
  });
});

interface Outcome {
  redirect?: string;
  user?: { accessToken: string; refreshToken: string };
}

/** One request to the strategy, as passport makes it. */
function authenticate(strategy: object, query: Readonly<Record<string, string>>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const attempt = Object.assign(Object.create(strategy), {
      redirect: (redirect: string) => resolve({ redirect }),
      success: (user: Outcome['user']) => resolve(user ? { user } : {}),
      fail: (challenge: unknown) => reject(new Error(`refused: ${JSON.stringify(challenge)}`)),
      error: reject,
    });
    attempt.authenticate({ query, headers: {}, connection: {} }, {});
  });
}
