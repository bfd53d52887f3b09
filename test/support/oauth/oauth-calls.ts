import type { EnvironmentName } from '../../../src/environments/environment.ts';
import { answered } from '../run/answered.ts';
import type { TestService } from '../service/test-service.ts';

export interface OAuthAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  body: any;
}

export type Form = Readonly<Record<string, string>>;

/** Calls the OAuth endpoints as the demo client, unless the form says otherwise. */
export function oauthCalls(service: TestService, environment: EnvironmentName = 'sandbox') {
  async function send(path: string, init: RequestInit): Promise<OAuthAnswer> {
    const response = await service.call(environment, path, init);
    const text = await response.text();
    const { status, headers } = response;
    return answered({ status, headers, text, body: parsed(text) }, `${init.method ?? 'GET'} ${path}`);
  }
  const post = (path: string, form: Form | string, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    });
  const demo = (): Form => {
    const { client_id, client_secret } = service.quickstart.sandbox;
    return { client_id, client_secret };
  };
  return {
    send,
    post,
    demo,
    revoke: (form: Form) => post('/v1/oauth2/revoke', { ...demo(), ...form }),
    introspect: (form: Form) => post('/v1/oauth2/introspect', { ...demo(), ...form }),
    token: (form: Form) => post('/v1/oauth2/token', { ...demo(), ...form }),
    isActive: async (token: string): Promise<boolean> =>
      (await post('/v1/oauth2/introspect', { ...demo(), token })).body.active,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
