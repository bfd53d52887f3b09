import type { Change, ErrorFacts, Example } from '../contract/change.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { eventWords, operationWords } from './change-words.ts';
import type { EventChange, OperationChange } from './written-change.ts';

/** The two neighbours that a change is between, and the paths of their differences. */
export interface Neighbours {
  older: Contract;
  newer: Contract;
  paths: readonly string[];
}

/** A change of an operation, with its code by operation. */
export function operationChange(change: OperationChange, between: Neighbours): Change {
  const { operation: id, edit, by: _by, ...words } = change;
  const [older, newer] = [operationIn(between.older, id), operationIn(between.newer, id)];
  const called = calledBy(newer ?? older, id);
  const derived = operationWords(change, called);
  const { touches, ...code } = codeOf(id, change.edit);
  return {
    why: '',
    ...derived,
    examples: [operationExample(edit, called)],
    ...words,
    touches: found(touches, between),
    ...code,
  };
}

export function eventChange(change: EventChange, between: Neighbours): Change {
  const { event, edit, by: _by, ...words } = change;
  const isAdded = edit.kind === 'added';
  const { example } =
    (isAdded ? between.newer : between.older).events.find(({ kind }) => kind === event) ?? {};
  const shown = { event, data: example ?? {} };
  return {
    why: '',
    ...eventWords(change),
    examples: [isAdded ? { before: null, after: shown } : { before: shown, after: null }],
    ...words,
    touches: [event],
    ...(isAdded ? { downgradeEvent: { [event]: () => null } } : {}),
  };
}

type Code = Pick<
  Change,
  | 'touches'
  | 'redirects'
  | 'kept'
  | 'upgradeRequest'
  | 'downgradeStatus'
  | 'downgradeError'
  | 'downgradeHeaders'
>;

function codeOf(id: string, edit: OperationChange['edit']): Code {
  switch (edit.kind) {
    case 'added':
      return { touches: [id] };
    case 'removed': {
      const { as, upgrade } = edit;
      const upgradeRequest = upgrade ? { upgradeRequest: { [id]: upgrade } } : {};
      return {
        touches: [id],
        ...(as === undefined ? { kept: [id] } : { redirects: { [id]: as } }),
        ...upgradeRequest,
      };
    }
    case 'status': {
      const touches = [`${id}.responses.${edit.newer}`, `${id}.responses.${edit.older}`];
      return { touches, downgradeStatus: { [id]: { [edit.newer]: edit.older } } };
    }
    case 'error': {
      const { newer, older } = edit;
      const isThis = (error: ErrorFacts, operation: string): boolean =>
        operation === id && error.status === newer.status && error.code === newer.code;
      return {
        touches: [
          `${id}.errors.${newer.status}`,
          `${id}.errors.${older.status}`,
          `${id}.errorBodies.${newer.status}`,
        ],
        downgradeError: (error, operation) => (isThis(error, operation) ? { ...error, ...older } : error),
      };
    }
    case 'rule':
      return { touches: [`${id}.${edit.part}`] };
    case 'header added':
      return { touches: [`${id}.answerHeaders`] };
    case 'header removed': {
      const { header, older } = edit;
      return {
        touches: [`${id}.answerHeaders`],
        downgradeHeaders: { [id]: (headers) => ({ ...headers, [header]: older(headers) }) },
      };
    }
    default:
      return edit satisfies never;
  }
}

/** Those that lead to a difference; one where none does, so that it is told. */
function found(touches: readonly string[], { paths }: Neighbours): readonly string[] {
  const leading = touches.filter((touch) =>
    paths.some((path) => path === touch || path.startsWith(`${touch}.`)),
  );
  return leading.length > 0 ? leading : touches.slice(0, 1);
}

function operationIn({ operations }: Contract, id: string): Operation | undefined {
  return operations.find((operation) => operation.id === id);
}

function calledBy(operation: Operation | undefined, id: string): string {
  return operation ? `${operation.method} ${operation.path}` : id;
}

function operationExample(edit: OperationChange['edit'], called: string): Example {
  switch (edit.kind) {
    case 'added':
    case 'rule':
    case 'header added':
      return { before: null, after: { request: called } };
    case 'removed':
    case 'header removed':
      return { before: { request: called }, after: null };
    case 'status':
      return {
        before: { answerTo: called, status: edit.older, body: {} },
        after: { answerTo: called, status: edit.newer, body: {} },
      };
    case 'error':
      return {
        before: { answerTo: called, status: edit.older.status, body: { code: edit.older.code } },
        after: { answerTo: called, status: edit.newer.status, body: { code: edit.newer.code } },
      };
    default:
      return edit satisfies never;
  }
}
