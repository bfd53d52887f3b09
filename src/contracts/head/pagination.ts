import { Type } from 'typebox';
import { closed, text } from './fields.ts';
import { internal } from './operation-parts.ts';

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
