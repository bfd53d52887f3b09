import { type Contract, type OpenApiProblem, type Operation, pointerBelow } from '@dateline/versions';
import type { FolderConfig } from './config-file.ts';
import { CONFIG_FILE } from './folder-files.ts';
import type { FolderProblem } from './folder-problem.ts';

/** Names that are Dateline's own in any version: no folder may use them. */
export interface Reserved {
  /** Beginnings of paths, such as `/v1/oauth2`; everything below them is taken. */
  paths: readonly string[];
  operationIds: ReadonlySet<string>;
  /** The first parts of kinds: `token` for `token.revoked`. */
  kinds: ReadonlySet<string>;
  scopes: ReadonlySet<string>;
}

/** Where the contract of a folder clashes with ours: both places are named. */
export function reservedProblems(
  { operations, events }: Contract,
  reserved: Reserved,
  mount = '',
): OpenApiProblem[] {
  return [
    ...operations.flatMap((operation) => operationProblems(operation, reserved, mount)),
    ...events
      .map(({ kind }) => ({ kind, begins: kind.split('.', 1)[0] ?? '' }))
      .filter(({ begins }) => reserved.kinds.has(begins))
      .map(({ kind, begins }) => ({
        path: pointer('webhooks', kind),
        reason: `kinds that begin with "${begins}." are Dateline's own; choose another name`,
      })),
  ];
}

function operationProblems({ id, path }: Operation, reserved: Reserved, mount: string): OpenApiProblem[] {
  const problem = pathProblem(`${mount}${path}`, reserved);
  const at = pointer('paths', path);
  return [
    ...(problem === null ? [] : [{ path: at, reason: `${problem}; ${PATH_REMEDY}` }]),
    ...(reserved.operationIds.has(id)
      ? [{ path: at, reason: `the operationId ${id} is Dateline's own; choose another name` }]
      : []),
  ];
}

function pathProblem(path: string, reserved: Reserved): string | null {
  const taken = path === '/' ? path : reservedPath(path, reserved);
  if (taken !== undefined) return `${taken} is Dateline's own`;
  return path.startsWith('/{')
    ? "a parameter as the first segment could be any path of Dateline's own"
    : null;
}

const PATH_REMEDY = `choose another path, or put all of them below a prefix with mount: '/api' in ${CONFIG_FILE}`;

/** The path of Dateline's own that a path leads to or below; undefined where there is none. */
export function reservedPath(path: string, { paths }: Pick<Reserved, 'paths'>): string | undefined {
  return paths.find((own) => path === own || path.startsWith(`${own}/`));
}

const pointer = (...names: readonly string[]): string => pointerBelow('', ...names);

/** A prefix that nothing could be served below. */
export function reservedMountProblems({ mount = '' }: FolderConfig, reserved: Reserved): FolderProblem[] {
  const taken = mount === '' ? undefined : reservedPath(mount, reserved);
  if (taken === undefined) return [];
  return [{ file: CONFIG_FILE, path: 'mount', reason: `${taken} is Dateline's own; choose another prefix` }];
}

export function reservedScopeProblems({ scopes }: FolderConfig, reserved: Reserved): FolderProblem[] {
  return Object.keys(scopes)
    .filter((name) => reserved.scopes.has(name))
    .map((name) => ({
      file: CONFIG_FILE,
      path: `scopes.${name}`,
      reason: "it is a scope of Dateline's own",
    }));
}
