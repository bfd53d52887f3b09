import { describe, expect, it } from 'vitest';
import { InvalidClientError, InvalidRequestError, StorageUnavailableError } from '../../client/src/index.ts';
import { createIntrospectionCache } from '../../client/src/introspection-cache.ts';
import { anyEngine } from '../support/database/databases.ts';
import { type Scripted, type ScriptedCall, startScriptedApi } from '../support/http/scripted-api.ts';
import { type AnyClient, importClient } from '../support/oauth/clients.ts';
import { next, versionsBefore, versionsSince } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

const { Dateline } = await importClient(next);
const ONE = '/v1/oauth2/introspect';
const MANY = '/v1/oauth2/introspections';
const pathsOf = (calls: readonly ScriptedCall[]): string[] => calls.map(({ path }) => path);
const tokensIn = ({ path, body }: ScriptedCall): string[] =>
  path === MANY ? JSON.parse(body).tokens : [new URLSearchParams(body).get('token') ?? ''];
const named = (count: number): string[] => Array.from({ length: count }, (_none, index) => `t${index}`);

/** Says of each token what its name is, as if it were its subject. */
function answerByName(call: ScriptedCall): Scripted {
  const introspections = tokensIn(call).map((sub) => ({ active: true, sub }));
  return { body: call.path === MANY ? { introspections } : introspections[0] };
}

async function connect(answer: (call: ScriptedCall) => Scripted = answerByName) {
  const { baseUrl, calls } = await startScriptedApi(answer);
  const client: AnyClient = new Dateline({ baseUrl, clientId: 'cli_1', clientSecret: 'secret', retries: 0 });
  const ask = (token: string, options?: object) => client.oauth.introspect({ token }, options);
  return { calls, client, ask };
}

describe('introspections of the same turn', () => {
  it('travel in requests of up to 50 tokens, and each caller gets its own answer', async () => {
    const { calls, ask } = await connect();
    const answers = await Promise.all(named(120).map((token) => ask(token)));
    expect(answers.map(({ sub }) => sub)).toEqual(named(120));
    expect(calls.map((call) => tokensIn(call).length).sort()).toEqual([20, 50, 50]);
    expect(pathsOf(calls)).toEqual([MANY, MANY, MANY]);
  });

  it('that is a single one travels as it always has, and so does one with options of its own', async () => {
    const { calls, client, ask } = await connect();
    await ask('alone');
    await Promise.all([
      ...[ask('a'), ask('b'), ask('c', { timeoutMs: 9_000 }), ask('d', { headers: { 'x-mine': '1' } })],
      client.oauth.introspect({ token: 'e', token_type_hint: 'access_token' }),
    ]);
    expect(calls.map((call) => tokensIn(call).join(' ')).sort()).toEqual(['a b', 'alone', 'c', 'd', 'e']);
    expect(calls.find(({ headers }) => headers['x-mine'] === '1')?.path).toBe(ONE);
  });

  it('of later turns never join a request that was sent already', async () => {
    const { calls, ask } = await connect();
    const early = [ask('a'), ask('b')];
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await Promise.all([...early, ask('a'), ask('c')]);
    expect(calls.map((call) => tokensIn(call).join(' '))).toEqual(['a b', 'a c']);
  });

  it('are asked one by one when the service finds something wrong with one, so that it fails alone', async () => {
    const { ask } = await connect((call) =>
      tokensIn(call).includes('bad')
        ? { status: 400, body: { error: 'invalid_request' } }
        : answerByName(call),
    );
    const [good, bad, other] = await Promise.allSettled([ask('good'), ask('bad'), ask('other')]);
    expect([good, other]).toMatchObject([{ value: { sub: 'good' } }, { value: { sub: 'other' } }]);
    expect(bad).toMatchObject({ reason: expect.any(InvalidRequestError) });
  });

  it.each([
    [401, 'invalid_client', InvalidClientError],
    [503, 'storage_unavailable', StorageUnavailableError],
  ])('all get the error that is about no token of theirs: %i', async (status, error, errorClass) => {
    const { calls, ask } = await connect(() => ({ status, body: { error } }));
    const settled = await Promise.allSettled([ask('a'), ask('b')]);
    expect(settled).toMatchObject([{ reason: expect.any(errorClass) }, { reason: expect.any(errorClass) }]);
    expect(pathsOf(calls)).toEqual([MANY]);
  });

  it('are cancelled by their own signals: the request goes on while anyone waits for it', async () => {
    const { calls, ask } = await connect();
    const early = new AbortController();
    const late = new AbortController();
    const gone = ask('gone', { signal: early.signal });
    early.abort(new Error('not needed'));
    const leaves = ask('leaves', { signal: late.signal });
    const stays = ask('stays');
    const others = [ask('a'), ask('b')];
    setImmediate(() => late.abort(new Error('too late')));
    await expect(gone).rejects.toThrow('not needed');
    await expect(leaves).rejects.toThrow('too late');
    expect(await stays).toMatchObject({ sub: 'stays' });
    await Promise.all(others);
    expect(calls.map((call) => tokensIn(call).join(' '))).toEqual(['leaves stays a b']);
  });

  it('end their request when all are cancelled', async () => {
    let aborted: AbortSignal | null | undefined;
    const client: AnyClient = new Dateline({
      ...{ baseUrl: 'http://localhost', clientId: 'cli_1', clientSecret: 'secret' },
      fetch: (_url, { signal } = {}) => {
        aborted = signal;
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        );
      },
    });
    const signals = [new AbortController(), new AbortController()];
    const asked = signals.map(({ signal }) => client.oauth.introspect({ token: 'a' }, { signal }));
    const settled = Promise.allSettled(asked);
    await expect.poll(() => aborted).toBeDefined();
    signals[0]?.abort();
    expect(aborted?.aborted).toBe(false);
    signals[1]?.abort();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(aborted?.aborted).toBe(true);
  });

  it('of the cache share requests too', async () => {
    const { calls, ask } = await connect();
    const cache = createIntrospectionCache({ introspect: (token) => ask(token) });
    const answers = await Promise.all(named(40).map(cache.introspect));
    expect(answers).toMatchObject(named(40).map((sub) => ({ sub })));
    expect(calls.length).toBeLessThan(40);
  });
});

describe('introspections of the same turn by a running service', () => {
  const service = useTestService(anyEngine);

  async function connectTo(version: string) {
    const { client_id: clientId, client_secret: clientSecret } = service.quickstart.sandbox;
    const paths: string[] = [];
    const { Dateline: Client } = await importClient(version);
    const client: AnyClient = new Client({
      ...{ baseUrl: service.urls.sandbox, clientId, clientSecret },
      fetch: (url, init) => {
        paths.push(new URL(String(url)).pathname);
        return fetch(url, init);
      },
    });
    const issue = async (): Promise<string> =>
      (await client.oauth.token({ grant_type: 'client_credentials' })).access_token;
    return { client, paths, issue };
  }

  it.each(versionsSince('2027-01'))(
    'are answered as one by one in %s, also those that it refuses',
    async (version) => {
      const { client, paths, issue } = await connectTo(version);
      const [live, dead] = [await issue(), await issue()];
      await client.oauth.revoke({ token: dead });
      const tokens = [live, dead, 'unknown', '', live, 'x'.repeat(300_000)];
      const oneByOne = [];
      for (const token of tokens)
        oneByOne.push(...(await Promise.allSettled([client.oauth.introspect({ token })])));
      paths.length = 0;
      const together = await Promise.allSettled(tokens.map((token) => client.oauth.introspect({ token })));
      expect(together.map(withoutRequestId)).toEqual(oneByOne.map(withoutRequestId));
      expect(together.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(2);
      expect(paths).toContain(MANY);
    },
  );

  it.each(versionsBefore('2027-01'))('travel one by one in %s, which knows no other way', async (version) => {
    const { client, paths, issue } = await connectTo(version);
    const token = await issue();
    paths.length = 0;
    const answers = await Promise.all([1, 2].map(() => client.oauth.introspect({ token })));
    expect(answers).toMatchObject([{ active: true }, { active: true }]);
    expect(paths).toEqual([ONE, ONE]);
  });
});

function withoutRequestId(settled: PromiseSettledResult<unknown>): unknown {
  if (settled.status === 'fulfilled') return settled.value;
  const { code, status, message, body } = settled.reason;
  return { code, status, message, body };
}
