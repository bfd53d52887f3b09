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

const made = new Map<string, Statement>();

export function statement(name: string, text: string): Statement {
  if (name.length > NAME_LENGTH_MAX) throw new Error(`the name of a statement is too long: ${name}`);
  const statement = Object.freeze({ name, text });
  made.set(name, statement);
  return statement;
}

/** The statements of all loaded modules: test/storage/plans.test.ts explains each of them. */
export function knownStatements(): Statement[] {
  return [...made.values()];
}

/**
 * The rows of a table where this holds, looked up by themselves: what stands beside them, and what is asked of them, is
 * not considered. PostgreSQL would join a table that it believes to be small as a whole, and keep that plan when it has grown.
 */
export function oneByOne(table: string, where: string): string {
  return `select * from {schema}.${table} where ${where} offset 0`;
}

/**
 * A limit that changes nothing, on rows of which there are as many as in a parameter's list: PostgreSQL expects a tenth of them, so
 * one, and looks up by its key what they are joined with, as above.
 */
export function expectOne(list: `$${number}`): string {
  return `limit coalesce(array_length(${list}, 1), 0)`;
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
