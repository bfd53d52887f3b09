import type { CompiledApi, Json, UpgradableRequest } from '@dateline/versions';
import { HANDLERS_FILE, HANDLERS_MODULE, MARKED_EXTENSIONS, NEXT_FILE } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';
import { findModule } from './modules/find-module.ts';
import { importModule } from './modules/import-module.ts';

/** A call of an operation that the folder answers itself: a request of Next, and who asks. */
export interface FolderCall {
  request: UpgradableRequest;
  /** The claims about the caller that an upstream would get; null if the operation is open. */
  claims: Json | null;
  /** Aborted when the caller has gone, or the time is over. */
  signal: AbortSignal;
}

export interface FolderAnswer {
  status: number;
  body?: Json | null;
}

export type FolderHandler = (call: FolderCall) => Promise<FolderAnswer>;

/** By the id of an operation of Next, or of one that only older versions have. */
export type FolderHandlers = Readonly<Record<string, FolderHandler>>;

/** `handlers.mjs` or `.ts`, where the folder has one: what needs no upstream. */
export async function loadHandlers(folder: string): Promise<FolderHandlers> {
  const file = findModule(folder, HANDLERS_MODULE, MARKED_EXTENSIONS);
  if (file === null) return {};
  const { default: handlers } = await importModule(folder, file);
  if (typeof handlers !== 'object' || handlers === null)
    throw refuse(HANDLERS_FILE, 'it must export an object of functions as its default');
  const problems = Object.entries(handlers)
    .filter(([, handler]) => typeof handler !== 'function')
    .map(([id]) => ({ file: HANDLERS_FILE, path: id, reason: 'it must be a function' }));
  if (problems.length > 0) throw new FolderError(problems);
  return handlers as FolderHandlers;
}

/** Handlers of operations that no version has. */
export function handlerProblems(handlers: FolderHandlers, api: CompiledApi): FolderProblem[] {
  const versions = [...api.values()];
  return Object.keys(handlers)
    .filter((id) => !versions.some(({ operations }) => operations.has(id)))
    .map((id) => ({ file: HANDLERS_FILE, path: id, reason: `${NEXT_FILE} has no operation of that id` }));
}
