import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiVersion, nextVersion, previousVersion, releaseInstant } from '@dateline/versions';
import { deleteFrozen, writeContract } from '../../api/folder/freeze/frozen-files.ts';
import { frozenVersions, headDocument } from '../../contracts/api.ts';
import { headVersion } from '../../contracts/head/version.ts';
import { ourFrozen } from './our-frozen.ts';

/** The steps of a maintainer's release, in order. Nothing happens before a step is applied. */
export interface ContractRelease {
  /** The work tree. */
  root: string;
  /** Head as it stands: it is frozen under this name. */
  frozen: ApiVersion;
  newHead: ApiVersion;
  /** Maintained no longer even before this release. */
  deleted: readonly ApiVersion[];
  /** Every node must run the new build by then, and may at any time before. */
  deployBefore: Date;
  steps: readonly ReleaseStep[];
  /** Changes elsewhere in the repository that follow from the contracts. */
  after: AfterRelease | null;
}

export interface ReleaseStep {
  description: string;
  apply(): void | Promise<void>;
}

const CHANGES = 'src/contracts/changes';

export function planContractRelease(): ContractRelease {
  const newHead = nextVersion(headVersion);
  // Until the changeover the version before the last is still Deprecated, so it stays for one more release.
  const oldestKept = previousVersion(previousVersion(headVersion));
  const deleted = frozenVersions().filter((version) => version < oldestKept);
  return {
    root: '.',
    frozen: headVersion,
    newHead,
    deleted,
    deployBefore: releaseInstant(headVersion),
    steps: [
      { description: `Freeze ${headVersion} as it stands in head`, apply: () => freezeHead() },
      ...deleted.map((version) => ({
        description: `Delete ${version}, which is no longer maintained`,
        apply: () => deleteVersion(version),
      })),
      { description: `Open ${newHead} as the new head, with no change yet`, apply: () => openHead(newHead) },
    ],
    after: afterRelease(headVersion, deleted),
  };
}

/** Why a release must not be made now, in a sentence; null if it may. */
export function contractReleaseProblem({ root, frozen, deleted }: ContractRelease, now: Date): string | null {
  const replaced = previousVersion(frozen);
  if (now < releaseInstant(replaced)) {
    const kept = deleted.length > 0 ? ` and ${deleted.join(', ')} would go, which is still maintained` : '';
    return `${replaced} is not Current before ${releaseInstant(replaced).toISOString()}${kept}; one release at a time.`;
  }
  if (git(root, 'status', '--porcelain', '.') !== '')
    return 'There are changes that are not committed. Commit them, so that the release is a commit of its own.';
  return null;
}

function freezeHead(): void {
  writeContract(ourFrozen, headVersion, headDocument(headVersion));
}

/** The version's files, and the changes from the version after it. */
function deleteVersion(version: ApiVersion): void {
  rmSync(join(CHANGES, `${nextVersion(version)}-to-${version}`), { recursive: true, force: true });
  deleteFrozen(ourFrozen, version);
}

function openHead(newHead: ApiVersion): void {
  const step = join(CHANGES, `${newHead}-to-${headVersion}`);
  mkdirSync(step, { recursive: true });
  writeFileSync(join(step, 'index.ts'), emptyChangeSet(newHead, headVersion));
  replaceIn('src/contracts/head/version.ts', (text) => text.replace(`'${headVersion}'`, `'${newHead}'`));
  writeFileSync(join(CHANGES, 'index.ts'), changesIndex());
}

function emptyChangeSet(newer: ApiVersion, older: ApiVersion): string {
  return [
    "import { apiVersion, type WrittenChangeSet } from '@dateline/versions';",
    '',
    'export const changeSet: WrittenChangeSet = {',
    `  newer: apiVersion('${newer}'),`,
    `  older: apiVersion('${older}'),`,
    '  changes: [],',
    '};',
    '',
  ].join('\n');
}

function changesIndex(): string {
  const steps = readdirSync(CHANGES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  const nameOf = (step: string): string => `from${step.replaceAll('-', '').replace('to', 'To')}`;
  const imports = steps.map((step) => `import { changeSet as ${nameOf(step)} } from './${step}/index.ts';`);
  const list = steps.map(nameOf);
  const onOneLine = `export const changeSets: readonly WrittenChangeSet[] = [${list.join(', ')}];`;
  return [
    '// Written by "dateline contract release": every step between neighbours, oldest first.',
    "import type { WrittenChangeSet } from '@dateline/versions';",
    ...imports,
    '',
    ...(onOneLine.length <= 110
      ? [onOneLine]
      : [
          'export const changeSets: readonly WrittenChangeSet[] = [',
          ...list.map((name) => `  ${name},`),
          '];',
        ]),
    '',
  ].join('\n');
}

function replaceIn(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

/** Empty outside of a repository. */
function git(cwd: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Steps that a repository takes after its contracts have moved on. */
export interface AfterRelease {
  /** Its steps, in sentences. */
  messages: readonly string[];
  apply(): void;
}

const SCRIPT = 'after-release';

/** The script of that name in the repository's package.json; null where there is none. It can say what it would do. */
export function afterRelease(frozen: ApiVersion, deleted: readonly ApiVersion[]): AfterRelease | null {
  if (!hasScript()) return null;
  const run = ['run', '--silent', SCRIPT, '--'];
  const plan = execFileSync('npm', [...run, '--dry-run', frozen, ...deleted], { encoding: 'utf8' });
  return {
    messages: plan.split('\n').filter(Boolean),
    // Its output goes to standard error, like all messages.
    apply: () => void execFileSync('npm', [...run, frozen, ...deleted], { stdio: ['ignore', 2, 2] }),
  };
}

function hasScript(): boolean {
  if (!existsSync('package.json')) return false;
  const { scripts = {} }: { scripts?: object } = JSON.parse(readFileSync('package.json', 'utf8'));
  return SCRIPT in scripts;
}
