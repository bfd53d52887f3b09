import { describe, expect, it } from 'vitest';
import { createLog } from '../../src/telemetry/log.ts';
import { createRequestLines, type RequestFacts } from '../../src/telemetry/request-lines.ts';

const least: RequestFacts = {
  requestId: 'req_1',
  method: 'POST',
  route: '/v1/oauth2/introspect',
  version: '2026-10',
  status: 200,
  durationMs: 1.23456,
  clientId: null,
  operatorKeyId: undefined,
  error: undefined,
  internal: undefined,
  traceId: undefined,
};

describe('the line of a request', () => {
  function written(level: string) {
    const texts: string[] = [];
    const log = createLog(level, { write: (text) => texts.push(text) }).child({ environment: 'sandbox' });
    return { texts, log, writeLine: createRequestLines(log) };
  }

  it.each<[string, Partial<RequestFacts>, object, 'info' | 'error']>([
    ['with nothing but what every request has', {}, {}, 'info'],
    [
      'of a trace',
      { traceId: '4bf92f3577b34da6a3ce929d0e0e4736' },
      { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' },
      'info',
    ],
    ['of a client', { clientId: 'cli_1' }, { client_id: 'cli_1' }, 'info'],
    ['of an operator', { operatorKeyId: 'opk_1' }, { operator_key_id: 'opk_1' }, 'info'],
    [
      'that failed, whatever the reason holds',
      { status: 503, error: 'storage_unavailable', internal: 'a "quoted"\nline \\ and \u2028' },
      { status: 503, error: 'storage_unavailable', internal: 'a "quoted"\nline \\ and \u2028' },
      'error',
    ],
    ["of a route of somebody's own", { route: '/"quoted"/:id' }, { route: '/"quoted"/:id' }, 'info'],
  ])('%s is the one that the logger would write', (_name, facts, members, level) => {
    const { texts, log, writeLine } = written('info');
    writeLine({ ...least, ...facts });
    log[level](
      {
        request_id: 'req_1',
        method: 'POST',
        route: '/v1/oauth2/introspect',
        version: '2026-10',
        status: 200,
        duration_ms: 1.235,
        ...members,
      },
      'request',
    );
    const [ours, theirs] = texts.map((text) => ({ ...JSON.parse(text), time: 'any' }));
    expect(ours).toEqual(theirs);
    expect(Object.keys(ours)).toEqual(Object.keys(theirs));
    expect(texts[0]?.endsWith('}\n')).toBe(true);
  });

  it.each<[string, Partial<RequestFacts>, string]>([
    ['a scrape', { route: '/metrics' }, 'debug'],
    ['a probe', { route: '/healthz' }, 'debug'],
    ['a probe of a node that is not ready', { route: '/readyz', status: 503 }, 'info'],
    ['a refusal of a node that ends', { status: 503, error: 'draining' }, 'info'],
    ['a refusal of a node that starts', { status: 503, error: 'starting' }, 'info'],
    ['a refusal of the database', { status: 503, error: 'storage_unavailable' }, 'error'],
    ['an error of the caller', { status: 404, error: 'not_found' }, 'info'],
  ])('of %s has its own level', (_name, facts, level) => {
    const { texts, writeLine } = written('debug');
    writeLine({ ...least, ...facts });
    expect(texts.map((text) => JSON.parse(text).level)).toEqual([level]);
  });

  it('is written from the level of its log on', () => {
    const { texts, writeLine } = written('error');
    writeLine(least);
    expect(texts).toEqual([]);
    writeLine({ ...least, status: 500 });
    expect(texts).toHaveLength(1);
  });
});
