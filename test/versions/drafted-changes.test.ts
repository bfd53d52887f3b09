import {
  type ApiSource,
  apiSteps,
  apiVersion,
  at,
  compileApi,
  draftChanges,
  event,
  expandChanges,
  type OpenApiDocument,
  operation,
  schema,
  stepProofProblems,
  undecided,
  type WrittenChange,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { contractIn, documentOf, json, operationOf, ref } from '../support/versions/written-api.ts';

type Part = Readonly<Record<string, unknown>>;

const [text, number] = [{ type: 'string' }, { type: 'integer' }];

const object = (properties: Part, required: readonly string[] = Object.keys(properties)): Part => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

const paths = {
  '/orders': {
    get: operationOf('orders:list', object({ items: { type: 'array', items: ref('Order') } })),
    post: operationOf('orders:create', ref('Order'), ref('NewOrder')),
  },
};

interface Kind {
  what: string;
  older: Part;
  newer: Part;
  /** What is drafted, as far as it matters. */
  drafts: readonly string[];
  /** Code in the place of each question, in their order; left out where nothing is asked. */
  answers?: readonly string[];
}

/** One component in answers, and another one in requests. */
const answered = (older: Part, newer: Part) => ({ older: { Order: older }, newer: { Order: newer } });
const asked = (older: Part, newer: Part) => ({ older: { NewOrder: older }, newer: { NewOrder: newer } });
const inPaths = (older: Part, newer: Part) => ({ older: { paths: older }, newer: { paths: newer } });
const field = (one: Part) => object({ id: text, x: one });
const answering = (more: Part) => ({ '/x': { get: { operationId: 'x', ...more } } });
const done = (more: Part = {}) => ({ 200: { description: 'Done', ...more } });

const kinds: readonly Kind[] = [
  {
    what: 'a field that answers gain',
    ...answered(object({ id: text }), object({ id: text, gift: text })),
    drafts: ["schema('Order').field('gift').added()"],
  },
  {
    what: 'a field that requests may have',
    ...asked(object({ id: text }), object({ id: text, gift: text }, ['id'])),
    drafts: ["schema('NewOrder').field('gift').added()"],
  },
  {
    what: 'a field that requests must have',
    ...asked(object({ id: text }), object({ id: text, gift: text })),
    drafts: ["schema('NewOrder').field('gift').added({"],
    answers: ["() => ''"],
  },
  {
    what: 'a field that requests must have, with one value only',
    ...asked(object({ id: text }), object({ id: text, kind: { const: 'order' } })),
    drafts: ["schema('NewOrder').field('kind').added({ newer: () => (\"order\") })"],
  },
  {
    what: 'a field that answers lose',
    ...answered(object({ id: text, note: text }), object({ id: text })),
    drafts: ["schema('Order').field('note').removed({ older: undecided("],
    answers: ["() => ''"],
  },
  {
    what: 'a field that requests lose',
    ...asked(object({ id: text, note: text }), object({ id: text })),
    drafts: ["schema('NewOrder').field('note').removed()"],
  },
  {
    what: 'a field that may be another one by a new name',
    ...answered(object({ id: text, qty: number }), object({ id: text, quantity: number })),
    drafts: [
      "undecided('Order: is quantity what qty was?",
      "schema('Order').field('quantity').renamedFrom('qty')",
    ],
    answers: [''],
  },
  {
    what: 'a field that requests need not have any more, and answers may leave out',
    ...answered(object({ id: text, note: text }), object({ id: text, note: text }, ['id'])),
    drafts: ["schema('Order').field('note').optional({ older: undecided("],
    answers: ["() => ''"],
  },
  {
    what: 'a field that requests must not leave out any more',
    ...asked(object({ id: text, note: text }, ['id']), object({ id: text, note: text })),
    drafts: ["schema('NewOrder').field('note').required({ newer: undecided("],
    answers: ["() => ''"],
  },
  {
    what: 'another type of a field',
    ...answered(field(number), field(text)),
    drafts: ["schema('Order').field('x').changed({ downgrade: undecided("],
    answers: ['() => 1'],
  },
  {
    what: 'a limit that became looser for answers',
    ...answered(field({ type: 'string', maxLength: 5 }), field({ type: 'string', maxLength: 9 })),
    drafts: ["schema('Order').field('x').changed({ downgrade: undecided("],
    answers: ['(value) => value.slice(0, 5)'],
  },
  {
    what: 'a limit that became looser for requests',
    ...asked(field({ type: 'string', maxLength: 5 }), field({ type: 'string', maxLength: 9 })),
    drafts: ["schema('NewOrder').field('x').changed()"],
  },
  {
    what: 'a limit that became stricter for requests',
    ...asked(field({ type: 'integer', maximum: 9 }), field({ type: 'integer', maximum: 5 })),
    drafts: ["schema('NewOrder').field('x').changed({ upgrade: undecided("],
    answers: ['(value) => Math.min(value, 5)'],
  },
  {
    what: 'a value that answers gain',
    ...answered(field({ enum: ['a', 'b'] }), field({ enum: ['a', 'b', 'c'] })),
    drafts: ["schema('Order').field('x').values({"],
    answers: ["'a'"],
  },
  {
    what: 'a value of a component that is no object',
    older: { Order: object({ state: ref('State') }), State: { enum: ['a'] } },
    newer: { Order: object({ state: ref('State') }), State: { enum: ['a', 'b'] } },
    drafts: ["schema('State').values({"],
    answers: ["'a'"],
  },
  {
    what: 'a new operation',
    ...inPaths({}, { '/x': { get: operationOf('x', null) } }),
    drafts: ["operation('x').added()"],
  },
  {
    what: 'an operation that is gone',
    ...inPaths({ '/x': { get: operationOf('x', null) } }, {}),
    drafts: ["undecided('x is gone:", "operation('x').removed()"],
    answers: [''],
  },
  {
    what: 'another status of a success',
    ...inPaths(answering({ responses: done() }), answering({ responses: { 201: { description: 'Made' } } })),
    drafts: ["operation('x').status(201).was(200)"],
  },
  {
    what: 'a new error',
    ...inPaths(
      answering({ responses: { ...done(), 409: { description: 'No', 'x-error-codes': ['conflict'] } } }),
      answering({
        responses: { ...done(), 409: { description: 'No', 'x-error-codes': ['conflict', 'late'] } },
      }),
    ),
    drafts: ["operation('x').error(409, 'late').was(undecided("],
    answers: ["{ status: 409, code: 'conflict' }"],
  },
  {
    what: 'a header that answers gain',
    ...inPaths(
      answering({ responses: done() }),
      answering({ responses: done({ headers: { 'X-Total': { schema: text } } }) }),
    ),
    drafts: ["operation('x').header('x-total').added()"],
  },
  {
    what: 'a header that answers lose',
    ...inPaths(
      answering({ responses: done({ headers: { 'X-Total': { schema: text } } }) }),
      answering({ responses: done() }),
    ),
    drafts: ["operation('x').header('x-total').removed({ older: undecided("],
    answers: ["() => '0'"],
  },
  {
    what: 'a parameter of a query',
    ...inPaths(
      answering({ responses: done(), parameters: [{ name: 'old', in: 'query', schema: text }] }),
      answering({
        responses: done(),
        parameters: [
          { name: 'old', in: 'query', schema: text },
          { name: 'new', in: 'query', schema: text },
        ],
      }),
    ),
    drafts: ["at('x.query').field('new').added()"],
  },
  {
    what: 'an object in place',
    ...inPaths(
      { '/x': { get: operationOf('x', object({ id: text })) } },
      { '/x': { get: operationOf('x', object({ id: text, y: text })) } },
    ),
    drafts: ["at('x.responses.200.schema').field('y').added()"],
  },
  {
    what: 'a new event',
    older: {},
    newer: {
      webhooks: {
        'order.placed': { post: { summary: 'Placed', requestBody: json(ref('Order')), responses: done() } },
      },
    },
    drafts: ["event('order.placed').added()"],
  },
];

function document(version: string, { paths: more = {}, webhooks = {}, ...schemas }: Part): OpenApiDocument {
  const usual = { Order: object({ id: text }), NewOrder: object({ id: text }) };
  return documentOf(version, { ...usual, ...schemas }, { ...paths, ...(more as Part) }, webhooks as Part);
}

function sourceOf(kind: Kind, changes: readonly WrittenChange[]): ApiSource {
  const documents = [document('2026-10', kind.older), document('2027-01', kind.newer)];
  const contracts = new Map(documents.map((one) => [one, contractIn(one)]));
  const [older, newer] = [...contracts.values()];
  if (!older || !newer) throw new Error('there are two contracts');
  const set = { older: apiVersion('2026-10'), newer: apiVersion('2027-01'), changes };
  const { changeSet, problems } = expandChanges(set, older, newer);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { documents, changeSets: [changeSet], read: (one) => contracts.get(one) ?? contractIn(one) };
}

/** Runs drafted code, as a module would. */
function changesIn(code: string): WrittenChange[] {
  const words = { at, event, operation, schema, undecided };
  const run = new Function(...Object.keys(words), `return [${code}];`);
  return run(...Object.values(words));
}

/** The same with an answer in the place of each question. */
function decidedCode(code: string, answers: readonly string[]): string {
  const left = [...answers];
  const replaced = code.replaceAll(
    /undecided\('(?:[^'\\]|\\.)*'\)/g,
    () => left.shift() ?? 'nothing was asked for',
  );
  if (left.length > 0) throw new Error(`nobody asked for ${left.join(', ')}`);
  return replaced;
}

describe('a draft of changes', () => {
  it.each(kinds)('[draft] for $what passes the check, or asks what only a person knows', (kind) => {
    const [step] = apiSteps(sourceOf(kind, []));
    if (!step) throw new Error('there is one step');
    const drafts = draftChanges(step);
    const code = drafts.map((draft) => draft.code).join(',\n');
    for (const expected of kind.drafts) expect(code).toContain(expected);
    expect(drafts).toHaveLength(kind.drafts.length);
    const { answers = [] } = kind;
    expect(drafts.every(({ isDecided }) => isDecided)).toBe(answers.length === 0);
    if (answers.length > 0) expect(() => sourceOf(kind, changesIn(code))).toThrow('not decided yet');
    const source = sourceOf(kind, changesIn(decidedCode(code, answers)));
    compileApi(source);
    expect(apiSteps(source).flatMap((one) => stepProofProblems(one))).toEqual([]);
    expect(apiSteps(source).flatMap((one) => draftChanges(one))).toEqual([]);
  });

  it('[draft] names what it cannot draft', () => {
    const kind = {
      what: 'a body',
      ...inPaths(
        { '/x': { post: operationOf('x', null) } },
        { '/x': { post: operationOf('x', null, text) } },
      ),
      drafts: [],
    };
    const [step] = apiSteps(sourceOf(kind, []));
    const [draft] = step ? draftChanges(step) : [];
    expect(draft?.code).toMatch(
      /^undecided\('x\.body differs: write a change with functions by operation for it'\)$/,
    );
  });
});
