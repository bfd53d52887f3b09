import { type TProperties, type TSchema, Type } from 'typebox';
import { passwordLengthMax, passwordLengthMin } from '../../identity/passwords.ts';
import { LIMIT_MAX } from '../app/paging.ts';

// Control characters are never meant, and PostgreSQL cannot store NUL.
export const Printable = '^[^\\u0000-\\u001f\\u007f]+$';

/** Format characters are invisible, and some turn the text around them: a name with them looks like another one. */
const VISIBLE = '^[^\\p{Cc}\\p{Cf}]+$';

export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: VISIBLE });

/** Loose on purpose: only a message to an address proves that it works. */
export const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s\\u0000-\\u001f\\u007f@]+@[^\\s\\u0000-\\u001f\\u007f@]+$',
});

export const Password = Type.String({ minLength: passwordLengthMin, maxLength: passwordLengthMax });

/** Any text: an id that does not exist is a 404, whatever it looks like. */
export const AnyId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_]+$' });

/** Any text: one that is not a token is unknown. */
export const Secret = Type.String({ minLength: 1, maxLength: 1_000 });

/** Why something is done, in the operator's words. */
export const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: Printable });

export const Text = Type.String();
export const Time = Type.String({ format: 'date-time' });
export const Day = Type.String({ format: 'date' });
export const Count = Type.Integer({ minimum: 0 });

export const closed = { additionalProperties: false } as const;

/** An object of these fields and no others. */
export const object = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, closed);

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** One of these texts. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values });

/** The same schema with words about it. */
export function describe<Schema extends TSchema>(schema: Schema, description: string): Schema {
  // A spread would lose what the builder keeps beside the schema, unseen.
  const { description: _replaced, ...parts } = Object.getOwnPropertyDescriptors(
    schema,
  ) as PropertyDescriptorMap;
  return Object.defineProperties({ description }, parts) as unknown as Schema;
}

/** A field that may be left out, with words about it. */
export const optional = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(describe(schema, description));

/** The body of every request that revokes something. */
export const Revoking = object({ reason: optional(Reason, 'Why, for the audit log.') });

/** The body of every request that disables something. */
export const Disabling = object({
  reason: optional(Reason, 'Why, for the audit log. A key with the role support must give it.'),
});

/** A field that was renamed. Answers have it beside the new one until 2027-01 is Current. */
export const formerName = (name: string) =>
  Type.String({
    deprecated: true,
    description: `The former name of ${name}; it goes when 2027-01 is Current.`,
  });

/** An object schema of another API, with words for each of its fields. */
export function described<Properties extends TProperties>(
  { properties }: { properties: Properties },
  words: Readonly<Record<keyof Properties, string>>,
) {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    describe(schema, words[name] ?? ''),
  ]);
  return object(Object.fromEntries(entries) as Properties);
}

/** Query parameters of every list. */
export const pageQuery = {
  limit: optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX }), 'How many items at most; 50 by default.'),
  cursor: optional(
    Type.String({ pattern: '^[A-Za-z0-9_]{0,64}$' }),
    'The next_cursor of the page before; empty or left out for the first page.',
  ),
};

/** The answer of every list. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  object({
    items: describe(Type.Array(item), 'The items of this page.'),
    pagination: describe(
      object({ next_cursor: describe(orNull(Text), 'The cursor of the next page; null on the last one.') }),
      'The next page.',
    ),
  });

/** Query parameters of every list with a search. */
export const searchQuery = {
  ...pageQuery,
  search: optional(
    Type.String({ minLength: 1, maxLength: 200, pattern: Printable }),
    'A part of a name or an address, or an id.',
  ),
};
