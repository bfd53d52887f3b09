import { dirname } from 'node:path';
import { importsOf, nodesBelow, parse } from '../syntax.mjs';

/** The number of files in each folder, those in its folders aside. @param {readonly string[]} files */
export function filesPerFolder(files) {
  const counts = new Map();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return counts;
}

/** Type assertions, `x as T` and `<T>x`; `as const` and `satisfies` assert nothing. */
export function countAssertions(file, text) {
  const found = [...nodesBelow(parse(file, text).program)].filter(
    ({ node }) =>
      (node.type === 'TSAsExpression' || node.type === 'TSTypeAssertion') &&
      node.typeAnnotation.typeName?.name !== 'const',
  );
  return found.length;
}

/** @param {ReadonlyMap<string, string>} texts by path */
export function importGraph(texts) {
  return new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
}

/**
 * Groups of files that can all reach each other (Tarjan's strongly connected components of two or more).
 * @param {ReadonlyMap<string, readonly string[]>} graph
 * @returns {string[][]}
 */
export function circlesIn(graph) {
  const [order, low, stack, circles] = [new Map(), new Map(), [], []];
  function visit(file) {
    order.set(file, order.size);
    low.set(file, order.get(file));
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || graph.get(file)?.includes(file)) circles.push(group.sort());
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

const PRONOUNS = /^(What|Whether|Who|How|Those|All)\b/;

/** Doc comments, and those that begin with a pronoun instead of with a noun or a verb. */
export function countDocComments(file, text) {
  const docs = parse(file, text)
    .comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value }) => value.replace(/^[\s*]+/, ''));
  return { all: docs.length, pronouns: docs.filter((words) => PRONOUNS.test(words)).length };
}

export function countLines(text) {
  return text.match(/.*\n|.+$/g)?.length ?? 0;
}
