import type { Session } from './database.ts';
import { statement } from './statement.ts';

// By the beginnings of words, with the text search that PostgreSQL has built in: `ilike '%…%'` reads the whole table.

const PUNCTUATION = "'!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~'";
const PUNCTUATION_LENGTH = 32;

/** Of a search; the index is asked for each. */
const WORDS_MAX = 32;

/** Of those that match; more are not put in order. */
const READ_MAX = 200;

interface SearchedRows {
  table: string;
  /** What is searched; the table has an index of the words of just this. */
  text: string;
  select: string;
  /** By which the rows are put in order. */
  name: string;
  /** SQL of what else is a match to the text $2; it needs an index, too. */
  or?: string;
}

/** Rows that have all words of the text, those of just this name first. Reads one more than the limit; none where it has no words. */
export type WordSearch<Row> = (session: Session, text: string, limit: number) => Promise<Row[]>;

/** Every row is read by an index. */
export function wordSearch<Row>(
  name: string,
  { table, text, select, name: rowName, or }: SearchedRows,
): WordSearch<Row> {
  const matches = `${wordsOf(text)} @@ to_tsquery('pg_catalog.simple', $1)${or ? ` or ${or}` : ''}`;
  const sql = statement(
    name,
    `select ${select} from (
       select * from {schema}.${table} where deleted_at is null and (${matches}) limit ${READ_MAX}) found
     order by lower(${rowName}) <> lower($2), lower(${rowName}), id limit $3`,
  );
  return async (session, search, limit) => {
    const query = wordQuery(search);
    return query === null ? [] : session.run<Row>(sql, [query, search, limit + 1]);
  };
}

/** SQL for the words of a text, in lower case. Every address is words: the parser would keep some of them as one. */
function wordsOf(text: string): string {
  return `to_tsvector('pg_catalog.simple', translate(${text}, ${PUNCTUATION}, rpad('', ${PUNCTUATION_LENGTH})))`;
}

/** The words of a search: all are meant, and the last may go on. Null where there is none. */
function wordQuery(search: string): string | null {
  const words = search.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word !== '');
  return words.length === 0
    ? null
    : `${words
        .slice(0, WORDS_MAX)
        .map((word) => `'${word}'`)
        .join(' & ')}:*`;
}
