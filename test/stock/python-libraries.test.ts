import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { type BlockValues, documentedBlock } from './documented-block.ts';
import { PYTHON_TALK } from './python-talk.ts';
import { useReleasedService } from './released-service.ts';
import { runScript } from './run-script.ts';
import { atTimeOf, temporaryFolder } from './start-program.ts';

const sub = expect.stringMatching(/^usr_/);

describeInLongRunsWith('requestsOauthlib', 'requests-oauthlib, with its defaults', (python) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  it('[outside2 25] signs a person in, refreshes, and asks userinfo: requests-oauthlib', async () => {
    const replacing = { 'https://app.example.com/callback': callback };
    const client = await addClient({ requiresPkce: false });
    const file = join(temporaryFolder(), 'block.py');
    writeFileSync(file, documentedBlock('python', 'requests-oauthlib', { ...client, replacing }) + LINES);
    // Plain HTTP is for tests only.
    const env = { OAUTHLIB_INSECURE_TRANSPORT: '1', ...atTimeOf(service) };
    const told = await runScript({ path: python, args: [file], env, comeBack });
    expect(told).toEqual([['access_token', true], expect.objectContaining({ sub }), true]);
  });

  const LINES = `
${PYTHON_TALK}
address, state = session.authorization_url(authorization_url)
tokens = session.fetch_token(token_url, authorization_response=open(address), auth=auth)
tell(['access_token', 'id_token' in tokens])
tell(session.get(token_url.replace('token', 'userinfo')).json())
renewed = session.refresh_token(token_url, auth=auth)
tell(renewed['access_token'] != tokens['access_token'])
`;
});

describeInLongRunsWith('socialCore', 'social-core, with its defaults', (python) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  it.each(['ES256', 'RS256'] as const)(
    '[outside2 25] signs a person in, with an id_token of %s: social-core',
    async (idTokenAlgorithm) => {
      const client = await addClient({ requiresPkce: false, idTokenAlgorithm });
      const file = join(temporaryFolder(), 'block.py');
      writeFileSync(file, documentedBlock('python', 'social-core', client) + linesOf(client));
      const told = await runScript({ path: python, args: [file], env: atTimeOf(service), comeBack });
      const [claims] = told as [{ email: string }];
      expect(claims).toMatchObject({ sub, name: 'Ada', email: expect.stringContaining('@') });
    },
  );

  /** What a framework does for it: keeps the session, the settings and the nonce. */
  const linesOf = ({ clientId, clientSecret }: BlockValues) => `
${PYTHON_TALK}
from urllib.parse import parse_qsl, urlsplit
from social_core.storage import BaseStorage
from social_core.strategy import BaseStrategy

nonces = {}

class Association:
    @classmethod
    def store(cls, server_url, association):
        association.id = association.handle
        nonces[association.handle] = association

    @classmethod
    def get(cls, handle=None, **more):
        return [nonces[handle]] if handle in nonces else []

    @classmethod
    def remove(cls, ids):
        nonces.clear()

class Storage(BaseStorage):
    association = Association

class Strategy(BaseStrategy):
    settings = {'SOCIAL_AUTH_DATELINE_KEY': '${clientId}', 'SOCIAL_AUTH_DATELINE_SECRET': '${clientSecret}'}
    kept = {}
    sent = {}

    def get_setting(self, name): return self.settings[name]
    def request_data(self, merge=True): return self.sent
    def request_host(self): return 'app.test'
    def build_absolute_uri(self, path=None): return path
    def session_get(self, name, default=None): return self.kept.get(name, default)
    def session_set(self, name, value): self.kept[name] = value
    def session_pop(self, name): return self.kept.pop(name, None)

strategy = Strategy(Storage)
backend = DatelineOpenIdConnect(strategy, redirect_uri='${callback}')
strategy.sent = dict(parse_qsl(urlsplit(open(backend.auth_url())).query))
backend = DatelineOpenIdConnect(strategy, redirect_uri='${callback}')
backend.data = strategy.sent
state = backend.validate_state()
tokens = backend.request_access_token(
    backend.access_token_url(),
    data=backend.auth_complete_params(state),
    headers=backend.auth_headers(),
    auth=backend.auth_complete_credentials(),
    method=backend.ACCESS_TOKEN_METHOD,
)
tell({**backend.id_token, **backend.user_data(tokens['access_token'])})
`;
});
