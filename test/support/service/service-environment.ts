import type { Environment, EnvironmentName } from '../../../src/environments/environment.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../../src/oauth/clients/authentication/client-secrets.ts';
import type { NewClient } from '../../../src/oauth/clients/clients/clients.ts';
import { createGrantedUser } from '../oauth/oauth-fixtures.ts';
import { environmentOn } from './environment-on.ts';
import type { TestService } from './test-service.ts';

/** The environment of a running service, for changes that bypass its API. */
export async function serviceEnvironment(
  service: TestService,
  name: EnvironmentName = 'sandbox',
): Promise<Environment> {
  return environmentOn({
    name,
    issuer: service.urls[name],
    database: await service.database(name),
    clock: service.clock,
  });
}

/** A client with a secret, and a user who has granted it all scopes. */
export async function createCaller(service: TestService, change: Partial<NewClient> = {}) {
  const environment = await serviceEnvironment(service);
  const granted = await createGrantedUser(environment, change);
  const secretValue = newClientSecretValue(environment);
  await storeClientSecret(environment, { clientId: granted.client.id, secretValue });
  return { ...granted, credentials: { client_id: granted.client.id as string, client_secret: secretValue } };
}
