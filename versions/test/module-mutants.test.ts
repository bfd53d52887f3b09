import { readFileSync } from 'node:fs';
import {
  apiSteps,
  type Change,
  type Json,
  type JsonSchema,
  type Operation,
  sampleOf,
  stepProofProblems,
  type UpgradableRequest,
  type Validate,
  validator,
} from '@dateline/versions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema } from '../../test/support/contracts/from-schema.ts';
import { body, operation, source } from './two-versions.ts';

/** Two versions of an order, and the code between them. */
const closed = (properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const text = { type: 'string', maxLength: 40 };
const count = { type: 'integer', minimum: 0, maximum: 1_000_000 };
const common = {
  id: { ...text, minLength: 3 },
  paid: { type: 'boolean' },
  tags: { type: 'array', items: text },
};

const olderOrder = closed(
  {
    ...common,
    cents: count,
    state: { enum: ['open', 'done'] },
    note: text,
    lines: { type: 'array', items: closed({ sku: text, count }) },
    street: text,
    city: text,
  },
  ['note'],
);
const newerOrder = closed(
  {
    ...common,
    total: closed({ cents: count, currency: { enum: ['eur', 'usd'] } }),
    status: { enum: ['open', 'done', 'lost'] },
    comment: text,
    items: { type: 'array', items: closed({ sku: text, quantity: count }) },
    address: closed({ street: text, city: text }),
  },
  ['comment'],
);

const up = ({ cents, state, note, lines, street, city, ...order }: Json): Json => ({
  ...order,
  total: { cents, currency: 'eur' },
  status: state,
  ...(note === undefined ? {} : { comment: note }),
  items: (lines as Json[]).map(({ sku, count: quantity }) => ({ sku, quantity })),
  address: { street, city },
});
const down = ({ total, status, comment, items, address, ...order }: Json): Json => ({
  ...order,
  cents: (total as Json).cents,
  state: status === 'lost' ? 'done' : status,
  ...(comment === undefined ? {} : { note: comment }),
  lines: (items as Json[]).map(({ sku, quantity }) => ({ sku, count: quantity })),
  ...(address as Json),
});

const id = 'books:create';
const before: Operation = operation({ body: body(olderOrder), responses: { 200: body(olderOrder) } });
const after: Operation = operation({ body: body(newerOrder), responses: { 200: body(newerOrder) } });

type Translate = (value: Json) => Json;
const changeWith = (parts: { up?: Translate; down?: Translate }): Partial<Change> => ({
  upgradeRequest: {
    [id]: (request: UpgradableRequest) => ({ body: (parts.up ?? up)(request.body) }),
  },
  downgradeResponse: { [id]: (given) => (parts.down ?? down)(given) },
});
const problemsWith = (parts: Parameters<typeof changeWith>[0]): string[] =>
  apiSteps(source([before], [after], changeWith(parts))).flatMap(stepProofProblems);

/** A place in what a module makes: names, and `*` for every item of a list. */
type Place = readonly string[];

function placesIn(value: unknown): Place[] {
  if (Array.isArray(value))
    return value.length === 0 ? [] : placesIn(value[0]).map((place) => ['*', ...place]);
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value).flatMap(([name, part]) => [
    [name],
    ...placesIn(part)
      .filter((place) => place.length > 0)
      .map((place) => [name, ...place]),
  ]);
}

/** The member of its parent as it comes out; undefined leaves it out. */
type Edit = (parent: Record<string, unknown>, name: string) => void;

function edited(value: unknown, [name = '', ...rest]: Place, edit: Edit): unknown {
  if (name === '*' && Array.isArray(value)) return value.map((item) => edited(item, rest, edit));
  const copy: Record<string, unknown> = { ...(value as Json) };
  if (!(name in copy)) return copy;
  if (rest.length === 0) edit(copy, name);
  else copy[name] = edited(copy[name], rest, edit);
  return copy;
}

const mistyped = (value: unknown): unknown => {
  if (Array.isArray(value)) return {};
  if (typeof value === 'object') return [];
  return typeof value === 'string' ? 7 : 'text';
};
const another = (value: unknown): unknown => {
  if (typeof value === 'number') return value === 0 ? 1 : value - 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return value.slice(1);
  return value;
};

const edits: Readonly<Record<string, Edit>> = {
  dropped: (parent, name) => delete parent[name],
  renamed: (parent, name) => {
    parent[`${name}s`] = parent[name];
    delete parent[name];
  },
  doubled: (parent, name) => {
    parent[`${name}_copy`] = parent[name];
  },
  'set to null': (parent, name) => {
    parent[name] = null;
  },
  mistyped: (parent, name) => {
    parent[name] = mistyped(parent[name]);
  },
  thrown: (parent, name) => {
    if (parent[name] !== undefined) throw new Error('it throws');
  },
  'thrown for some values': (parent, name) => {
    const value = parent[name];
    if (value === false || value === 'done' || value === 0 || (Array.isArray(value) && value.length > 1))
      throw new Error('it throws');
  },
  'made too long': (parent, name) => {
    if (typeof parent[name] === 'string') parent[name] = `${parent[name]}${'x'.repeat(41)}`;
  },
  'made negative': (parent, name) => {
    if (typeof parent[name] === 'number') parent[name] = -1 - Number(parent[name]);
  },
  'too many by one': (parent, name) => {
    if (typeof parent[name] === 'number') parent[name] = Number(parent[name]) + 1;
  },
  emptied: (parent, name) => {
    if (typeof parent[name] === 'string') parent[name] = '';
  },
  'another value': (parent, name) => {
    parent[name] = another(parent[name]);
  },
};

/** A version's order, with values of another generator than the proof's. */
interface Side {
  sample: Json;
  values: Json[];
  validate: Validate;
}

const sideOf = (schema: JsonSchema): Side => ({
  sample: sampleOf(schema) as Json,
  values: fc.sample(fromSchema(schema), { numRuns: 300, seed: 7 }) as Json[],
  validate: validator(schema),
});
const older = sideOf(olderOrder);
const newer = sideOf(newerOrder);

interface Mutant {
  name: string;
  parts: { up?: Translate; down?: Translate };
  translate: Translate;
  original: Translate;
  from: Side;
  to: Side;
}

function mutantsOf(direction: 'up' | 'down'): Mutant[] {
  const [original, from, to] = direction === 'up' ? [up, older, newer] : [down, newer, older];
  return placesIn(original(from.sample)).flatMap((place) =>
    Object.entries(edits).map(([kind, edit]) => {
      const translate: Translate = (value) => edited(original(value), place, edit) as Json;
      return {
        name: `${direction}: ${place.join('.')} ${kind}`,
        parts: { [direction]: translate },
        translate,
        original,
        from,
        to,
      };
    }),
  );
}

/** True if what comes of any value leaves the schema, or the mutant throws. */
function leavesSchema({ translate, from, to }: Mutant): boolean {
  return from.values.some((value) => {
    try {
      return to.validate(translate(value)).length > 0;
    } catch {
      return true;
    }
  });
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What shows a mutant that stays within its schema: the tape's sample, the way there and back, or nothing. */
function shownBy({ translate, original, from, parts }: Mutant): string {
  const tape = !same(translate(from.sample), original(from.sample));
  const there = (value: Json): Json => (parts.down ?? down)((parts.up ?? up)(value));
  const roundTrip = !same(sorted(there(older.sample)), sorted(older.sample));
  return [tape ? 'tape' : '', roundTrip ? 'round trip' : ''].filter(Boolean).join(', ') || 'nothing';
}

const sorted = (value: Json): Json =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => one.localeCompare(other)));

function isEquivalent({ translate, original, from }: Mutant): boolean {
  return from.values.every((value) => same(translate(value), original(value)));
}

describe('mutants of a change module', () => {
  const mutants = [...mutantsOf('up'), ...mutantsOf('down')];
  const leaving = mutants.filter(leavesSchema);
  const staying = mutants.filter((mutant) => !leaving.includes(mutant) && !isEquivalent(mutant));

  it('are at least 200 that differ from the module, which passes itself', () => {
    expect(problemsWith({})).toEqual([]);
    expect(leaving.length + staying.length).toBeGreaterThanOrEqual(200);
  });

  it('are all found by the proof where what they make leaves its schema', () => {
    const missed = leaving.filter(({ parts }) => problemsWith(parts).length === 0).map(({ name }) => name);
    expect(missed).toEqual([]);
    expect(leaving.length).toBeGreaterThanOrEqual(150);
  });

  it('are listed where they stay within it, with what else shows them', () => {
    const unseen = staying.filter(({ parts }) => problemsWith(parts).length === 0);
    const rows = unseen.map((mutant) => `| ${mutant.name} | ${shownBy(mutant)} |`);
    const document = readFileSync('docs/module-mutants.md', 'utf8');
    expect(document.split('\n').filter((line) => /^\| (up|down): /.test(line))).toEqual(rows);
  });
});
