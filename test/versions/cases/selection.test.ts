import { Agent, get } from 'node:http';
import { previousVersion, releaseInstant } from '@dateline/versions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEngine, isFullMatrix } from '../../support/database/databases.ts';
import { sendRaw } from '../../support/http/raw-http.ts';
import {
  afterNext,
  current,
  deprecated,
  gone,
  maintained,
  next,
  releaseAt,
  removed,
} from '../../support/service/build-versions.ts';
import { useTestService } from '../../support/service/test-service.ts';

describe('choosing a version', () => {
  const service = useTestService(anyEngine);
  const bearer = () => `Bearer ${service.quickstart.sandbox.access_token}`;
  const list = (headers: Record<string, string> = {}, path = '/v1/products/') =>
    service.call('sandbox', path, { headers: { authorization: bearer(), ...headers } });
  const version = (response: Response) => response.headers.get('service-version');

  /** A header value as it is, byte by byte, which `fetch` would not send. */
  async function listRaw(
    ...headerLines: string[]
  ): Promise<{ status: number; version: string | undefined; body: string }> {
    const lines = headerLines.map((line) => `${line}\r\n`).join('');
    const answer = await sendRaw(
      service.urls.sandbox,
      `GET /v1/products/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer()}\r\nConnection: close\r\n${lines}\r\n`,
    );
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
    return { status: Number(status), version: /^service-version: (.*)$/im.exec(head)?.[1], body };
  }

  it('[versions 1] serves Current without a header', async () => {
    const response = await list();
    expect([response.status, version(response)]).toEqual([200, current]);
  });

  it('[versions 2] serves Current when it is named', async () => {
    const response = await list({ 'service-version': current });
    expect([response.status, version(response), response.headers.get('deprecation')]).toEqual([
      200,
      current,
      null,
    ]);
  });

  it('[versions 3] serves Deprecated with Deprecation, Sunset and Link headers', async () => {
    const response = await list({ 'service-version': deprecated });
    expect([response.status, version(response)]).toEqual([200, deprecated]);
    expect(response.headers.get('deprecation')).toBe(`@${releaseInstant(current).getTime() / 1000}`);
    expect(response.headers.get('sunset')).toBe(releaseAt.toUTCString());
    const links = response.headers.get('link') ?? '';
    const addresses = [...links.matchAll(/<([^>]+)>/g)].map(([, address]) => address as string);
    expect(addresses).toHaveLength(2);
    for (const address of addresses) expect((await service.call('sandbox', address)).status).toBe(200);
  });

  it('[versions 4] serves Next without deprecation headers', async () => {
    const response = await list({ 'service-version': next });
    expect([response.status, version(response), response.headers.get('deprecation')]).toEqual([
      200,
      next,
      null,
    ]);
  });

  it('[versions 5] answers 404 removed for a removed version, and says since when', async () => {
    const response = await list({ 'service-version': removed });
    expect([response.status, version(response)]).toEqual([404, current]);
    expect(await response.json()).toMatchObject({
      reason: 'removed',
      removed_at: releaseInstant(current).toISOString(),
    });
  });

  it.each(['1987-01', previousVersion(previousVersion(gone))])(
    '[outside 13] invents no date for %s, which was removed before our time',
    async (requested) => {
      const response = await list({ 'service-version': requested });
      const body = (await response.json()) as object;
      expect([response.status, body]).toMatchObject([404, { reason: 'removed' }]);
      expect(body).not.toHaveProperty('removed_at');
    },
  );

  it.each([
    ['[versions 6]', afterNext, 'unknown'],
    ['[versions 7]', `${current.slice(0, 5)}11`, 'unknown'],
    ['[versions 8]', '2026-13', 'malformed'],
    ['[versions 9]', '2026-00', 'malformed'],
    ['[versions 10]', '2026-1', 'malformed'],
    ['[versions 11]', '2026-10-01', 'malformed'],
    ['[versions 12]', '202610', 'malformed'],
    ['[versions 12]', '2026/10', 'malformed'],
    ['[versions 12]', '26-10', 'malformed'],
    ['[versions 13]', `v${current}`, 'malformed'],
    ['[versions 13]', `"${current}"`, 'malformed'],
    ['[versions 13]', `${current};x=1`, 'malformed'],
    ['[versions 14]', 'latest', 'malformed'],
    ['[versions 14]', 'current', 'malformed'],
    ['[versions 14]', 'next', 'malformed'],
    ['[versions 14]', '*', 'malformed'],
    ['[versions 18]', '2026- 10', 'malformed'],
    ['[versions 25]', '__proto__', 'malformed'],
    ['[versions 25]', 'constructor', 'malformed'],
    ['[versions 25]', 'toString', 'malformed'],
  ])('%s answers 404 for %s and calls it %s', async (_case, requested, reason) => {
    const response = await list({ 'service-version': requested });
    expect([response.status, version(response)]).toEqual([404, current]);
    expect(await response.json()).toMatchObject({ error: 'version_not_found', reason, current });
  });

  it('[versions 15] treats an empty value as malformed, not as omitted', async () => {
    const { status, version: used, body } = await listRaw('Service-Version:');
    expect([status, used]).toEqual([404, current]);
    expect(body).toContain('"reason":"malformed"');
  });

  it('[versions 16] treats spaces and tabs alone as malformed', async () => {
    expect((await listRaw('Service-Version:  \t ')).status).toBe(404);
  });

  it('[versions 17] ignores optional white space around the value', async () => {
    expect(await listRaw(`Service-Version:   ${deprecated}\t`)).toMatchObject({
      status: 200,
      version: deprecated,
    });
  });

  it('[versions 19] rejects the same header twice', async () => {
    expect((await listRaw(`Service-Version: ${current}`, `Service-Version: ${current}`)).status).toBe(404);
    expect((await listRaw(`Service-Version: ${current}, ${current}`)).status).toBe(404);
  });

  it('[versions 20] rejects two different headers', async () => {
    expect((await listRaw(`Service-Version: ${current}`, `Service-Version: ${deprecated}`)).status).toBe(404);
  });

  it('[versions 21] reads the header’s name in any letter case', async () => {
    for (const name of ['SERVICE-VERSION', 'service-version', 'sErViCe-VeRsIoN']) {
      expect(await listRaw(`${name}: ${deprecated}`)).toMatchObject({ status: 200, version: deprecated });
    }
  });

  it('[versions 22] rejects characters that look alike or are trimmed elsewhere', async () => {
    const fullWidth = (text: string) =>
      text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
    for (const value of [fullWidth(current), current.replace('-', '‑'), `\ufeff${current}`]) {
      expect((await listRaw(`Service-Version: ${utf8(value)}`)).status).toBe(404);
    }
    expect((await listRaw(`Service-Version: ${current}\u00a0`)).status).toBe(404);
  });

  it.each([`${current}\u0000`, `${current}\rX-Injected: 1`])(
    '[versions 23] rejects control characters in the parser, with a version (%#)',
    async (value) => {
      const answer = await listRaw(`Service-Version: ${value}`);
      expect(answer).toMatchObject({ status: 400, version: current });
      expect(JSON.stringify(answer)).not.toContain('Injected');
    },
  );

  it('[versions 24] answers 431 with a version for a value of 20 KB', async () => {
    expect(await listRaw(`Service-Version: ${'2'.repeat(20_000)}`)).toMatchObject({
      status: 431,
      version: current,
    });
  });

  it('[versions 26] ignores a query parameter or a body field of that name', async () => {
    const inQuery = `/v1/products/?service-version=${deprecated}&Service-Version=${deprecated}`;
    for (const asked of maintained) {
      const response = await list({ 'service-version': asked }, inQuery);
      expect([response.status, version(response)]).toEqual([200, asked]);
    }
    expect(version(await list({}, inQuery))).toBe(current);
    const { client_id, client_secret } = service.quickstart.sandbox;
    const form = { token: 'x', client_id, client_secret, 'service-version': deprecated };
    const introspected = await service.call('sandbox', '/v1/oauth2/introspect', {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect([introspected.status, version(introspected)]).toEqual([200, current]);
  });

  it('[versions 27] serves the three maintained ones out of thousands of strings, and nothing else', async () => {
    const alike = fc.sample(
      fc.oneof(
        fc.stringMatching(/^[0-9]{4}-[0-9]{2}$/),
        fc.stringMatching(/^202[6-9]-(01|04|07|10)$/),
        fc.stringMatching(/^[!-~]{0,12}$/),
      ),
      { numRuns: isFullMatrix ? 10_000 : 3_000, seed: 7 },
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const statusFor = (text: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const options = { agent, headers: { authorization: bearer(), 'service-version': text } };
        get(`${service.urls.sandbox}/versions`, options, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        }).on('error', reject);
      });
    const wrong = await Promise.all(
      [...maintained, ...alike].map(async (text) => {
        const expected = maintained.some((version) => version === text) ? 200 : 404;
        const status = await statusFor(text);
        return status === expected ? [] : [{ text, status }];
      }),
    );
    agent.destroy();
    expect(wrong.flat()).toEqual([]);
  });
});
