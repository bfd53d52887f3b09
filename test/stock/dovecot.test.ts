import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { freePort } from '../support/database/postgres-server.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { startServer, temporaryFolder } from './start-program.ts';

describeInLongRunsWith('dovecot', 'Dovecot, by userinfo', (dovecot) => {
  const { service } = useReleasedService();
  const { addUser, addClient, obtainTokens } = authorization(service);

  it('[outside2 25] lets a person in with a live token of their own address, and not once it is revoked: Dovecot', async () => {
    const { email } = await addUser();
    const client = await addClient();
    const { body } = await obtainTokens(client, email, { scope: 'openid email' });
    const port = await startDovecot();

    expect(await signIn(port, email, body.access_token)).toMatch(/^a OK/);
    expect(await signIn(port, 'somebody@example.com', body.access_token)).toMatch(/^a NO/);
    const revoked = await service.call('sandbox', '/v1/oauth2/revoke', {
      method: 'POST',
      body: new URLSearchParams({ ...client.credentials, token: body.access_token }),
    });
    expect(revoked.status).toBe(200);
    expect(await signIn(port, email, body.access_token)).toMatch(/^a NO/);
  });

  /** Dovecot with a folder of its own; answers with its port for IMAP. */
  async function startDovecot(): Promise<number> {
    const port = await freePort();
    const folder = temporaryFolder();
    const values = { url: service.urls.sandbox, clientId: '', clientSecret: '' };
    const oauthFile = join(folder, 'oauth2.conf.ext');
    writeFileSync(oauthFile, documentedBlock('conf', 'Dovecot', values));
    const replacing = { '/etc/dovecot/dovecot-oauth2.conf.ext': oauthFile };
    const passdb = documentedBlock('conf', "Dovecot's passdb", { ...values, replacing });
    mkdirSync(join(folder, 'mail'));
    chmodSync(join(folder, 'mail'), 0o777);
    const file = join(folder, 'dovecot.conf');
    writeFileSync(file, `${passdb}\n${settings(folder, port)}`);
    await startServer({ path: dovecot, args: ['-F', '-c', file], port });
    return port;
  }
});

/** What is the operator's business, and the same for every way to sign in. */
function settings(folder: string, port: number): string {
  const { uid, username } = userInfo();
  // Root gives up its rights to users that Debian's package has made; whoever else starts it has only one.
  const users = `default_internal_user = ${username}\ndefault_login_user = ${username}`;
  return `
${uid === 0 ? '' : users}
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${folder}/mail/%u
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${folder}/mail
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
}
`;
}

/** The line that answers to AUTHENTICATE OAUTHBEARER (RFC 7628). */
async function signIn(port: number, email: string, token: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const initial = `n,a=${email},\u0001auth=Bearer ${token}\u0001\u0001`;
  socket.write(`a AUTHENTICATE OAUTHBEARER ${Buffer.from(initial).toString('base64')}\r\n`);
  for await (const line of createInterface(socket)) {
    // A refusal is told as a challenge, which the client acknowledges.
    if (line.startsWith('+')) socket.write(`${Buffer.from('\u0001').toString('base64')}\r\n`);
    if (!line.startsWith('a ')) continue;
    socket.destroy();
    return line;
  }
  throw new Error('Dovecot closed the connection without an answer');
}
