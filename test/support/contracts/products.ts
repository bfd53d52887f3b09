import { type ApiVersion, compileApi, type Operation, responseValidators } from '@dateline/versions';
import { expect } from 'vitest';
import { apiSource } from '../../../src/contracts/api.ts';
import type { NewProduct } from '../../../src/products/types.ts';
import type { Engine } from '../database/databases.ts';
import { createGrantedUser } from '../oauth/oauth-fixtures.ts';
import { answered } from '../run/answered.ts';
import { homeTime, next } from '../service/build-versions.ts';
import { environmentOn } from '../service/environment-on.ts';
import { type TestService, useTestService } from '../service/test-service.ts';

export const api = compileApi(apiSource());

export interface Called {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** A product as Next accepts it. */
export const newProduct = {
  name: 'Support plan',
  billing: 'recurring',
  prices: [{ amount: 4900, currency: 'eur' }],
};

/** The same for the functions of the room. */
export const storedProduct: NewProduct = {
  name: 'Support plan',
  description: null,
  billing: 'recurring',
  visibility: 'public',
  prices: [{ amount: 4900, currency: 'eur' }],
  metadata: {},
};

/** A running service at a moment, and calls to it in any version. */
export function useProducts(
  engine: Engine,
  at: string = homeTime,
  options: Parameters<typeof useTestService>[3] = {},
) {
  const service = useTestService(engine, {}, at, options);

  async function call(
    version: string,
    method: string,
    path: string,
    sent?: unknown,
    token?: string,
  ): Promise<Called> {
    const response = await service.call('sandbox', path, {
      method,
      headers: {
        authorization: `Bearer ${token ?? service.quickstart.sandbox.access_token}`,
        'service-version': version,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return answered({ status, body: text === '' ? {} : JSON.parse(text), headers }, `${method} ${path}`);
  }

  return {
    service,
    call,
    statusOf: async (version: string, method: string, path: string, sent?: unknown): Promise<number> =>
      (await call(version, method, path, sent)).status,
    /** Creates a product in a version that accepts Next's body, and returns its id. */
    async create(change: object = {}, version: string = next): Promise<string> {
      const { status, body } = await call(version, 'POST', '/v1/products/', { ...newProduct, ...change });
      expect(status).toBe(201);
      return body.id as string;
    },
    /** A token of another user, in another organization. */
    strangersToken: async (options: Parameters<typeof createGrantedUser>[1] = {}): Promise<string> =>
      (await createGrantedUser(await sandboxOf(service), options)).access.tokenValue,
  };
}

/** The answer must be valid in its version, to the letter. */
export function expectValid(version: string, operationId: string, { status, body }: Called): void {
  const compiled = api.get(version as ApiVersion)?.operations.get(operationId);
  expect(responseValidators(compiled?.operation as Operation)[status]?.(body)).toEqual([]);
}

async function sandboxOf(service: TestService) {
  return environmentOn({
    name: 'sandbox',
    issuer: service.urls.sandbox,
    database: await service.database('sandbox'),
    clock: service.clock,
  });
}
