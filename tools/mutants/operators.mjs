import { nodesBelow, parse } from '../syntax.mjs';

const COMPARISONS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' };
const LOGIC = { '&&': '||', '||': '&&' };

/**
 * Every small change of a source file that ought to be noticed: where it is, and what stands there instead.
 * @returns {{ operator: string, start: number, end: number, by: string }[]}
 */
export function mutationsOf(file, text) {
  const found = [];
  for (const { node, around } of nodesBelow(parse(file, text).program)) {
    if (around.some(({ type }) => type.startsWith('TS') && !CARRIERS.has(type))) continue;
    found.push(...(OPERATORS[node.type]?.(node, text, around) ?? []));
  }
  return found;
}

/** Nodes of TypeScript's own that have code inside; in all others there are types alone. */
const CARRIERS = new Set([
  ...['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSParameterProperty'],
]);

const OPERATORS = {
  BinaryExpression: (node, text) => swapped('comparison', node, COMPARISONS[node.operator], text),
  LogicalExpression: (node, text) => swapped('logic', node, LOGIC[node.operator], text),
  ConditionalExpression: ({ test }, text) => [negated(test, text)],
  IfStatement: (node, text) => [negated(node.test, text), ...withoutEarlyEnd(node)],
  ExpressionStatement: withoutStatement,
  CallExpression: withoutWhere,
  Literal: otherLiteral,
  TemplateLiteral: (node, text) => otherSql(node, text),
  ArrayExpression: (node, _, around) =>
    node.elements.length > 0 && !isConstantList(around) ? [{ operator: 'empty', ...at(node), by: '[]' }] : [],
};

const at = ({ start, end }) => ({ start, end });

function swapped(operator, { left, right, operator: sign }, by, text) {
  if (by === undefined) return [];
  const start = text.indexOf(sign, left.end);
  return start < right.start ? [{ operator, start, end: start + sign.length, by }] : [];
}

function negated(test, text) {
  return { operator: 'negation', ...at(test), by: `!(${text.slice(test.start, test.end)})` };
}

/** `if (…) return …;` and `if (…) throw …;` are left out. */
function withoutEarlyEnd({ consequent, alternate, start, end }) {
  const only = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  const ends = only?.type === 'ReturnStatement' || only?.type === 'ThrowStatement';
  return ends && !alternate ? [{ operator: 'early end', start, end, by: '{}' }] : [];
}

/** A call for its effect alone is left out, or is not waited for. */
function withoutStatement(node) {
  const { expression } = node;
  const awaited = expression.type === 'AwaitExpression';
  const call = awaited ? expression.argument : expression;
  if (call.type !== 'CallExpression' || call.callee.type === 'Super') return [];
  const dropped = { operator: 'statement', ...at(node), by: '{}' };
  const notAwaited = { operator: 'await', start: node.start, end: call.start, by: 'void ' };
  return awaited ? [dropped, notAwaited] : [dropped];
}

/** A condition of the query builder. */
function withoutWhere({ callee, end }) {
  const isWhere = callee.type === 'MemberExpression' && callee.property.name === 'where';
  return isWhere ? [{ operator: 'sql condition', start: callee.object.end, end, by: '' }] : [];
}

function otherLiteral(node, text, around) {
  const { value } = node;
  if (typeof value === 'boolean') return [{ operator: 'boolean', ...at(node), by: String(!value) }];
  if (typeof value === 'number')
    return otherNumbers(value).map((by) => ({ operator: 'number', ...at(node), by }));
  if (typeof value !== 'string') return [];
  if (isSql(value)) return otherSql(node, text);
  return isName(value, node, around) ? [{ operator: 'empty', ...at(node), by: "''" }] : [];
}

function otherNumbers(value) {
  return [...new Set([0, value + 1, value - 1])].filter((other) => other !== value).map(String);
}

/** Names, not prose: header names, codes, states. What is imported or declared by a name has it elsewhere too. */
function isName(value, node, around) {
  const parent = around.at(-1);
  const isKey = parent.key === node || parent.type === 'ExpressionStatement';
  const isPath = parent.source === node;
  return /^[\w:./-]+$/.test(value) && !isKey && !isPath;
}

/** A list that is a constant of the module is data, of which a test would be a copy. */
function isConstantList(around) {
  return !around.some(({ type }) => type.includes('Function'));
}

function isSql(text) {
  return /\b(select|insert into|update|delete from)\s/.test(text) && /\{schema\}/.test(text);
}

const CONDITION = /\b(where|and|on)\s+/g;
const AFTER_CONDITION =
  /\b(and|or|order by|group by|limit|for|returning|union|on conflict|left join|join|set|from|as|then)\b/y;
const SQL_SIGNS = [
  [/ (<=|>=|<|>) /g, (sign) => ` ${COMPARISONS[sign.trim()]} `],
  [/ is not null\b/g, () => ' is null'],
  [/ is null\b/g, () => ' is not null'],
];

function otherSql(node, text) {
  const sql = text.slice(node.start + 1, node.end - 1);
  if (!isSql(sql)) return [];
  const signs = SQL_SIGNS.flatMap(([pattern, other]) =>
    [...sql.matchAll(pattern)].map(({ 0: sign, index }) => [index, sign, other(sign)]),
  );
  // Not left out: PostgreSQL would no longer know the type of a parameter that only it has.
  const conditions = [...sql.matchAll(CONDITION)].flatMap(({ 0: word, index }) => {
    const condition = conditionAt(sql, index + word.length);
    return condition ? [[index + word.length, condition, `(${condition} or true)`]] : [];
  });
  return [
    ...signs.map((one) => ({ operator: 'sql comparison', ...one })),
    ...conditions.map((one) => ({ operator: 'sql condition', ...one })),
  ].map(({ operator, 0: index, 1: old, 2: by }) => {
    const start = node.start + 1 + index;
    return { operator, start, end: start + old.length, by };
  });
}

/** The condition that begins here, up to what follows it outside of its brackets; nothing where that is no condition alone. */
function conditionAt(sql, start) {
  const end = endOfCondition(sql, start);
  const condition = sql.slice(start, end).trimEnd();
  const isWhole = /[=<>]| is | in |\bany\(|\bexists\b/.test(condition) && !/\bbetween\b|\$\{/.test(condition);
  return isWhole ? condition : undefined;
}

function endOfCondition(sql, start) {
  let depth = 0;
  let quoted = false;
  for (let index = start; index < sql.length; index += 1) {
    const char = sql[index];
    if (char === "'") quoted = !quoted;
    if (quoted) continue;
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    AFTER_CONDITION.lastIndex = index;
    if (depth < 0 || (depth === 0 && /\W/.test(sql[index - 1] ?? ' ') && AFTER_CONDITION.test(sql)))
      return index;
  }
  return sql.length;
}
