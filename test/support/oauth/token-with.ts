import { operatorCalls } from '../service/operator-calls.ts';
import type { TestService } from '../service/test-service.ts';
import { oauthCalls } from './oauth-calls.ts';

/** A token of a new client that has these scopes only. */
export async function tokenWith(service: TestService, scopes: string[]): Promise<string> {
  const client = await operatorCalls(service).createClient({ scopes });
  const { status, text, body } = await oauthCalls(service).token({
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.client_secret,
  });
  if (status !== 200) throw new Error(text);
  return body.access_token;
}
