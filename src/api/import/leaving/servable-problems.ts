import {
  bundleOpenApi,
  type Contract,
  type OpenApiDocument,
  slowPatternProblems,
  withUsedComponents,
} from '@dateline/versions';
import { createFolderReader, exampleProblems } from '../../folder/folder-contract.ts';
import { NEXT_FILE } from '../../folder/folder-files.ts';
import { type Reserved, reservedProblems } from '../../folder/reserved.ts';
import type { Access } from '../access/derive-access.ts';
import type { DocumentTree } from '../document-tree.ts';
import { ENTRY, type SourcePlace } from '../import-notes.ts';

/** Something that keeps a document from being served. */
export interface ServableProblem {
  /** Where it is in the document that all files make together; null where they make none. */
  path: string | null;
  reason: string;
  /** Where any pointer of that document stands in the files. */
  whereIs(path: string): SourcePlace;
}

export interface Reading {
  problems: readonly ServableProblem[];
  /** All files as one. */
  document: OpenApiDocument | null;
  contract: Contract | null;
  /** The prefix that the paths need, so that none is Dateline's own. */
  mount: string;
}

const MOUNT = '/api';

/** Reads a document as the folder will be read. What is open is asked afterwards. */
export function readServable(tree: DocumentTree, { security }: Access, reserved: Reserved): Reading {
  const files = new Map([...tree.files, [ENTRY, withUsedComponents(ENTRY, tree.files)]]);
  const { document, problems, locate } = bundleOpenApi(ENTRY, files);
  if (document === null)
    return {
      problems: problems.map(({ path, reason, file = ENTRY }) => ({
        path: null,
        reason,
        whereIs: () => ({ file, pointer: path }),
      })),
      document,
      contract: null,
      mount: '',
    };
  const schemes = [...security].map(([name, scopes]) => [name, { scopes: [...scopes] }]);
  const read = createFolderReader({ security: Object.fromEntries(schemes), open: '*' })(document);
  const mount = read.partial && needsMount(read.partial, reserved) ? MOUNT : '';
  const names = read.partial ? reservedProblems(read.partial, reserved, mount) : [];
  const examples = read.contract ? exampleProblems(read.contract, NEXT_FILE) : [];
  const all = [...read.problems, ...slowPatternProblems(document), ...names, ...examples];
  const whereIs = (path: string): SourcePlace => {
    const { file = ENTRY, path: pointer } = locate({ path, reason: '' });
    return { file, pointer };
  };
  return {
    problems: all.map(({ path = '', reason }) => ({ path, reason, whereIs })),
    document,
    contract: read.contract,
    mount,
  };
}

function needsMount(contract: Contract, reserved: Reserved): boolean {
  const paths = reservedProblems({ ...contract, events: [] }, { ...reserved, operationIds: new Set() });
  return paths.length > 0;
}
