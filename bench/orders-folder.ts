import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '@dateline/versions';
import { parse } from 'yaml';
import { readFrozenFiles, writeContract } from '../src/api/folder/freeze/frozen-files.ts';

export interface OrdersFolder {
  folder: string;
  dataDir: string;
}

/** The example, with this upstream behind its sandbox. With resources beside the orders, it is a large API in every version. */
export function ordersFolder(upstream: string, resources = 0): OrdersFolder {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-bench-orders-'));
  cpSync('examples/orders', folder, { recursive: true });
  const config = join(folder, 'dateline.config.mjs');
  writeFileSync(config, readFileSync(config, 'utf8').replace(/sandbox: .*,/, `sandbox: '${upstream}',`));
  if (resources > 0) addResources(folder, resources);
  return { folder, dataDir: mkdtempSync(join(tmpdir(), 'dateline-bench-')) };
}

/** Operations of one resource. */
export const OPERATIONS_EACH = 5;

function addResources(folder: string, resources: number): void {
  const next = join(folder, 'contract', 'next.yaml');
  writeFileSync(next, JSON.stringify(withResources(parse(readFileSync(next, 'utf8')), resources)));
  const frozen = { root: folder, folder: 'contract/frozen' };
  for (const [version, document] of Object.entries(readFrozenFiles(frozen).documents))
    writeContract(frozen, version, withResources(document, resources));
}

type Parts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function withResources(document: OpenApiDocument, resources: number): OpenApiDocument {
  const numbers = Array.from({ length: resources }, (_, number) => number);
  const components = document.components as Parts;
  return {
    ...document,
    paths: Object.assign({}, document.paths, ...numbers.map(pathsOf)),
    components: { ...components, schemas: Object.assign({}, components.schemas, ...numbers.map(schemasOf)) },
  };
}

/** Paths that begin as those of the orders do: whatever looks for an operation meets them on its way. */
function pathsOf(number: number): object {
  const path = number % 2 === 0 ? `/orders/{id}/parts-${number}` : `/orders-${number}/{id}/parts`;
  const parameters = [parameter('id')];
  const name = `parts${number}`;
  return {
    [path]: {
      parameters,
      get: operation(`${name}:list`, listOf(number)),
      post: { ...operation(`${name}:create`, schemaOf(number)), requestBody: bodyOf(number) },
    },
    [`${path}/{part}`]: {
      parameters: [...parameters, parameter('part')],
      get: operation(`${name}:read`, schemaOf(number)),
      put: { ...operation(`${name}:replace`, schemaOf(number)), requestBody: bodyOf(number) },
      patch: { ...operation(`${name}:change`, schemaOf(number)), requestBody: bodyOf(number) },
    },
  };
}

const parameter = (name: string) => ({
  ...{ name, in: 'path', required: true, description: 'An id.', example: 'one' },
  schema: { type: 'string', minLength: 1, maxLength: 40 },
});
const schemaOf = (number: number) => ({ $ref: `#/components/schemas/Part${number}` });
const listOf = (number: number) => ({
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', description: 'Some of them.', items: schemaOf(number) } },
});
const jsonOf = (schema: object) => ({ 'application/json': { schema } });
const bodyOf = (number: number) => ({ required: true, content: jsonOf(schemaOf(number)) });

function operation(operationId: string, schema: object): object {
  return {
    ...{ operationId, summary: operationId, description: 'Like many others.', tags: ['orders'] },
    security: [{ token: ['orders:read'] }],
    responses: { '200': { description: 'It.', content: jsonOf(schema) } },
  };
}

function schemasOf(number: number): object {
  return {
    [`Part${number}`]: {
      type: 'object',
      required: ['id', 'name', 'price'],
      properties: {
        id: { type: 'string', description: 'Its id.', examples: ['one'] },
        name: { type: 'string', maxLength: 100 + number, description: 'Its name.', examples: ['Spoke'] },
        price: { type: 'integer', minimum: 0, description: 'In cents.', examples: [100] },
        state: { type: 'string', enum: ['new', 'used', `kind-${number}`], description: 'Its state.' },
        tags: { type: 'array', items: { type: 'string' }, description: 'Words.', examples: [['round']] },
      },
    },
  };
}
