import { expect, it } from 'vitest';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { answered } from '../../support/run/answered.ts';
import { current, deprecated, next } from '../../support/service/build-versions.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('revoking and introspecting', (engine) => {
  const service = useTestService(engine);

  async function post(path: string, form: Record<string, string>, version?: string) {
    const { client_id, client_secret } = service.quickstart.sandbox;
    const response = await service.call('sandbox', path, {
      method: 'POST',
      headers: version === undefined ? {} : { 'service-version': version },
      body: new URLSearchParams({ client_id, client_secret, ...form }),
    });
    const { status, headers } = response;
    const [type, answeredIn] = [headers.get('content-type'), headers.get('service-version')];
    return answered({ status, type, version: answeredIn, text: await response.text() }, response.url);
  }

  it('[versions 60] follow the contract without a header and in all three versions', async () => {
    const { access_token, refresh_token } = service.quickstart.sandbox;
    const asked = [undefined, deprecated, current, next];
    const json = { status: 200, type: 'application/json; charset=utf-8' };
    const introspections = await Promise.all(
      asked.map((version) => post('/v1/oauth2/introspect', { token: access_token }, version)),
    );
    expect(introspections.map(({ version }) => version)).toEqual([current, deprecated, current, next]);
    expect(new Set(introspections.map(({ text }) => text)).size).toBe(1);
    expect(introspections[0]).toMatchObject(json);
    expect(Object.keys(JSON.parse(introspections[0]?.text ?? ''))).toEqual([
      'active',
      'client_id',
      'token_type',
      'scope',
      'sub_type',
      'sub',
      'organizations',
      'aud',
      'iss',
      'exp',
      'iat',
    ]);
    for (const version of asked) {
      const expected = { ...json, version: version ?? current };
      const form = {
        token: version === next ? refresh_token : access_token,
        token_type_hint: 'refresh_token',
      };
      expect(await post('/v1/oauth2/revoke', form, version)).toEqual({ ...expected, text: '{}' });
      expect(await post('/v1/oauth2/introspect', { token: form.token }, version)).toEqual({
        ...expected,
        text: '{"active":false}',
      });
      const wrong = await post('/v1/oauth2/introspect', { token: 'x', client_secret: 'x' }, version);
      expect([wrong.status, JSON.parse(wrong.text).error]).toEqual([401, 'invalid_client']);
    }
  });
});
