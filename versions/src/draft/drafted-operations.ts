import type { ApiStep } from '../compile/api-steps.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import {
  asking,
  type Draft,
  type Drafted,
  decided,
  type NamedDifference,
  quoted,
  undecided,
} from './draft.ts';

/** Drafts what is about operations and events as a whole: those that came or went, their statuses, errors, headers and rules. */
export function draftedOperations(differences: readonly NamedDifference[], step: ApiStep): Drafted {
  const drafts: Draft[] = [];
  const left: NamedDifference[] = [];
  for (const difference of differences) {
    const draft = draftOf(difference, step);
    if (draft === null) left.push(difference);
    else drafts.push(...[draft].flat());
  }
  return { drafts, left };
}

/** Null where it is about a field. */
function draftOf({ path, name, definitions }: NamedDifference, step: ApiStep): Draft | Draft[] | null {
  const [older, newer] = [operationIn(step.older, name), operationIn(step.newer, name)];
  if (path === name) return wholeDraft(name, step);
  if (definitions.older !== null || definitions.newer !== null || !older || !newer) return null;
  const rest = path.slice(name.length + 1);
  const [part = '', status = '', ...further] = rest.split('.');
  if (part === 'answerHeaders') return headerDrafts(name, older, newer);
  if (part === 'errors') return errorDrafts(name, status, { older, newer }, step.older.version);
  if (part === 'responses' && further.length === 0) return statusDraft(name, status, { older, newer });
  if (RULES.has(part)) return decided(`operation(${quoted(name)}).rule(${quoted(rest)})`);
  return null;
}

/** Parts that need no code: what a caller may do, and how values are written. */
const RULES = new Set(['security', 'groups', 'clientAuthentication', 'unknownQuery', 'allowSlash']);

function wholeDraft(name: string, { older, newer }: ApiStep): Draft | Draft[] {
  const isEvent = [...older.events, ...newer.events].some(({ kind }) => kind === name);
  const isAdded = !operationIn(older, name) && !older.events.some(({ kind }) => kind === name);
  if (isEvent) return decided(`event(${quoted(name)}).${isAdded ? 'added' : 'removed'}()`);
  if (isAdded) return decided(`operation(${quoted(name)}).added()`);
  const question = `${name} is gone: which operation does its work now (removed({ as: 'its id' })), or is the work still done as it was (removed())?`;
  return [undecided(question), decided(`operation(${quoted(name)}).removed()`)];
}

function headerDrafts(id: string, older: Operation, newer: Operation): Draft[] {
  const [before, after] = [older.answerHeaders ?? [], newer.answerHeaders ?? []];
  const header = (name: string): string => `operation(${quoted(id)}).header(${quoted(name)})`;
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => decided(`${header(name)}.added()`)),
    ...before
      .filter((name) => !after.includes(name))
      .map((name) => {
        const question = `which value has the header ${name} in answers of ${id} to older versions?`;
        return {
          code: `${header(name)}.removed({ older: ${asking(question)} })`,
          isDecided: false,
        };
      }),
  ];
}

interface Both {
  older: Operation;
  newer: Operation;
}

function errorDrafts(id: string, status: string, { older, newer }: Both, version: string): Draft[] {
  const known = older.errors[Number(status)] ?? [];
  const added = (newer.errors[Number(status)] ?? []).filter((code) => !known.includes(code));
  if (added.length === 0) return [decided(`operation(${quoted(id)}).rule(${quoted(`errors.${status}`)})`)];
  return added.map((code) => {
    const question = `which error of ${version} is ${status} ${code} of ${id}? Write { status: …, code: '…' }`;
    return {
      code: `operation(${quoted(id)}).error(${status}, ${quoted(code)}).was(${asking(question)})`,
      isDecided: false,
    };
  });
}

/** One success that became another one is known by its body; anything else is for a person to say. */
function statusDraft(id: string, status: string, { older, newer }: Both): Draft | null {
  const gone = Object.keys(older.responses).filter((one) => !(one in newer.responses));
  const added = Object.keys(newer.responses).filter((one) => !(one in older.responses));
  if (gone.includes(status) && added.length > 0)
    return added.length === 1 ? statusBecame(id, added[0], gone[0]) : null;
  if (gone.includes(status))
    return decided(`operation(${quoted(id)}).rule(${quoted(`responses.${status}`)})`);
  if (gone.length === 1 && added.length === 1) return statusBecame(id, added[0], gone[0]);
  const question = `which status of the older version is ${status} of ${id}?`;
  return {
    code: `operation(${quoted(id)}).status(${status}).was(${asking(question)})`,
    isDecided: false,
  };
}

function statusBecame(id: string, newer = '', older = ''): Draft {
  return decided(`operation(${quoted(id)}).status(${newer}).was(${older})`);
}

function operationIn({ operations }: Contract, id: string): Operation | undefined {
  return operations.find((operation) => operation.id === id);
}
