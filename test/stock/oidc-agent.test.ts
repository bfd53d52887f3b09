import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/database/postgres-server.ts';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { documentedBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { temporaryFolder } from './start-program.ts';

describeInLongRunsWith('oidcAgent', 'oidc-agent, as it registers itself', () => {
  const { service, comeBack, isActive } = useReleasedService();

  it('signs a person in, gives and renews tokens, and revokes when it is to forget them', async () => {
    const replacing = {
      '--port=4242': `--port=${await freePort()}`,
      // Nobody answers its questions, and no browser is opened.
      'oidc-gen dateline': 'oidc-gen dateline --no-url-call --prompt=none --pw-env',
    };
    const values = { url: service.urls.sandbox, clientId: '', clientSecret: '', replacing };
    const shell = startShell(documentedBlock('sh', 'oidc-agent', values), FURTHER);

    const [, address = ''] = await shell.printed(/^(http\S+\/authorize\?\S+)\n/m);
    expect((await fetch(await comeBack(address))).status).toBe(200);
    const [, first = '', renewed = '', account = ''] = await shell.printed(
      /^(dl_\S+)\n(dl_\S+)\n(\{.*\})\n/m,
    );
    const { client_id: clientId, client_secret: clientSecret, refresh_token } = JSON.parse(account);
    const active = () =>
      Promise.all(
        [first, renewed, refresh_token].map((value) => isActive(value, { clientId, clientSecret })),
      );
    expect(new Set([first, renewed, refresh_token]).size).toBe(3);
    expect(await active()).toEqual([true, true, true]);
    expect(await shell.goOn(), shell.said()).toBe(0);
    expect(await active()).toEqual([false, false, false]);
  });
});

/** After the block: a token anew, what is stored, and, when the test has seen it, that it is to be forgotten. */
const FURTHER = `
oidc-token dateline --force-new
echo $(oidc-gen --print dateline --pw-env)
read -r
oidc-gen --delete dateline --pw-env --confirm-yes
`;

/** A shell with a home of its own. The agent that it starts ends with the test. */
function startShell(block: string, further: string) {
  const home = temporaryFolder();
  const child = spawn('bash', ['-ec', block + further], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, OIDC_ENCRYPTION_PW: 'of a test' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const ended = once(child, 'close');
  onTestFinished(() => {
    child.kill();
    const [, agent] = /^Agent pid (\d+)$/m.exec(said) ?? [];
    if (agent !== undefined) process.kill(Number(agent));
  });
  return {
    said: () => said,
    printed: (pattern: RegExp) =>
      vi.waitFor(
        () => {
          const found = pattern.exec(said);
          if (!found) throw new Error(`not said yet: ${pattern}, but\n${said}`);
          return found;
        },
        { timeout: 60_000 },
      ),
    /** Answers what the shell waits for; its exit code. */
    async goOn(): Promise<number> {
      child.stdin.end('\n');
      return (await ended)[0];
    },
  };
}
