import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { type BlockValues, documentedBlock } from './documented-block.ts';
import { PYTHON_TALK } from './python-talk.ts';
import { useReleasedService } from './released-service.ts';
import { runScript } from './run-script.ts';
import { atTimeOf, temporaryFolder } from './start-program.ts';

describeInLongRunsWith('authlib', 'authlib, with its defaults', (python) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  /** Runs the block, and then lines that use it; returns what they tell. */
  async function run(values: BlockValues, lines: string): Promise<unknown[]> {
    const replacing = { 'https://app.example.com/callback': callback };
    const file = join(temporaryFolder(), 'block.py');
    writeFileSync(
      file,
      [documentedBlock('python', 'authlib', { ...values, replacing }), PYTHON_TALK, lines].join('\n'),
    );
    // Plain HTTP is for tests only.
    const env = { AUTHLIB_INSECURE_TRANSPORT: '1', ...atTimeOf(service) };
    return runScript({ path: python, args: [file], env, comeBack });
  }

  it('gets a token for a client itself, introspects and revokes it', async () => {
    const told = await run(
      await addClient(),
      `
token = client.fetch_token(server['token_endpoint'], grant_type='client_credentials', scope='products:read')
tell(client.introspect_token(server['introspection_endpoint'], token['access_token']).json())
tell(client.revoke_token(server['revocation_endpoint'], token['access_token']).status_code)
tell(client.introspect_token(server['introspection_endpoint'], token['access_token']).json())
`,
    );
    expect(told).toEqual([
      expect.objectContaining({ active: true, scope: 'products:read' }),
      200,
      { active: false },
    ]);
  });

  it.each([
    { idTokenAlgorithm: 'ES256', requiresPkce: false, verifier: '{}' },
    {
      idTokenAlgorithm: 'RS256',
      requiresPkce: true,
      verifier: "{'code_verifier': secrets.token_urlsafe(48)}",
    },
  ] as const)(
    'signs a person in, refreshes and revokes: $idTokenAlgorithm, PKCE $requiresPkce',
    async ({ verifier, ...metadata }) => {
      const told = await run(
        await addClient(metadata),
        `
verifier = ${verifier}
address, state = client.create_authorization_url(server['authorization_endpoint'], **verifier)
tokens = client.fetch_token(server['token_endpoint'], authorization_response=open(address), state=state, **verifier)
claims = claims_of(tokens['id_token'])
tell({'alg': claims.header['alg'], 'name': claims['name'], 'sub': claims['sub']})
tell(client.get(server['userinfo_endpoint']).json())
tokens = client.refresh_token(server['token_endpoint'])
introspect = lambda: client.introspect_token(server['introspection_endpoint'], tokens['access_token']).json()
tell(introspect())
tell(client.revoke_token(server['revocation_endpoint'], tokens['refresh_token']).status_code)
tell(introspect())
`,
      );
      const sub = expect.stringMatching(/^usr_/);
      expect(told).toEqual([
        { alg: metadata.idTokenAlgorithm, name: 'Ada', sub },
        expect.objectContaining({ name: 'Ada', sub }),
        expect.objectContaining({ active: true, sub }),
        200,
        { active: false },
      ]);
    },
  );
});
