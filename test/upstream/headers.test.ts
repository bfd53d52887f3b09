import { describe, expect, it } from 'vitest';
import { answeredHeadersOf } from '../../src/upstream/answered-headers.ts';
import { type CallerFact, forwardedHeadersOf } from '../../src/upstream/forwarded-headers.ts';
import { startUpstream } from '../support/folder/test-upstream.ts';
import { current, next } from '../support/service/build-versions.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

function forwarded(
  callerHeaders: Record<string, string>,
  declared: readonly string[] = [],
  wanted: readonly CallerFact[] = [],
) {
  return forwardedHeadersOf(
    declared,
    wanted,
  )({
    identityToken: 'jwt',
    version: next,
    callerVersion: current,
    requestId: 'req_1',
    callerAddress: '::ffff:192.0.2.7',
    callerHeaders,
    declared: callerHeaders,
    mediaType: callerHeaders['content-type'] ?? null,
  });
}

const OURS = {
  authorization: 'Bearer jwt',
  'service-version': next,
  'dateline-caller-version': current,
  'x-request-id': 'req_1',
};

describe('what goes upstream', () => {
  it('is ours, what describes the request, and what the contract declares', () => {
    const passedOn = {
      'content-type': 'application/json',
      accept: 'application/json',
      'idempotency-key': 'k1',
      traceparent: TRACEPARENT,
    };
    expect(
      forwarded({ ...passedOn, 'x-tenant': 'one', 'x-other': 'two' }, ['X-Tenant', 'X-Missing']),
    ).toEqual({
      ...OURS,
      ...passedOn,
      'x-tenant': 'one',
    });
  });

  it('holds nothing else of the caller, also where the contract declares it', () => {
    const own = {
      authorization: 'Bearer dl_test_at_secret',
      cookie: 'session=secret',
      'proxy-authorization': 'Basic secret',
      forwarded: 'for=192.0.2.1',
      'x-forwarded-for': '192.0.2.1',
      'x-real-ip': '192.0.2.1',
      'x-request-id': 'theirs',
      'service-version': 'theirs',
      'dateline-caller-version': 'theirs',
      'dateline-anything': 'theirs',
      host: 'theirs',
      connection: 'x-tenant',
      'transfer-encoding': 'chunked',
      'content-length': '1',
      te: 'trailers',
      upgrade: 'h2c',
      expect: '100-continue',
      'accept-encoding': 'gzip',
      tracestate: 'a=b',
      'user-agent': 'curl',
    };
    expect(forwarded(own)).toEqual(OURS);
    expect(forwarded(own, Object.keys(own))).toEqual({ ...OURS, tracestate: 'a=b', 'user-agent': 'curl' });
  });

  it('[folder 26] is the caller’s user agent and address where the folder asks for them, and of the address never what the caller says', () => {
    const own = { 'user-agent': 'curl', 'x-forwarded-for': '203.0.113.1', cookie: 'a=b' };
    expect(forwarded(own, [], ['user-agent'])).toEqual({ ...OURS, 'user-agent': 'curl' });
    expect(forwarded(own, [], ['x-forwarded-for'])).toEqual({ ...OURS, 'x-forwarded-for': '192.0.2.7' });
    expect(forwarded({}, [], ['user-agent', 'x-forwarded-for'])).toEqual({
      ...OURS,
      'x-forwarded-for': '192.0.2.7',
    });
  });

  it.each([TRACEPARENT, 'cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later'])(
    'has the traceparent %s',
    (traceparent) => {
      expect(forwarded({ traceparent }).traceparent).toBe(traceparent);
    },
  );

  it.each([
    '',
    'nonsense',
    `${TRACEPARENT}-more`,
    `${TRACEPARENT} `,
    TRACEPARENT.toUpperCase(),
    TRACEPARENT.replace(/^00/, 'ff'),
    TRACEPARENT.replace(/^00-.{32}/, `00-${'0'.repeat(32)}`),
    TRACEPARENT.replace(/.{16}-01$/, `${'0'.repeat(16)}-01`),
    `${TRACEPARENT}, ${TRACEPARENT}`,
  ])('does not have the traceparent %j', (traceparent) => {
    expect(forwarded({ traceparent }, ['traceparent'])).toEqual(OURS);
  });

  it('arrives as it is, with what HTTP needs', async () => {
    const server = await startReceiver();
    const { call } = startUpstream(server.port);
    await call({ headers: forwarded({ accept: 'text/csv', 'x-name': 'caf\u00e9' }, ['x-name']) });
    const { host, connection, ...headers } = server.requests[0]?.headers ?? {};
    expect([host, connection]).toEqual([`127.0.0.1:${server.port}`, 'keep-alive']);
    expect(headers).toEqual({
      ...OURS,
      accept: 'text/csv',
      'x-name': 'caf\u00e9',
      'accept-encoding': 'identity',
    });
  });
});

describe('what comes back', () => {
  const passedOn = {
    'content-type': 'text/csv',
    'content-disposition': 'attachment',
    'content-language': 'en',
    etag: '"1"',
    'last-modified': 'Mon, 01 Jun 2026 00:00:00 GMT',
    'retry-after': '7',
    'cache-control': 'max-age=60',
    vary: 'accept',
  };

  it('is what describes the answer, and what the contract declares', () => {
    const headers = { ...passedOn, location: '/orders/1', 'x-total': '3', 'x-other': '4' };
    expect(answeredHeadersOf([])(headers)).toEqual(passedOn);
    expect(answeredHeadersOf(['Location', 'X-Total', 'X-Missing'])(headers)).toEqual({
      ...passedOn,
      location: '/orders/1',
      'x-total': '3',
    });
  });

  it('[outside2 4] holds nothing that is of the connection, of the server or of our origin, also where the contract declares it', () => {
    const headers = {
      'set-cookie': ['a=b', 'c=d'],
      connection: 'close',
      'keep-alive': 'timeout=5',
      'transfer-encoding': 'chunked',
      'content-length': '3',
      'content-encoding': 'identity',
      trailer: 'x',
      server: 'theirs',
      date: 'today',
      via: '1.1 theirs',
      'service-version': 'theirs',
      'x-request-id': 'theirs',
      deprecation: 'true',
      sunset: 'today',
      'dateline-anything': 'theirs',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'strict-transport-security': 'max-age=1',
      'clear-site-data': '"*"',
      'service-worker-allowed': '/',
      'content-security-policy': "script-src 'unsafe-inline'",
      'content-security-policy-report-only': 'x',
      'x-content-type-options': 'x',
      'cross-origin-opener-policy': 'unsafe-none',
      'permissions-policy': 'camera=*',
      'reporting-endpoints': 'a="https://elsewhere.example"',
      'report-to': '{}',
      nel: '{}',
      refresh: '0; url=https://elsewhere.example',
      'speculation-rules': '"/rules.json"',
      'alt-svc': 'h3',
      'proxy-authenticate': 'Basic',
    };
    expect(answeredHeadersOf(Object.keys(headers))(headers)).toEqual({});
  });

  it('has one value where several came: all of a list, and the first of what is none', () => {
    const headers = {
      'content-type': ['a/b', 'c/d'],
      'cache-control': ['private', 'max-age=1'],
      'x-a': ['1', '2'],
    };
    expect(answeredHeadersOf(['x-a'])(headers)).toEqual({
      'content-type': 'a/b',
      'cache-control': 'private, max-age=1',
      'x-a': '1, 2',
    });
  });

  it('has no name that every object has', () => {
    expect(answeredHeadersOf(['constructor', '__proto__'])({})).toEqual({});
    expect(forwarded({}, ['constructor', '__proto__'])).toEqual(OURS);
  });
});
