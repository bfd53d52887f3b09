import { randomBytes } from 'node:crypto';
import fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendEncoded } from '../../src/http/site/send-cacheable.ts';

describe('an answer that is being compressed', () => {
  it('says so only with its own bytes: an error that is sent meanwhile is readable', async () => {
    const app = fastify();
    onTestFinished(() => app.close());
    // Too much to be done before the error is sent.
    const text = randomBytes(4 * 2 ** 20).toString('base64');
    app.get('/late', (_request, reply) => {
      void sendEncoded(reply, 'gzip', text).catch(() => {});
      setImmediate(() => void reply.status(503).send('late'));
      return reply;
    });
    app.get('/done', (_request, reply) => sendEncoded(reply, 'gzip', 'text'));
    const late = await app.inject('/late');
    expect([late.statusCode, late.headers['content-encoding'], late.body]).toEqual([503, undefined, 'late']);
    expect((await app.inject('/done')).headers['content-encoding']).toBe('gzip');
  });
});
