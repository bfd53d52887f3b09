import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullMatrix } from '../support/database/databases.ts';
import { parcelsFolder } from '../support/folder/parcels-folder.ts';
import { writeFolder } from '../support/folder/test-folder.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';
import { runDateline } from '../support/service/spawn-dateline.ts';
import { type SpawnedDev, spawnDev, untilSo } from '../support/service/spawn-dev.ts';

const NEXT = 'contract/next.yaml';
const CHANGES = `contract/changes/${next}-to-${current}/index.mjs`;

/** Each is a second of work. */
const EDITS = isFullMatrix ? 10 : 3;

let folder: string;
let dev: SpawnedDev;

function edit(file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing was edited in ${file}`);
  // As most editors save.
  writeFileSync(`${path}~`, after);
  renameSync(`${path}~`, path);
}

interface Call extends RequestInit {
  version?: string;
}

function call(path: string, { version = next, headers, ...init }: Call = {}): Promise<Response> {
  return fetch(dev.url + path, {
    redirect: 'manual',
    ...init,
    headers: { 'service-version': version, ...headers },
  });
}

function send(body: Readonly<Record<string, unknown>>, version: string): Promise<Response> {
  const headers = { authorization: `Bearer ${dev.token}`, 'content-type': 'application/json' };
  return call('/parcels', { method: 'POST', version, headers, body: JSON.stringify(body) });
}

const count = (text: string, part: string): number => text.split(part).length - 1;

/** The number of edits that are served, and of those that were refused. */
const served = (): number => count(dev.stderr(), 'Served:');
const refused = (): number => count(dev.stderr(), 'Not served:');

async function afterEdit(counted: () => number, change: () => void): Promise<void> {
  const before = counted();
  change();
  await untilSo(() => counted() > before);
}

describe('dateline dev before an upstream', () => {
  const held: { request: IncomingMessage; response: ServerResponse }[] = [];
  let upstream: Server;

  const answer: RequestListener = async (request, response) => {
    if (request.url?.endsWith('/slow')) return void held.push({ request, response });
    const { grams = 250 } = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'par-7', grams, api_secret: 'of the upstream' }));
  };

  beforeAll(async () => {
    upstream = createServer(answer).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const sandbox = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    // A held call outlives the slowest edit of a busy machine.
    const parcels = { ...parcelsFolder(answer), settings: { timeoutSeconds: 200 } };
    folder = await writeFolder(parcels, { production: 'http://127.0.0.1:9', sandbox });
    dev = await spawnDev(folder, [], { DATELINE_REQUEST_SECONDS: '240' });
  });
  afterAll(async () => {
    await dev?.remove();
    upstream?.closeAllConnections();
    upstream?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('says where it listens, and what to try next', async () => {
    const [, line = ''] = /^ {2}curl -s (\S+)$/m.exec(dev.stdout()) ?? [];
    expect(line).toBe(`${dev.url}/parcels`);
    expect(dev.stdout()).not.toContain('ready production');
    expect((await fetch(`${dev.url}/readyz`)).status).toBe(200);
  });

  it('shows what each change did to a call, what went upstream, and no secret', async () => {
    const response = await send({ weight: 30, api_secret: 'of the caller' }, deprecated);
    expect([response.status, await response.json()]).toEqual([
      201,
      { id: 'par-7', weight: 30, api_secret: 'of the upstream' },
    ]);
    await untilSo(() => dev.stdout().includes('parcels:send'));
    const shown = dev.stdout().slice(dev.stdout().indexOf('201  POST /parcels'));
    expect(shown).toContain(`${deprecated} (Deprecated)  parcels:send`);
    expect(shown).toMatch(/^ {2}up {4}renameWeight: body\.weight → grams$/m);
    expect(shown).toMatch(
      /^ {2}ask {3}upstream POST http:\S+\/parcels \{"api_secret":"\(hidden\)","grams":30\}$/m,
    );
    expect(shown).toMatch(
      /^ {2}got {3}201 \{"id":"par-7","grams":30,"api_secret":"\(hidden\)"\} \(\d+ ms\)$/m,
    );
    expect(shown).toMatch(/^ {2}down {2}renameWeight: body\.grams → weight$/m);
    for (const secret of [...dev.secrets, 'of the caller', 'of the upstream'])
      expect(dev.stdout() + dev.stderr()).not.toContain(secret);
  });

  it('answers a request that is in flight by the API that it began with', async () => {
    const slow = call('/parcels/slow', { version: deprecated });
    await untilSo(() => held.length === 1);
    // From now on nothing of the older versions is translated.
    await afterEdit(served, () =>
      edit(CHANGES, (text) => text.replace('weight: grams }', 'weight: grams + 1 }')),
    );
    expect(await (await call('/parcels/par-7', { version: deprecated })).json()).toMatchObject({
      weight: 251,
    });
    held[0]?.response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'slow', grams: 40 }));
    expect(await (await slow).json()).toEqual({ id: 'slow', weight: 40 });
  });

  it('prints a wrong edit with file, line and frame, and goes on with the last good one', async () => {
    await afterEdit(refused, () => edit(NEXT, (text) => text.replace('example: par-1', 'minLenght: 1')));
    // Its lines come one after the other.
    await expect
      .poll(() => dev.stderr())
      .toMatch(/^contract\/next\.yaml:(\d+):\d+: .*minLenght.*\n(?:.*\n)*> \1 \|/m);
    expect((await call('/parcels/par-7')).status).toBe(200);
    const restored = (): number => count(dev.stderr(), 'again as it is served');
    await afterEdit(restored, () => edit(NEXT, (text) => text.replace('minLenght: 1', 'example: par-1')));
  });

  it('refuses what contract check proves wrong, and a frozen version that was edited by hand', async () => {
    await afterEdit(refused, () =>
      edit(CHANGES, (text) => text.replace('grams: weight }', 'gram: weight }')),
    );
    await expect.poll(() => dev.stderr()).toContain('correct upgradeRequest of renameWeight');
    await afterEdit(refused, () =>
      edit(`contract/frozen/${current}/contract.json`, (text) =>
        text.replace('"minimum": 1', '"minimum": 2'),
      ),
    );
    await expect.poll(() => dev.stderr()).toContain('contract/frozen');
    expect((await call('/parcels/par-7', { version: current })).status).toBe(200);
    edit(`contract/frozen/${current}/contract.json`, (text) => text.replace('"minimum": 2', '"minimum": 1'));
    edit(CHANGES, (text) => text.replace('gram: weight }', 'grams: weight }'));
    await untilSo(() => dev.stderr().trimEnd().endsWith('again as it is served.'));
  });

  it('serves documents, scopes and operations of the edit', async () => {
    await afterEdit(served, () => {
      edit(NEXT, (text) =>
        text.replace(
          '  /riddle:',
          '  /news:\n    get: { operationId: news:read, security: [{ token: ["news:read"] }], responses: { "204": { description: None. } } }\n  /riddle:',
        ),
      );
      edit('dateline.config.mjs', (text) =>
        text.replace('"parcels:send":', '"news:read": { consent: "Read news" }, "parcels:send":'),
      );
      edit(CHANGES, (text) => text.replace("'parcels:**'", "'parcels:**', 'news:read'"));
    });
    const document = await (await call(`/versions/${next}/openapi.json`)).json();
    expect(Object.keys(document.paths)).toContain('/news');
    expect((await call('/news', { headers: { authorization: `Bearer ${dev.token}` } })).status).toBe(403);
    await expect.poll(() => dev.stderr()).toContain('The demo client may use news:read');
    // A server that answers 200 breaks that contract: it is asked all the same.
    expect((await call('/news', { headers: { authorization: `Bearer ${dev.freshToken()}` } })).status).toBe(
      502,
    );
    expect((await call('/news', { version: current })).status).toBe(404);
  });

  it('loses no request over edits in a row, and none of the edits', async () => {
    const statuses: number[] = [];
    const callBoth = async (): Promise<void> => {
      const responses = await Promise.all(
        [deprecated, next].map((version) => call('/parcels/par-7', { version })),
      );
      for (const response of responses) {
        await response.arrayBuffer();
        statuses.push(response.status);
      }
    };
    for (let number = 1; number <= EDITS; number++) {
      const before = served();
      edit(NEXT, (text) => text.replace(/title: .*?,/, `title: Edit ${number},`));
      await untilSo(async () => {
        await callBoth();
        return served() > before;
      });
    }
    expect(statuses.length).toBeGreaterThan(EDITS);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const document = await (await call(`/versions/${next}/openapi.json`)).json();
    expect(document.info.title).toContain(`Edit ${EDITS}`);
  });

  it('goes on while the folder is away', async () => {
    await afterEdit(refused, () => renameSync(folder, `${folder}-away`));
    expect((await call('/parcels/par-7')).status).toBe(200);
    renameSync(`${folder}-away`, folder);
    await untilSo(() => dev.stderr().trimEnd().endsWith('again as it is served.'));
  });

  it('ends at a signal with exit code 0', async () => {
    dev.child.kill('SIGINT');
    expect(await dev.exit).toBe(0);
  });
});

describe('dateline dev --mock --quiet', () => {
  beforeAll(async () => {
    const nowhere = { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:8' };
    folder = await writeFolder(
      parcelsFolder(() => {}),
      nowhere,
    );
    dev = await spawnDev(folder, ['--mock', '--quiet']);
  });
  afterAll(async () => {
    await dev?.remove();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it.each(maintained)('answers each kind of operation within the contract of %s', async (version) => {
    const weight = version === next ? 'grams' : 'weight';
    expect(await (await call('/parcels/par-33', { version })).json()).toEqual({
      ...{ id: 'par-33', [weight]: 250, api_secret: 'hush' },
    });
    expect((await (await call('/parcels', { version })).json()).items[0]).toMatchObject({ [weight]: 250 });
    expect((await send({ [weight]: 7 }, version)).status).toBe(201);
    const label = await call('/parcels/par-33/label', { version });
    expect([label.headers.get('content-type'), await label.text()]).toEqual(['text/plain', 'To: Ada']);
    const picture = await call('/parcels/par-33/picture', { version });
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await call('/parcels/par-33', { version, method: 'HEAD' })).status).toBe(200);
    expect((await call('/parcels/par-33', { version, method: 'DELETE' })).status).toBe(204);
    const track = await call('/parcels/par-33/track', { version });
    expect([track.status, track.headers.get('location')]).toEqual([302, './']);
  });

  it('answers with another status that the caller prefers', async () => {
    const headers = { prefer: 'status=404' };
    const response = await call('/parcels/par-33', { headers });
    expect([response.status, await response.json()]).toEqual([404, { error: 'not_here' }]);
    expect((await call('/parcels/par-33', { headers: { prefer: 'status=418' } })).status).toBe(501);
  });

  it('says that there is no sample where none can be made', async () => {
    const response = await call('/riddle');
    expect(response.status).toBe(501);
    expect((await response.json()).detail).toContain('There is no mock answer of riddle:read');
  });

  it('shows each call in one line', async () => {
    await untilSo(() => dev.stdout().includes('riddle:read'));
    expect(dev.stdout()).toMatch(/^501 {2}GET \/riddle {2}.*mock_not_possible {2}\d+ ms$/m);
    expect(dev.stdout()).not.toMatch(/^ {2}(?:ask|got)/m);
  });

  it('says what to do where its port is taken, and where there is no folder', async () => {
    const env = { DATELINE_DATA_DIR: join(folder, '.data') };
    const taken = await runDateline(['dev', '--api', folder, '--port', new URL(dev.url).port], { env });
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('DATELINE_SANDBOX_PORT')]);
    const missing = await runDateline(['dev', '--api', join(folder, 'nowhere')], { env });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('dateline init')]);
  });
});
