import type { TextShape } from '@dateline/versions';
import { ApiError } from '../../../../errors/api-error.ts';
import { readTexts } from './read-text.ts';

/** Beyond that nobody means it. */
const LEVELS_MAX = 10;
/** So that sorting them is all that numbers are good for. */
const INDEX = /^\d{0,4}$/;

/** The part of a name before its brackets, and what is in them; null where they are not as they should be. */
export function deepName(name: string): { base: string; keys: string[] } | null {
  const at = name.indexOf('[');
  if (at < 1 || !/^(?:\[[^[\]]*\])+$/.test(name.slice(at))) return null;
  return { base: name.slice(0, at), keys: name.slice(at + 1, -1).split('][') };
}

/** What stands at a name, and below it. */
interface Branch {
  texts: string[];
  below: Map<string, Branch>;
}

export interface DeepText {
  keys: readonly string[];
  text: string;
}

/** An object whose members are sent by names such as `filter[state]`; lists are `tags[]` or `tags[0]`. */
export function readDeep(shape: TextShape, texts: readonly DeepText[], name: string): unknown {
  const root = newBranch();
  for (const { keys, text } of texts) {
    if (keys.length > LEVELS_MAX)
      throw refused(`${name} has a name with more than ${LEVELS_MAX} pairs of brackets.`);
    // Another program might take it for a prototype.
    if (keys.includes('__proto__')) throw refused(`Nothing in ${name} can be called __proto__.`);
    keys.reduce(branchBelow, root).texts.push(text);
  }
  return valueAt(root, shape, name);
}

function branchBelow({ below }: Branch, key: string): Branch {
  const branch = below.get(key) ?? newBranch();
  below.set(key, branch);
  return branch;
}

const newBranch = (): Branch => ({ texts: [], below: new Map() });

function valueAt({ texts, below }: Branch, shape: TextShape, name: string): unknown {
  if (below.size === 0) return readTexts(shape, texts, name);
  if (texts.length > 0) throw refused(`${name} is given as a text and as an object.`);
  const keys = [...below.keys()];
  if (shape.takes('array') && keys.every((key) => INDEX.test(key))) return listAt(below, shape, name);
  return Object.fromEntries(
    [...below].map(([key, branch]) => [key, valueAt(branch, shape.property(key), name)]),
  );
}

function listAt(below: ReadonlyMap<string, Branch>, shape: TextShape, name: string): unknown[] {
  const sorted = [...below].sort(([one], [other]) => Number(one) - Number(other));
  return sorted.flatMap(([key, branch]) => {
    // `tags[]` may be there for each item.
    const isRepeated = key === '' && branch.below.size === 0;
    if (!isRepeated) return [valueAt(branch, shape.items, name)];
    return branch.texts.map((text) => readTexts(shape.items, [text], name));
  });
}

function refused(detail: string): ApiError {
  return new ApiError('validation_failed', { detail });
}
