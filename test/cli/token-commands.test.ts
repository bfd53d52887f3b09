import { describe, expect, it } from 'vitest';
import { readTokens } from '../../src/cli/input/read-tokens.ts';
import { anyEngine } from '../support/database/databases.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('commands about tokens', () => {
  const service = useTestService(anyEngine);
  const cli = (...args: string[]) => runCommandLine(args, operatorSettings(service));
  const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).out);

  it('explain no token that is on the command line', async () => {
    const token = service.quickstart.sandbox.access_token;
    const { code, err } = await cli('token', 'explain', '--token', token);
    expect([code, err]).toEqual([
      2,
      'dateline: --token takes only "-": a token on the command line can be read by every user of the machine.\n',
    ]);
    expect((await cli('token', 'explain')).err).toContain('Give a <token-id>, or --token -');
  });

  it('count, revoke and explain by id, each with an audit entry', async () => {
    const { client_id: client, access_token: token } = service.quickstart.sandbox;
    const response = await service.operate('sandbox', '/operator/tokens/explain', {
      method: 'POST',
      body: { token },
    });
    const { id } = ((await response.json()) as { token: { id: string } }).token;
    const selected = ['--client', client, '--reason', 'lost'];
    expect(await json('token', 'revoke', ...selected, '--dry-run')).toEqual({
      dry_run: true,
      grants: 1,
      tokens: 2,
    });
    expect(await json('token', 'explain', id)).toMatchObject({ state: 'active' });
    expect((await cli('token', 'revoke', ...selected)).out).toBe('dry_run  false\ngrants   1\ntokens   2\n');
    expect(await json('token', 'explain', id)).toMatchObject({ state: 'grant_revoked', reason: 'lost' });
    expect((await cli('token', 'explain', id)).out).toMatch(/^Its grant was revoked at .*: lost\.\n/);
    const entries = await json('audit', 'list', '--client', client);
    expect(entries.map(({ action }: { action: string }) => action).sort()).toEqual([
      'grant.revoked',
      'tokens.revoked',
    ]);
    const ofGrants = ['--client', client, '--action', 'grant.revoked'];
    const table = (await cli('audit', 'list', ...ofGrants, '--limit', '1')).out;
    expect(table.split('\n')).toHaveLength(3);
    expect(table).toMatch(/operator quickstart \(opk_\w+\) +grant\.revoked .* lost$/m);
    const since = ['--since', '2026-01-01', '--until', '2026-01-02T00:00:00Z'];
    expect((await cli('audit', 'list', ...since)).out).toBe('No entries match.\n');
  });

  it.each([
    [
      ['token', 'revoke', '--issued-before', '2027-01-06T17:00:00Z'],
      'This revokes all tokens of the environment. Pass --yes to run it, or --dry-run to count them first.',
    ],
    [
      ['token', 'revoke'],
      'Name the tokens: a <token-id>, --subject, --client, --organization or --issued-before.',
    ],
    [
      ['token', 'revoke', '--issued-before', 'then'],
      '--issued-before must be a time, such as 2027-01-06T17:00:00Z.',
    ],
    [['audit', 'list', '--limit', '0'], '--limit must be a whole number from 1 to 999999.'],
  ])('answer %j with one line', async (args, sentence) => {
    expect(await cli(...args)).toEqual({ code: 2, out: '', err: `dateline: ${sentence}\n` });
  });

  it('read tokens separated by white space', async () => {
    const stream = async function* (text: string) {
      yield text;
    };
    expect(await readTokens(stream(' one\ntwo\r\n\tthree '))).toEqual(['one', 'two', 'three']);
    await expect(readTokens(stream('\n'))).rejects.toThrow('No token came from standard input.');
  });
});
