/**
 * A hot statement, written out by hand. On PostgreSQL each connection prepares it once, under its name.
 * Tables are written `{schema}.tokens`: the handle that runs the statement puts its own schema there,
 * so the same text serves every environment and cannot name another one's tables.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** PostgreSQL cuts off what is longer: two names could become one. */
const NAME_LENGTH_MAX = 63;

export function statement(name: string, text: string): Statement {
  if (name.length > NAME_LENGTH_MAX) throw new Error(`the name of a statement is too long: ${name}`);
  return Object.freeze({ name, text });
}

export function withSchema(sql: string, schema: string): string {
  return sql.replaceAll('{schema}', `"${schema}"`);
}

/** Puts the schema into statements, once for each of them. */
export function createStatementTexts(schema: string): (statement: Statement) => string {
  const texts = new Map<Statement, string>();
  return (statement) => {
    const known = texts.get(statement);
    if (known !== undefined) return known;
    const text = withSchema(statement.text, schema);
    texts.set(statement, text);
    return text;
  };
}
