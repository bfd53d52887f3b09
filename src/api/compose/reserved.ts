import { type Contract, fromOpenApi } from '@dateline/versions';
import { apiSource } from '../../contracts/api.ts';
import { reservedScopes } from '../../oauth/scopes/scopes.ts';
import type { Reserved } from '../folder/reserved.ts';
import { isExample } from './without-example.ts';

/** Paths that are the same in every version. */
const UNVERSIONED = [
  '/.well-known',
  '/account',
  '/assets',
  '/console',
  '/docs',
  '/healthz',
  '/metrics',
  '/operator',
  '/portal',
  '/readyz',
  '/versions',
];

let names: Reserved | null = null;

/** The names that are ours in any version, and closed to an API folder. Our example resource is not among them. */
export function reserved(): Reserved {
  names ??= readNames();
  return names;
}

function readNames(): Reserved {
  const contracts = apiSource().documents.map(fromOpenApi);
  const operations = contracts
    .flatMap((contract) => contract.operations)
    .filter((operation) => !isExample(operation));
  const kinds = contracts.flatMap(eventKinds);
  return {
    paths: [...UNVERSIONED, ...new Set(operations.map(({ path }) => path.split('/').slice(0, 3).join('/')))],
    operationIds: new Set(operations.map(({ id }) => id)),
    kinds: new Set(kinds.map((kind) => kind.split('.', 1)[0] ?? '')),
    scopes: new Set(reservedScopes),
  };
}

const eventKinds = ({ events }: Contract): string[] =>
  events.filter((event) => !isExample(event)).map(({ kind }) => kind);
