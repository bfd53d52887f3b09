import { deref, keysOfPointer, type OpenApiDocument, pointerBelow, valueAt } from '@dateline/versions';
import { isPart } from '../../document/parts.ts';
import { FolderError } from '../../folder/folder-problem.ts';
import type { Reserved } from '../../folder/reserved.ts';
import type { Access } from '../access/derive-access.ts';
import { belowPlace, type DocumentTree } from '../document-tree.ts';
import { ENTRY, type ImportNotes, placeText, type SourcePlace } from '../import-notes.ts';
import { removables, wayTo } from './part-to-leave-out.ts';
import { repairOf } from './repairs.ts';
import { type Reading, readServable, type ServableProblem } from './servable-problems.ts';

export interface LeavingOut {
  tree: DocumentTree;
  notes: ImportNotes;
  access: Access;
  reserved: Reserved;
  /** Told before each reading but the first. */
  onRound(count: number): void;
}

const ROUNDS_MAX = 60;

/**
 * Leaves out what cannot be served, until the rest can: the reader of API folders says what, and the smallest part goes that its
 * problem goes away with. What comes up again goes with the next larger part.
 */
export function leaveOutUnservable({ tree, notes, access, reserved, onRound }: LeavingOut): Reading {
  const attempts = new Map<string, number>();
  for (let round = 0; ; round++) {
    const reading = readServable(tree, access, reserved);
    if (reading.problems.length === 0) return reading;
    onRound(reading.problems.length);
    const steps = reading.problems.flatMap(
      (problem) => stepFor(tree, reading.document, problem, attempts) ?? [],
    );
    if (steps.length === 0 || round === ROUNDS_MAX) throw refusal(tree, reading.problems);
    for (const step of inSafeOrder(steps)) apply(step, tree, notes);
  }
}

/** The document cannot do without what is wrong. */
function refusal(tree: DocumentTree, problems: readonly ServableProblem[]): FolderError {
  const told = problems.map(({ path, reason, whereIs }) => {
    const { file, pointer } = tree.sourceOf(whereIs(path ?? ''));
    return { file: file === ENTRY ? 'the document' : file, path: pointer, reason };
  });
  return new FolderError(told);
}

/** One thing that is done about a problem. */
interface Step {
  place: SourcePlace;
  source: SourcePlace;
  reason: string;
  /** Makes another value of what stands there; without it, that goes. */
  change?: (value: unknown) => unknown;
  kind: 'left out' | 'changed' | 'decide';
}

function stepFor(
  tree: DocumentTree,
  document: OpenApiDocument | null,
  problem: ServableProblem,
  attempts: Map<string, number>,
): Step[] | null {
  const { path, reason, whereIs } = problem;
  const source = tree.sourceOf(whereIs(path ?? ''));
  const key = JSON.stringify([placeText(source), reason]);
  const count = attempts.get(key) ?? 0;
  attempts.set(key, count + 1);
  if (path === null || document === null) return [brokenReference(tree, problem, count)];
  const repair = count === 0 ? repairOf(document, path, reason) : null;
  if (repair)
    return repair.map(({ pointer, named = pointer, ...step }) => ({
      ...step,
      place: whereIs(pointer),
      source: tree.sourceOf(whereIs(named)),
    }));
  const isInPath = (pointer: string): boolean => {
    const parameter = valueAt(document, pointer);
    return pointer.startsWith('/paths/') && isPart(parameter) && deref(document, parameter)?.in === 'path';
  };
  const choices = removables(document, path, isInPath);
  const choice = choices[Math.min(count, choices.length - 1)];
  if (!choice) return null;
  const place = placeIn(tree, choice.pointer, whereIs);
  return [
    {
      place,
      source: tree.sourceOf(place),
      reason,
      kind: 'left out',
      ...(choice.isOpened ? { change: () => ({}) } : {}),
    },
  ];
}

/** Where a part is that goes: what is a whole file of its own goes where it is referred to. */
function placeIn(tree: DocumentTree, pointer: string, whereIs: (path: string) => SourcePlace): SourcePlace {
  const place = whereIs(pointer);
  if (place.pointer !== '' || place.file === ENTRY) return place;
  const above = whereIs(pointer.slice(0, pointer.lastIndexOf('/')));
  const there = belowPlace(above, keysOfPointer(pointer).at(-1) ?? '');
  return tree.valueAt(there) === undefined ? place : there;
}

/** A reference that leads nowhere: of a schema it alone goes, and whatever else it is goes as a whole. */
function brokenReference(tree: DocumentTree, { whereIs, reason }: ServableProblem, count: number): Step {
  const place = whereIs('');
  const keys = keysOfPointer(place.pointer);
  const isSchema = place.file === ENTRY ? kindAt(place.pointer) === 'schema' : !OTHERS.test(place.pointer);
  const depth = isSchema ? count : count + (keys.at(-1) === '$ref' ? 1 : 0);
  const pointer = pointerBelow('', ...keys.slice(0, Math.max(1, keys.length - depth)));
  const chosen = { ...place, pointer };
  return { place: chosen, source: tree.sourceOf(chosen), reason, kind: 'left out' };
}

const kindAt = (pointer: string): string | undefined => wayTo(pointer).passed.at(-1)?.kind;

/** Places of references in other files that are no schemas. */
const OTHERS = /\/(?:parameters|responses|headers|requestBody|requestBodies|examples)\/[^/]+(?:\/\$ref)?$/;

/** What is deeper comes first, and later items of a list before earlier ones: no place moves before it is reached. */
function inSafeOrder(steps: readonly Step[]): Step[] {
  const depth = ({ place }: Step): number => keysOfPointer(place.pointer).length;
  const last = ({ place }: Step): string => keysOfPointer(place.pointer).at(-1) ?? '';
  return steps.toSorted(
    (one, other) =>
      depth(other) - depth(one) || last(other).localeCompare(last(one), 'en', { numeric: true }),
  );
}

function apply({ place, source, reason, kind, change }: Step, tree: DocumentTree, notes: ImportNotes): void {
  if (change) {
    tree.set(place, change(tree.valueAt(place)));
    notes.add(kind, source, kind === 'left out' ? `${reason}: anything fits there now` : reason);
  } else if (tree.remove(place)) notes.add(kind, source, reason);
}
