import { Type } from 'typebox';

// Control characters are never meant, and PostgreSQL cannot store NUL.
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$';
/** Format characters are invisible, and some turn the text around them: a name with them looks like another one. */
const VISIBLE = '^[^\\p{Cc}\\p{Cf}]*$';
const WITHOUT_NUL = '^[^\\u0000]*$';

export const Timestamp = Type.String({ format: 'date-time' });
export const Identifier = Type.String();

/** An id in a request. One that does not exist is reported as not found, even if it is malformed. */
export const AnyIdentifier = Type.String({ minLength: 1, maxLength: 64, pattern: PRINTABLE });

export const Description = Type.Union([Type.String({ maxLength: 5_000 }), Type.Null()]);
/** It may have lines. */
export const DescriptionInput = Type.Union([
  Type.String({ maxLength: 5_000, pattern: WITHOUT_NUL }),
  Type.Null(),
]);
export const text = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: PRINTABLE });

/** A name that people read. */
export const nameText = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: VISIBLE });

export const Currency = Type.String({ pattern: '^[a-z]{3}$' });
/** Minor units: cents, pence. */
export const Amount = Type.Integer({ minimum: 0, maximum: 9_007_199_254_740_991 });

export const closed = { additionalProperties: false } as const;

/** The time in examples. */
export const NOON = '2026-11-15T12:00:00.000Z';
