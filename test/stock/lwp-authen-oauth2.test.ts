import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { runScript } from './run-script.ts';
import { atTimeOf, temporaryFolder } from './start-program.ts';

describeInLongRunsWith('lwpOauth2', 'LWP::Authen::OAuth2, with its defaults', (perl) => {
  const { service, addClient, comeBack, callback } = useReleasedService();

  it('[outside2 25] signs a person in, and refreshes: LWP::Authen::OAuth2', async () => {
    const replacing = { 'https://app.example.com/callback': callback };
    const client = await addClient({ requiresPkce: false });
    const block = documentedBlock('perl', 'LWP::Authen::OAuth2', { ...client, replacing });
    const file = join(temporaryFolder(), 'block.pl');
    writeFileSync(file, block + LINES);
    const env = { ...atTimeOf(service), USERINFO: `${client.url}/v1/oauth2/userinfo` };
    const told = await runScript({ path: perl, args: [file], env, comeBack });
    expect(told).toEqual([expect.objectContaining({ sub: expect.stringMatching(/^usr_/) }), 200]);
  });
});

const LINES = `
use JSON;
$| = 1;
sub tell_test { print encode_json({tell => $_[0]}), "\\n" }

print encode_json({open => "" . $oauth2->authorization_url(state => 'kept')}), "\\n";
my ($code) = scalar(<STDIN>) =~ /[?&]code=([^&\\s]+)/;
$oauth2->request_tokens(code => $code);
tell_test(decode_json($oauth2->get($ENV{USERINFO})->content));
$oauth2->refresh_access_token();
tell_test($oauth2->get($ENV{USERINFO})->code + 0);
`;
