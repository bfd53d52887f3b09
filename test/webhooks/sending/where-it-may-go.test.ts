import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Dial } from '../../../src/webhooks/sending/connection.ts';
import { createLookup } from '../../../src/webhooks/sending/lookup.ts';
import { createAuthority } from '../../support/http/certificates.ts';
import { startNameServer, type Zone } from '../../support/http/name-server.ts';
import { startReceiver } from '../../support/webhooks/receivers.ts';
import { productionRules, startSender } from '../../support/webhooks/test-sender.ts';

const REFUSED = {
  status: null,
  answerText: null,
  retryAfter: null,
  answerHeaders: null,
  error: 'address_not_allowed',
  durationMs: expect.any(Number),
  stageTimes: expect.any(Object),
};
const PUBLIC = '93.184.215.14';

/** A sender by the rules of production that records where it would have connected, and connects to nothing. */
function startWatchedSender(zone: Zone) {
  const dialed: string[] = [];
  const dial: Dial = (addresses) => {
    dialed.push(...addresses);
    throw new Error('a test connects to nothing');
  };
  const lookup = async (name: string) => zone[name] ?? [];
  return { ...startSender({ rules: productionRules, dial, lookup }), dialed };
}

describe('a forbidden address', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '198.18.0.1',
    '255.255.255.255',
  ])('[webhooks 17] is not connected to at dispatch: %s, literally and by name', async (address) => {
    const { send, dialed } = startWatchedSender({ 'hooks.example.com': [address] });
    expect(await send(`https://${address}/`)).toEqual(REFUSED);
    expect(await send('https://hooks.example.com/')).toEqual(REFUSED);
    expect(dialed).toEqual([]);
  });

  it.each([
    '::1',
    'fd00:ec2::254',
    'fe80::1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '5f00::1',
  ])('[webhooks 18] is not connected to at dispatch: %s, literally and by name', async (address) => {
    const { send, dialed } = startWatchedSender({ 'hooks.example.com': [address] });
    expect(await send(`https://[${address}]/`)).toEqual(REFUSED);
    expect(await send('https://hooks.example.com/')).toEqual(REFUSED);
    expect(dialed).toEqual([]);
  });

  it.each([
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127.0.0.1./',
  ])('[webhooks 19] is not connected to at dispatch, however it is written: %s', async (url) => {
    const { send, dialed } = startWatchedSender({});
    expect(await send(url)).toEqual(REFUSED);
    expect(dialed).toEqual([]);
  });

  it.each([
    ['private', { 'hooks.example.com': ['10.0.0.1'] }],
    ['private, IPv6', { 'hooks.example.com': ['fd00::1'] }],
    ['public and private', { 'hooks.example.com': [PUBLIC, '10.0.0.1'] }],
    ['private and public', { 'hooks.example.com': ['10.0.0.1', PUBLIC] }],
    ['public, and private in the other family', { 'hooks.example.com': [PUBLIC, 'fd00::1'] }],
    [
      'many public ones and the last is private',
      { 'hooks.example.com': [...new Array(19).fill(PUBLIC), '10.0.0.1'] },
    ],
    [
      'another name, which is private',
      { 'hooks.example.com': ['db.example.net'], 'db.example.net': ['10.0.0.1'] },
    ],
  ])('[webhooks 20] is detected in the answer of a real name server: %s', async (_what, zone) => {
    const nameServer = await startNameServer(zone);
    const dialed: string[] = [];
    const { send } = startSender({
      rules: productionRules,
      lookup: createLookup({ servers: [nameServer.address] }),
      dial: (addresses) => {
        dialed.push(...addresses);
        throw new Error('a test connects to nothing');
      },
    });
    expect(await send('https://hooks.example.com/')).toEqual(REFUSED);
    expect(dialed).toEqual([]);
    expect(nameServer.questions).toHaveLength(2);
  });

  it('[webhooks 20] is detected on the socket if it differs from the resolved one, before a byte is sent', async () => {
    const authority = createAuthority();
    const inner = await startReceiver({ certificate: authority.issue({ name: 'hooks.example.com' }) });
    const asked: string[] = [];
    const { send } = startSender({
      rules: productionRules,
      ca: authority.cert,
      lookup: async () => [PUBLIC],
      dial: (addresses) => {
        asked.push(...addresses);
        return connect(inner.port, '127.0.0.1');
      },
    });
    expect(await send('https://hooks.example.com/')).toEqual(REFUSED);
    await expect.poll(() => inner.open()).toBe(0);
    expect({ asked, connections: inner.connections, bytes: inner.bytesReceived() }).toEqual({
      asked: [PUBLIC],
      connections: 1,
      bytes: 0,
    });
  });

  it('[webhooks 20] cannot be slipped in between check and connection: the name is resolved once', async () => {
    const receiver = await startReceiver();
    // Allowed when it is checked; a second query resolves to the inside. Here the inside is all but this machine.
    const nameServer = await startNameServer({ 'hooks.example.com': ['127.0.0.1'] });
    const lookup = createLookup({ servers: [nameServer.address], rememberMs: 0 });
    const answers: (readonly string[])[] = [];
    const { send } = startSender({
      lookup: async (name) => {
        const addresses = await lookup(name);
        answers.push(addresses);
        nameServer.zone = { 'hooks.example.com': ['10.0.0.1'] };
        return addresses;
      },
    });
    const url = `http://hooks.example.com:${receiver.port}/`;
    expect(await send(url)).toMatchObject({ status: 200, error: null });
    expect(answers).toEqual([['127.0.0.1']]);
    await expect.poll(async () => (await lookup('hooks.example.com'))[0]).toBe('10.0.0.1');
    expect(await send(url)).toEqual(REFUSED);
    expect(receiver.requests).toHaveLength(1);
  });

  it('[webhooks 24] has one outcome, the same for all, which reveals nothing of what is there', async () => {
    const inner = await startReceiver({ answer: (_request, response) => response.end('inner secret') });
    const outcomes = new Set<string>();
    for (const addresses of [['127.0.0.1'], ['10.0.0.1'], [PUBLIC, 'fd00::1']]) {
      const { send } = startSender({
        rules: productionRules,
        lookup: async () => addresses,
        dial: () => connect(inner.port, '127.0.0.1'),
      });
      const { durationMs, stageTimes, ...outcome } = await send('https://hooks.example.com/');
      outcomes.add(JSON.stringify(outcome));
    }
    expect([...outcomes]).toEqual([
      JSON.stringify({
        status: null,
        answerText: null,
        retryAfter: null,
        answerHeaders: null,
        error: 'address_not_allowed',
      }),
    ]);
    expect(inner.requests).toEqual([]);
  });
});

describe('a kept-alive connection', () => {
  it('[webhooks 21] is not reused when the name resolves to the inside now', async () => {
    const receiver = await startReceiver();
    let addresses = ['127.0.0.1'];
    const { send } = startSender({ lookup: async () => addresses });
    const url = `http://hooks.example.com:${receiver.port}/`;
    expect(await send(url)).toMatchObject({ status: 200 });
    expect(receiver.open()).toBe(1);
    addresses = ['10.0.0.1'];
    expect(await send(url)).toEqual(REFUSED);
    addresses = ['127.0.0.1', '10.0.0.1'];
    expect(await send(url)).toEqual(REFUSED);
    expect([receiver.requests.length, receiver.connections]).toEqual([1, 1]);
    addresses = ['127.0.0.1'];
    expect(await send(url)).toMatchObject({ status: 200 });
    expect([receiver.requests.length, receiver.connections]).toEqual([2, 1]);
  });

  it('[webhooks 21] is not reused when the name resolves to another receiver now', async () => {
    const before = await startReceiver();
    const after = await startReceiver({ host: '127.0.0.2', port: before.port });
    let addresses = ['127.0.0.1'];
    const { send } = startSender({ lookup: async () => addresses });
    const url = `http://hooks.example.com:${before.port}/`;
    await send(url);
    addresses = ['127.0.0.2'];
    await send(url);
    await send(url);
    expect([before.requests.length, after.requests.length, after.connections]).toEqual([1, 2, 1]);
  });

  it('[webhooks 21] to an address is not reused for a name, nor the other way round', async () => {
    const receiver = await startReceiver();
    const { send } = startSender();
    await send(`http://127.0.0.1:${receiver.port}/`);
    await send(`http://hooks.example.com:${receiver.port}/`);
    expect([receiver.requests.length, receiver.connections]).toEqual([2, 2]);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    '[webhooks 22] with status %i is a failure, and is not followed',
    async (status) => {
      const target = await startReceiver();
      for (const location of [
        `http://127.0.0.1:${target.port}/`,
        'http://169.254.169.254/latest/meta-data/',
      ]) {
        const receiver = await startReceiver({
          answer: (_request, response) => response.writeHead(status, { location }).end('moved'),
        });
        const { send } = startSender();
        // The headers are for operators; integrators see the rest.
        const { answerHeaders, ...outcome } = await send(`http://127.0.0.1:${receiver.port}/`);
        expect(outcome).toMatchObject({ status, error: 'redirect', answerText: 'moved' });
        expect(answerHeaders).toMatchObject({ location });
        expect(JSON.stringify(outcome)).not.toContain(location);
        expect(receiver.requests).toHaveLength(1);
      }
      expect([target.connections, target.bytesReceived()]).toEqual([0, 0]);
    },
  );
});
