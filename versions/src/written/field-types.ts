// Types that compare the fields of values: what a change makes of one version for another.

/** The member of an object type, or of any of several; never where none has it. */
export type Member<Whole, Name> = Whole extends unknown
  ? Name extends keyof Whole
    ? Whole[Name]
    : never
  : never;

/** The names of members of any of several types. */
export type OwnKeys<Whole> = Whole extends unknown ? keyof Whole : never;

/** A value on its way between several types: their fields, each of any of them, and none that is required. */
export type Blend<Value> = [Value] extends [never] ? unknown : BlendOf<Value>;

type BlendOf<Value> = unknown extends Value
  ? unknown
  : Exclude<Value, object> | BlendedObject<Extract<Value, object>>;

type BlendedObject<Value> = [Value] extends [never]
  ? never
  : [Value] extends [readonly unknown[]]
    ? readonly BlendOf<Value[number]>[]
    : { readonly [Name in OwnKeys<Value>]?: BlendOf<Member<Value, Name>> | undefined };

/** The names in a value that no type of another has, at most four levels deep; never where it has none. */
export type UnknownFields<Value, Expected, Depth extends readonly unknown[] = []> = Depth['length'] extends 4
  ? never
  : unknown extends Value
    ? never
    : unknown extends Expected
      ? never
      : Value extends readonly (infer Item)[]
        ? UnknownFields<Item, ItemOf<Expected>, [...Depth, unknown]>
        : Value extends object
          ? UnknownMembers<Value, Extract<Expected, object>, Depth>
          : never;

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

type UnknownMembers<Value, Expected, Depth extends readonly unknown[]> = [Expected] extends [never]
  ? never
  : string extends OwnKeys<Expected> | keyof Value
    ? never
    : {
        [Name in keyof Value]-?: Name extends OwnKeys<Expected>
          ? UnknownFields<Value[Name], Member<Expected, Name>, [...Depth, unknown]>
          : Name;
      }[keyof Value];
