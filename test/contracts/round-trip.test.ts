import type { CompiledOperation, CompiledVersion, Json, JsonSchema } from '@dateline/versions';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema } from '../support/contracts/from-schema.ts';
import { api, useProducts } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';

const RUNS = 8;

/** What schemas cannot express: which values of these fields the server accepts, and returns unchanged. */
const values: Readonly<Record<string, Arbitrary<unknown>>> = {
  // A token with one organization uses that one; the field is about others.
  organization_id: fc.constant(undefined),
  prices: fc.uniqueArray(fc.record({ amount: fc.nat(), currency: fc.constantFrom('eur', 'usd', 'gbp') }), {
    minLength: 1,
    selector: ({ currency }) => currency,
  }),
  url: fc.webPath().map((path) => `https://example.com/${encodeURIComponent(path)}`),
  events: fc.uniqueArray(fc.constantFrom('product.created', 'product.updated', 'token.revoked'), {
    minLength: 1,
  }),
  api_version: fc.constantFrom<string>(deprecated, current, next),
};

interface Resource {
  name: string;
  create: CompiledOperation;
  update: CompiledOperation;
  read: CompiledOperation;
}

/** Everything that can be created, changed and read again under an id. */
function resourcesOf({ operations }: CompiledVersion): Resource[] {
  const at = (method: string, path: string) =>
    [...operations.values()].find(
      ({ operation }) =>
        operation.method === method && operation.path.replace(/\/$/, '') === path.replace(/\/$/, ''),
    );
  return [...operations.values()].flatMap((update) => {
    const { method, path } = update.operation;
    if (method !== 'PATCH') return [];
    const [create, read] = [at('POST', path.replace(/\{\w+\}$/, '')), at('GET', path)];
    return create && read ? [{ name: path, create, update, read }] : [];
  });
}

function propertiesOf(schema: JsonSchema | undefined): Readonly<Record<string, JsonSchema>> {
  return (schema?.properties ?? {}) as Record<string, JsonSchema>;
}

/** Bodies that an operation accepts, with the server's own rules kept. */
function bodiesOf({ operation }: CompiledOperation): Arbitrary<Json> {
  const schema = operation.body?.schema as JsonSchema;
  const ruled = Object.keys(propertiesOf(schema)).filter((name) => name in values);
  const overrides = fc.record(
    Object.fromEntries(ruled.map((name) => [name, values[name] as Arbitrary<unknown>])),
  );
  return fc.tuple(fromSchema(schema) as Arbitrary<Json>, overrides).map(([body, override]) =>
    // Fields that the schema left out stay out.
    Object.fromEntries(
      Object.entries({ ...body, ...pick(override, Object.keys(body)) }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
  );
}

function pick(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

/** Every field that was sent, each with its whole value. */
function expectIn(answered: Json, sent: Json): void {
  expect(pick(answered, Object.keys(sent))).toEqual(sent);
}

onPostgresFirst('every writable field', (engine) => {
  const { call } = useProducts(engine);

  describe.each(maintained)('of %s', (version) => {
    const resources = resourcesOf(api.get(version) as CompiledVersion);

    it('is covered: products and webhook endpoints have all three operations', () => {
      expect(resources.map(({ name }) => name).sort()).toEqual([
        '/v1/products/{id}',
        '/v1/webhooks/endpoints/{id}',
      ]);
    });

    it.each(resources)(
      'of $name is in its answers: what can be written can be read',
      ({ create, update, read }) => {
        const answered = Object.keys(propertiesOf(read.operation.responses[200]?.schema));
        const written = [create, update].flatMap(({ operation }) =>
          Object.keys(propertiesOf(operation.body?.schema)),
        );
        expect(written.filter((name) => !answered.includes(name))).toEqual([]);
      },
    );

    it.each(resources)(
      'of $name comes back as it was sent, when created and when changed',
      async (resource) => {
        const { create, update, read } = resource;
        const pathOf = ({ operation }: CompiledOperation, id: string) => operation.path.replace('{id}', id);
        const property = fc.asyncProperty(bodiesOf(create), bodiesOf(update), async (body, changes) => {
          const created = await call(version, 'POST', create.operation.path, body);
          expect(created.status, JSON.stringify(created.body)).toBe(201);
          expectIn(created.body, body);
          const id = String(created.body.id);
          expectIn((await call(version, 'GET', pathOf(read, id))).body, body);
          const changed = await call(version, 'PATCH', pathOf(update, id), changes);
          expect(changed.status, JSON.stringify(changed.body)).toBe(200);
          expectIn(changed.body, { ...body, ...changes });
          expectIn((await call(version, 'GET', pathOf(read, id))).body, { ...body, ...changes });
        });
        await fc.assert(property, { numRuns: RUNS, seed: 7 });
      },
    );
  });
});
