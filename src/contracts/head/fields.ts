import { Type } from 'typebox';
import { internal } from './operation-parts.ts';

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

export const Limit = Type.Integer({ minimum: 1, maximum: 100 });

/** A page is asked for by where it starts. */
export const cursorQuery = {
  limit: Type.Optional(Limit),
  cursor: Type.Optional(text(0, 200)),
};

/** The same where what is no cursor is refused. It is the id of the last item; an empty one means the beginning. */
export const idCursorQuery = (prefix: string) => ({
  ...cursorQuery,
  cursor: Type.Optional(Type.String({ maxLength: 200, pattern: `^(${prefix}_[0-9A-Za-z]{22})?$` })),
});

/** The same for lists whose items have a name such as `resource.action`. */
export const nameCursorQuery = {
  ...cursorQuery,
  cursor: Type.Optional(Type.String({ maxLength: 200, pattern: '^([a-z_]+\\.[a-z_]+)?$' })),
};

/** Older versions ask for a page by its number, and answer with how many items there are. */
export const numberedPage = {
  command: internal({ page: Type.Optional(Type.Integer({ minimum: 1 })) }),
  extras: internal({ totalCount: Type.Union([Type.Integer(), Type.Null()]) }),
};

export const CursorPagination = Type.Object(
  { next_cursor: Type.Union([Type.String(), Type.Null()]) },
  closed,
);
