import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { runScript } from './run-script.ts';
import { atTimeOf, temporaryFolder } from './start-program.ts';

/** How the Ruby lines of a test speak with it: see `runScript`. */
const TALK = `
require 'json'
$stdout.sync = true

def tell(it)
  puts JSON.generate(tell: it)
end

def open_address(address)
  puts JSON.generate(open: address)
  $stdin.gets.strip
end
`;

describeInLongRunsWith('rubyOauth2', 'ruby-oauth2, with its defaults', (ruby) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  async function run(lines: string, requiresPkce: boolean): Promise<unknown[]> {
    const file = join(temporaryFolder(), 'block.rb');
    const block = documentedBlock('ruby', 'ruby-oauth2', await addClient({ requiresPkce }));
    writeFileSync(file, [block, TALK, lines].join('\n'));
    return runScript({ path: ruby, args: [file], env: atTimeOf(service), comeBack });
  }

  it('[outside2 25] gets a token for a client itself: ruby-oauth2', async () => {
    const told = await run(
      `
token = CLIENT.client_credentials.get_token(scope: 'products:read')
tell(token.get('/v1/products/').status)
`,
      true,
    );
    expect(told).toEqual([200]);
  });

  it.each([false, true])('[outside2 25] signs a person in, PKCE %s: ruby-oauth2', async (pkce) => {
    const told = await run(
      `
require 'digest'
require 'base64'
require 'securerandom'
verifier = SecureRandom.urlsafe_base64(48)
challenge = Base64.urlsafe_encode64(Digest::SHA256.digest(verifier), padding: false)
sent = ${pkce ? "{ code_challenge: challenge, code_challenge_method: 'S256' }" : '{}'}
kept = ${pkce ? '{ code_verifier: verifier }' : '{}'}
asked = { redirect_uri: '${callback}', scope: 'openid products:read', state: 'kept' }
back = open_address(CLIENT.auth_code.authorize_url(asked.merge(sent)))
code = back[/code=([^&]+)/, 1]
token = CLIENT.auth_code.get_token(code, { redirect_uri: '${callback}' }.merge(kept))
tell(token.get('/v1/oauth2/userinfo').parsed)
renewed = token.refresh!
tell(renewed.token != token.token)
`,
      pkce,
    );
    expect(told).toEqual([expect.objectContaining({ sub: expect.stringMatching(/^usr_/) }), true]);
  });
});

describeInLongRunsWith('omniauth', 'omniauth_openid_connect, with its defaults', (ruby) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  it.each(['ES256', 'RS256'] as const)(
    '[outside2 25] signs a person in, with an id_token of %s: omniauth_openid_connect',
    async (idTokenAlgorithm) => {
      const replacing = { 'https://app.example.com/auth/dateline/callback': callback };
      const client = await addClient({ requiresPkce: false, idTokenAlgorithm });
      const file = join(temporaryFolder(), 'block.rb');
      const block = documentedBlock('ruby', 'omniauth_openid_connect', { ...client, replacing });
      writeFileSync(file, [block, TALK, RACK].join('\n'));
      const [told] = await runScript({ path: ruby, args: [file], env: atTimeOf(service), comeBack });
      expect(told).toMatchObject({
        provider: 'dateline',
        uid: expect.stringMatching(/^usr_/),
        info: { name: 'Ada', email: expect.stringContaining('@') },
      });
    },
  );

  /** A Rack application without a server: two requests with one cookie. */
  const RACK = `
require 'rack'
# Plain HTTP is for tests only; the form's token is Rails' business.
SWD.url_builder = URI::HTTP
OmniAuth.config.request_validation_phase = nil
OmniAuth.config.logger = Logger.new($stderr)
app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'x' * 64
  use(OmniAuth::Builder) { provider :openid_connect, SIGN_IN }
  run ->(env) { [200, {}, [env['omniauth.auth'] ? env['omniauth.auth'].to_json : env['omniauth.error'].inspect]] }
end.to_app
browser = Rack::MockRequest.new(app)
start = browser.post('https://app.test/auth/dateline')
cookie = start['set-cookie'].split(';').first
back = URI(open_address(start['location']))
tell(JSON.parse(browser.get("https://app.test/auth/dateline/callback?#{back.query}", 'HTTP_COOKIE' => cookie).body))
`;
});
