// By the beginnings of words, with the text search that PostgreSQL has built in: `ilike '%…%'` reads the whole table.

const PUNCTUATION = "'!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~'";
const PUNCTUATION_LENGTH = 32;

/** Of those that match; more are not put in order. */
const READ_MAX = 200;

interface WordSearch {
  table: string;
  /** What is searched; the table has an index of the words of just this. */
  text: string;
  select: string;
  /** By which the rows are put in order. */
  name: string;
  /** SQL of what else is a match; it needs an index, too. */
  or?: string;
}

/**
 * SQL for a search: rows whose text has all words of `wordQuery`, those of just the name $2 first, at most $3. Every
 * row is read by an index.
 */
export function wordSearch({ table, text, select, name, or }: WordSearch): string {
  const matches = `${wordsOf(text)} @@ to_tsquery('pg_catalog.simple', $1)${or ? ` or ${or}` : ''}`;
  return `select ${select} from (
     select * from {schema}.${table} where deleted_at is null and (${matches}) limit ${READ_MAX}) found
   order by lower(${name}) <> lower($2), lower(${name}), id limit $3`;
}

/** SQL for the words of a text, in lower case. Every address is words: the parser would keep some of them as one. */
export function wordsOf(text: string): string {
  return `to_tsvector('pg_catalog.simple', translate(${text}, ${PUNCTUATION}, rpad('', ${PUNCTUATION_LENGTH})))`;
}

/** The words of a search: all are meant, and the last may go on. Null where there is none. */
export function wordQuery(search: string): string | null {
  const words = search.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word !== '');
  return words.length === 0 ? null : `${words.map((word) => `'${word}'`).join(' & ')}:*`;
}

/** The parameters of a `wordSearch`; null where the text has no words. Reads one more than the limit. */
export function wordSearchGiven(search: string, limit: number): [string, string, number] | null {
  const query = wordQuery(search);
  return query === null ? null : [query, search, limit + 1];
}
