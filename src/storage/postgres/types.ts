import pg from 'pg';

// Rows of hot statements hold many lists and instants. The driver reads any form that those can have, a character or a
// group at a time, which is most of what reading a token costs. The usual form is read here, any other is left to it.

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const TEXT_ARRAY: number = 1009;
const readAnyTexts: (text: string) => string[] = pg.types.getTypeParser(TEXT_ARRAY, 'text');
const readAnyInstant: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

/** Returns the function that parses a column of this type. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (format === 'binary') return pg.types.getTypeParser(oid, format);
  // As on the embedded database: bigint as number.
  if (oid === INT8) return Number;
  if (oid === TEXT_ARRAY) return readTexts;
  if (oid === TIMESTAMPTZ) return readInstant;
  return pg.types.getTypeParser(oid, 'text');
}

/** Where nothing is quoted, nested or null, splitting at commas is enough. */
function readTexts(text: string): string[] {
  if (text === '{}') return [];
  const isPlain = text.lastIndexOf('{') === 0 && !text.includes('"') && !text.includes('NULL');
  return isPlain ? text.slice(1, -1).split(',') : readAnyTexts(text);
}

const UTC_INSTANT = /^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** Such as `2026-11-15 12:00:00.123+00`: everything before the fraction has a fixed position. */
function readInstant(text: string): Date {
  if (!UTC_INSTANT.test(text)) return readAnyInstant(text);
  const two = (at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 11 * ZERO;
  const milliseconds = Number(text.slice(19, -3)) * 1000;
  const year = two(0) * 100 + two(2);
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), milliseconds));
}

const ZERO = '0'.charCodeAt(0);
