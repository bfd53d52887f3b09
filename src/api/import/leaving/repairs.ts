import { keysOfPointer, type OpenApiDocument, pointerBelow, valueAt } from '@dateline/versions';
import { isPart, type Part } from '../../document/parts.ts';
import { wayTo } from './part-to-leave-out.ts';

/** Something that is written differently, so that nothing has to be left out. */
export interface Repair {
  pointer: string;
  /** Makes another value of what stands there; without it, that goes. */
  change?: (value: unknown) => unknown;
  /** What is named, where that is less than what is written anew. */
  named?: string;
  reason: string;
  kind: 'left out' | 'changed' | 'decide';
}

/** Repairs a problem where it is clear how, and nothing is promised that was not; null where it is not. */
export function repairOf(document: OpenApiDocument, path: string, reason: string): Repair[] | null {
  const { passed, rest } = wayTo(path);
  const last = passed.at(-1);
  if (last?.kind === 'operation' && rest.join() === 'responses' && reason.startsWith('name the status'))
    return withSuccess(path);
  if (last?.kind === 'parameter' && rest.join() === 'required')
    return [
      {
        pointer: path,
        change: () => true,
        reason: 'a parameter of a path is always required',
        kind: 'changed',
      },
    ];
  if (last?.kind === 'parameter' && rest[0] === 'style') return asOneText(document, last.pointer, path);
  if (last?.kind === 'mediaType' && rest.length === 0) return asPlainType(document, path);
  return null;
}

/** Only errors are named: what a success looks like is for a person to say. */
function withSuccess(path: string): Repair[] {
  const change = (responses: unknown): Part => ({
    ...(isPart(responses) ? responses : {}),
    '200': { description: 'Done.' },
  });
  const reason =
    'no status of a success is named: 200 without a body was added, so say what a success answers';
  return [{ pointer: path, named: pointerBelow(path, '200'), change, reason, kind: 'decide' }];
}

/** A value in a path that is written in another way is one text, whatever is in it. */
function asOneText(document: OpenApiDocument, pointer: string, path: string): Repair[] {
  const parameter = valueAt(document, pointer);
  const isInPath = isPart(parameter) && parameter.in === 'path';
  const style = isPart(parameter) ? String(parameter.style) : '';
  const gone: Repair = {
    pointer: path,
    reason: `values of the style ${style} are not read`,
    kind: 'left out',
  };
  if (!isInPath) return [gone];
  const reason = `values of the style ${style} are not read: it is one text, passed on as it is`;
  const schema: Repair = {
    pointer: pointerBelow(pointer, 'schema'),
    change: () => ({ type: 'string' }),
    reason,
    kind: 'decide',
  };
  return [gone, schema];
}

/** A range of all types, or a type with parameters, stands for one type where that is not named beside it. */
function asPlainType(document: OpenApiDocument, path: string): Repair[] | null {
  const name = keysOfPointer(path).at(-1) ?? '';
  const above = path.slice(0, path.lastIndexOf('/'));
  const content = valueAt(document, above);
  const plain =
    name === '*/*' || name === '*' ? 'application/json' : name.replace(/\s*;.*$/, '').toLowerCase();
  if (!isPart(content) || !/^[\w.+-]+\/[\w.+-]+$/.test(plain) || hasType(content, plain)) return null;
  const change = (stated: unknown): Part =>
    Object.fromEntries(
      Object.entries(isPart(stated) ? stated : {}).map(([type, part]) => [
        type === name ? plain : type,
        part,
      ]),
    );
  const reason = `${name} is no single media type: it is ${plain}, so say which it is`;
  return [{ pointer: above, named: path, change, reason, kind: 'decide' }];
}

const hasType = (content: Part, type: string): boolean =>
  Object.keys(content).some((name) => name.toLowerCase().replace(/\s*;.*$/, '') === type);
