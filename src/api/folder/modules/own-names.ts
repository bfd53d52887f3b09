import {
  CONFIG_FILE,
  CONFIG_MODULE,
  ERRORS_FILE,
  ERRORS_MODULE,
  HANDLERS_FILE,
  HANDLERS_MODULE,
  MARKED_EXTENSIONS,
  MODULE_EXTENSIONS,
} from '../folder-files.ts';
import { FolderError, type FolderProblem } from '../folder-problem.ts';
import { findModule } from './find-module.ts';

const MODULES = [
  { usual: CONFIG_FILE, name: CONFIG_MODULE, extensions: MODULE_EXTENSIONS },
  { usual: HANDLERS_FILE, name: HANDLERS_MODULE, extensions: MARKED_EXTENSIONS },
  { usual: ERRORS_FILE, name: ERRORS_MODULE, extensions: MARKED_EXTENSIONS },
];

/** Problems are found by rules that know the usual names of files; here they get the names that this folder has. */
export function inOwnNames(folder: string, problems: readonly FolderProblem[]): FolderProblem[] {
  const renamed = MODULES.flatMap(({ usual, name, extensions }) => {
    const own = onlyModule(folder, name, extensions);
    return own === null || own === usual ? [] : [{ usual, own }];
  });
  return problems.map((problem) =>
    renamed.reduce(
      ({ file, reason, ...rest }, { usual, own }) => ({
        ...rest,
        file: file === usual ? own : file,
        reason: reason.replaceAll(usual, own),
      }),
      problem,
    ),
  );
}

/** Null where there are several, too: that is a problem of its own. */
function onlyModule(folder: string, name: string, extensions: readonly string[]): string | null {
  try {
    return findModule(folder, name, extensions);
  } catch (error) {
    if (error instanceof FolderError) return null;
    throw error;
  }
}
