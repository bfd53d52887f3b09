import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import {
  afterNext,
  current,
  deprecated,
  homeTime,
  next,
  releaseAt,
} from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('dateline usage', () => {
  const service = useTestService(anyEngine);

  const cli = (...args: string[]) => runCommandLine(args, operatorSettings(service));
  const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).out);

  async function list(version?: string): Promise<void> {
    const headers = {
      authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
      ...(version === undefined ? {} : { 'service-version': version }),
    };
    expect((await service.call('sandbox', '/v1/products/', { headers })).status).toBe(200);
  }

  const intro = `The next release (${releaseAt.toISOString()}) removes ${deprecated} and makes ${next} the default.`;
  const nobody = `No client is at risk: in the last 30 days none named ${deprecated}, and none called the API without a version.`;

  it('explains what an empty list means', async () => {
    expect(await cli('usage', '--days', '7')).toEqual({
      code: 0,
      out: 'No requests were counted in the last 7 days. Only the versioned API (/v1/…) is counted, and refused versions.\n',
      err: '',
    });
  });

  it('[outside 24] says of an empty system that nothing is known, not that all clients named a version', async () => {
    const nothing = 'No requests were counted in the last 30 days, so nothing is known of any client.';
    expect(await cli('usage', '--at-risk')).toEqual({ code: 0, out: `${intro}\n${nothing}\n`, err: '' });
    expect((await cli('release', 'plan')).out).toContain(nothing);
    await list(current);
    expect((await cli('usage', '--at-risk')).out).toBe(`${intro}\n${nobody}\n`);
    expect((await cli('release', 'plan')).out).toContain(nobody);
  });

  it('shows which client uses which version, and which ones break at the next release', async () => {
    for (const version of [deprecated, deprecated, undefined]) await list(version);
    const today = homeTime.slice(0, 10);
    const { client_id } = service.quickstart.sandbox;

    const table = (await cli('usage')).out.split('\n');
    expect(table[0]).toMatch(/^version +choice +client_id +client_name +requests +last_day$/);
    expect(table[1]).toMatch(new RegExp(`^${deprecated} +pinned +${client_id} +Demo client +2 +${today}$`));
    expect(table).toHaveLength(5);
    expect(await json('usage', '--version', current, '--by', 'choice,operation')).toEqual([
      { choice: 'defaulted', operation: 'products:list', requests: 1, last_day: today },
      { choice: 'pinned', operation: 'products:list', requests: 1, last_day: today },
    ]);
    expect(await json('usage', '--version', current, '--choice', 'rejected_unknown')).toEqual([]);
    expect(await json('usage', '--client', 'cli_nobody')).toEqual([]);
    expect(await json('usage', '--environment', 'production')).toEqual([]);

    const risk = (await cli('usage', '--at-risk')).out.split('\n');
    expect(risk[0]).toBe(intro);
    expect(risk[1]).toMatch(
      /^client_id +client_name +organization_name +at_risk_because +requests +calls +last_day$/,
    );
    expect(risk[2]).toMatch(
      new RegExp(`Demo organization +names ${deprecated}, which is removed +3 +products:list +${today}$`),
    );
    expect(risk).toHaveLength(4);
    expect(await json('usage', '--at-risk')).toMatchObject({
      removed_version: deprecated,
      items: [{ client_id, risk: 'version_removed', requests: 3, unpinned_requests: 1, last_day: today }],
    });
  });

  it('is part of the release plan: what changes, and which clients it affects', async () => {
    const { out } = await cli('release', 'plan');
    expect(out).toContain(
      [
        `${deprecated} (deprecated) is removed at the release`,
        `${current} (current) becomes Deprecated at the release`,
        `${next} (next) becomes Current at the release`,
        `${afterNext} (new) becomes Next at the release`,
        'The release breaks 1 client; 0 clients may break, by what they did in the last 30 days:',
        'client_id',
      ].join('\n'),
    );
    expect(out).toMatch(new RegExp(`Demo client .*names ${deprecated}, which is removed +3 `));
    expect(await json('release', 'plan')).toMatchObject({
      target: next,
      versions: [
        { version: deprecated, state: 'deprecated', becomes: 'removed' },
        { version: current, state: 'current', becomes: 'deprecated' },
        { version: next, state: 'next', becomes: 'current' },
        { version: afterNext, state: null, becomes: 'next' },
      ],
      clients_at_risk: [{ risk: 'version_removed' }],
      oauth_only: [],
    });
  });

  it('says how many clients break when a release is run', async () => {
    const running = cli('release', 'run', '--yes');
    const history = async () => (await service.operate('sandbox', '/operator/release/history')).text();
    await expect.poll(history).toContain(next);
    await expect
      .poll(async () => {
        service.clock.advanceSeconds(1);
        return (await service.call('sandbox', '/versions')).text();
      })
      .toContain(`"current":"${next}"`);
    const { code, out, err } = await running;
    expect(err.split('\n')[0]).toBe('The release breaks 1 client; 0 clients may break.');
    expect([code, out]).toEqual([0, expect.stringMatching(/^breaking_clients +1$/m)]);
  });

  it('[who broke 1] names the clients that the last release broke, and counts the requests of nobody known', async () => {
    const { client_id, access_token } = service.quickstart.sandbox;
    const intro = `${next} became Current at `;
    const before = (await cli('release', 'broken')).out.split('\n');
    expect(before[0]).toContain(intro);
    expect(before[1]).toBe(`No client that is known has asked for ${deprecated} since.`);
    for (const headers of [{ authorization: `Bearer ${access_token}` }, {}]) {
      const asked = { 'service-version': deprecated, ...headers };
      expect((await service.call('sandbox', '/v1/products/', { headers: asked })).status).toBe(404);
    }
    const [first, columns, row, unnamed, end, ...rest] = (await cli('release', 'broken')).out.split('\n');
    expect(first).toMatch(new RegExp(`^${intro}.* \\(rehearsal\\); ${deprecated} was removed\\.$`));
    expect(columns).toMatch(/^client_id +client_name +organization_name +requests +calls +last_at$/);
    expect(row).toMatch(new RegExp(`^${client_id} +Demo client +Demo organization +1 +products:list +2`));
    expect(unnamed).toBe(`1 more request for ${deprecated} was refused; whose it was is not known.`);
    expect([end, rest]).toEqual(['', []]);
    expect(await json('release', 'broken')).toMatchObject({ items: [{ client_id }], unnamed_requests: 1 });
  });

  it.each([
    [['--days', '0'], '--days must be a whole number from 1 to 400.'],
    [['--at-risk', '--client', 'cli_x'], '--at-risk does not go with --client.'],
  ])('refuses %j', async (args, sentence) => {
    expect(await cli('usage', ...args)).toEqual({ code: 2, out: '', err: `dateline: ${sentence}\n` });
  });

  it('prints the refusal of the service', async () => {
    const { code, err } = await cli('usage', '--by', 'colour');
    expect(code).toBe(1);
    expect(err).toMatch(/^dateline: group must be one or more of day, version, .* \(422 validation_failed, /);
  });
});
