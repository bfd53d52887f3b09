import type { Operation } from '@dateline/versions';

/** A segment of a path as some upstream reads it, and whether the caller has chosen it. */
export interface ReadSegment {
  text: string;
  isChosen: boolean;
}

/** The operations that the upstream has, by their paths. */
export interface Targets {
  /** The other operations that a path may lead to by what its caller has chosen. */
  reachedBy(operation: Operation, path: readonly ReadSegment[]): Operation[];
}

/** Where some paths go on alike. */
interface Branch {
  operations: Operation[];
  named: Map<string, Branch>;
  /** Behind a segment that is a parameter and nothing else. */
  parameter: Branch | null;
  /** Behind segments with a parameter and text beside it. */
  mixed: Map<string, { pattern: RegExp; branch: Branch }>;
}

/** Made once for all operations: finding those of a path takes as long as the path, and not as the list. */
export function createTargets(operations: readonly Operation[]): Targets {
  const roots = new Map<string, Branch>();
  for (const operation of operations) {
    const root = branchIn(roots, operation.method);
    const segments = operation.path.split('/').filter(Boolean);
    segments.reduce(branchBelow, root).operations.push(operation);
  }
  return {
    reachedBy({ id, method }, path) {
      const root = roots.get(method);
      const found = root ? reached(root, { path, at: 0, isReached: false }) : [];
      return found.filter((other) => other.id !== id);
    },
  };
}

const newBranch = (): Branch => ({ operations: [], named: new Map(), parameter: null, mixed: new Map() });

function branchIn(branches: Map<string, Branch>, name: string): Branch {
  const branch = branches.get(name) ?? newBranch();
  branches.set(name, branch);
  return branch;
}

function branchBelow(branch: Branch, segment: string): Branch {
  if (!segment.includes('{')) return branchIn(branch.named, asRead(segment));
  if (/^\{[^{}]*\}$/.test(segment)) {
    branch.parameter ??= newBranch();
    return branch.parameter;
  }
  const source = patternOf(segment);
  const known = branch.mixed.get(source) ?? { pattern: new RegExp(source, 'su'), branch: newBranch() };
  branch.mixed.set(source, known);
  return known.branch;
}

/** A parameter and the text beside it, as `asRead` leaves them. */
function patternOf(segment: string): string {
  const texts = segment.split(/\{[^{}]*\}/).map((text) => text.toLowerCase());
  return `^${texts.map((text) => text.replaceAll(/[$()+.]/g, '\\$&')).join('.*')}`;
}

/** A path on its way; `isReached` once something that the caller has chosen is what a path names there. */
interface Walk {
  path: readonly ReadSegment[];
  at: number;
  isReached: boolean;
}

function reached(branch: Branch, { path, at, isReached }: Walk): Operation[] {
  const segment = path[at];
  if (segment === undefined) return isReached ? branch.operations : [];
  const { text, isChosen } = segment;
  const next = { path, at: at + 1, isReached: isReached || isChosen };
  const found = namedBy(branch, text).flatMap((below) => reached(below, next));
  if (branch.parameter) found.push(...reached(branch.parameter, { path, at: at + 1, isReached }));
  return found;
}

/** Where a segment leads that some path names. */
function namedBy({ named, mixed }: Branch, text: string): Branch[] {
  const found: Branch[] = [];
  const same = named.get(text);
  if (same) found.push(same);
  // Some serve `/orders.json` as `/orders`.
  const shorter = text.includes('.') ? text.replace(/\.\w+$/, '') : text;
  const other = shorter === text ? undefined : named.get(shorter);
  if (other) found.push(other);
  for (const { pattern, branch } of mixed.values()) if (pattern.test(text)) found.push(branch);
  return found;
}

/** A segment without what some upstream ignores: the case, other forms of letters, dots and spaces at its end, and matrix parameters. */
export function asRead(segment: string): string {
  if (isPlain(segment)) return segment.toLowerCase();
  const [plain = ''] = segment.normalize('NFKC').toLowerCase().split(/[;?#]/, 1);
  return plain.trim().replace(/[. ]+$/, '');
}

const PLAIN = /^[\w-]+$/;

/** Letters, digits, dashes and underscores of ASCII: nobody reads them as something else, but for their case. */
export function isPlain(segment: string): boolean {
  return PLAIN.test(segment);
}
