import { Type } from 'typebox';
import { closed, text } from './fields.ts';

export const Limit = Type.Integer({ minimum: 1, maximum: 100 });

/** A page is asked for by where it starts. */
export const cursorQuery = {
  limit: Type.Optional(Limit),
  cursor: Type.Optional(text(0, 200)),
};

export const CursorPagination = Type.Object(
  { next_cursor: Type.Union([Type.String(), Type.Null()]) },
  closed,
);
