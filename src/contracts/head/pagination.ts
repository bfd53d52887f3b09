import { Type } from 'typebox';
import { closed, text } from './fields.ts';
import { internal } from './operation-parts.ts';

export const Limit = Type.Integer({ minimum: 1, maximum: 100 });

/** A page is asked for by where it starts. */
export const cursorQuery = {
  limit: Type.Optional(Limit),
  cursor: Type.Optional(text(0, 200)),
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
