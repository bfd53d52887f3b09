import {
  type Body,
  type Contract,
  declaredBody,
  type JsonSchema,
  type Operation,
} from '../../contract/contract.ts';
import { isPart } from '../../openapi/plain-data.ts';
import { statementsIn } from '../../schema/text-shape.ts';
import type { FieldChange } from '../written-change.ts';
import {
  ambiguousValues,
  type FieldEdits,
  type FieldFacts,
  fieldEdits,
  renamingAll,
  type ValueEdit,
} from './field-edits.ts';
import { definitionsNamed } from './named-definitions.ts';
import { createRewriter, type Rewrite } from './rewrite-values.ts';
import type { SchemaPlace } from './statements-at.ts';
import { componentsAt, type Side, subjectAt, subjectSchemas } from './subject-at.ts';

export interface RewriteSource {
  older: Contract;
  newer: Contract;
  changes: readonly FieldChange[];
  /** Operations that others do the work of in the newer version. */
  redirects: Readonly<Record<string, string>>;
}

/** What has to be edited of requests, answers and events; only what has to. */
export interface ContractRewrites {
  up: { requests: ReadonlyMap<string, RequestRewrites> };
  down: {
    answers: ReadonlyMap<string, RewriteFor>;
    errors: ReadonlyMap<string, RewriteFor>;
    events: ReadonlyMap<string, Rewrite>;
  };
  /** The code of each change. */
  edits: readonly FieldEdits[];
  problems: readonly string[];
}

interface RequestRewrites {
  body: Rewrite | null;
  query: Rewrite | null;
  headers: Rewrite | null;
}

/** By the status of the answer, as the newer version has it. */
type RewriteFor = (status: number) => Rewrite | null;

export function contractRewrites(source: RewriteSource): ContractRewrites {
  const { older, newer, changes } = source;
  const problems = new Set(changes.flatMap((change) => changeProblems(change, source)));
  const edits = changes.map((change) => fieldEdits(change.field, change.edit, fieldFacts(change, newer)));
  const onProblem = (path: string, reason: string): void => {
    problems.add(
      `${path}: ${reason}, so nobody can say which fields it has: write its change with functions by operation`,
    );
  };
  const side = (version: Side, code: (edits: FieldEdits) => FieldEdits['up']) =>
    rewriterOf({ changes, edits: edits.map(code), side: version, onProblem });
  const [up, down] = [side('older', (one) => one.up), side('newer', (one) => one.down)];
  return {
    up: { requests: requestRewrites(older, up) },
    down: {
      answers: answerRewrites(source, down, successesOf),
      errors: answerRewrites(source, down, errorsOf),
      events: eventRewrites(newer, down),
    },
    edits,
    problems: [...problems],
  };
}

type Rewriter = (schema: JsonSchema | null | undefined, path: string) => Rewrite | null;

interface RewriterParts {
  changes: readonly FieldChange[];
  edits: readonly FieldEdits['up'][];
  side: Side;
  onProblem(path: string, reason: string): void;
}

/** Down, the last change comes first. */
function rewriterOf({ changes, edits, side, onProblem }: RewriterParts): Rewriter {
  const active = changes.flatMap((change, index) => {
    const edit = edits[index];
    return edit ? [{ edit, isAt: subjectAt(change, side), change }] : [];
  });
  const inOrder = side === 'older' ? active : active.toReversed();
  const edited = new Set(active.flatMap(({ change: { subject } }) => nameIn(subject, side)));
  const editsAt = (places: readonly SchemaPlace[]) =>
    renamedTogether(
      inOrder.filter(({ isAt }) => places.some(isAt)),
      side,
    );
  const known = new Map<unknown, ReturnType<typeof createRewriter>>();
  return (schema, path) => {
    if (!schema || active.length === 0) return null;
    const { $defs: definitions } = schema;
    const rewriter = known.get(definitions) ?? createRewriter({ definitions, editsAt, edited, onProblem });
    known.set(definitions, rewriter);
    return rewriter({ schema, path, name: null, isShared: false });
  };
}

interface ActiveEdit {
  edit: ValueEdit;
  change: FieldChange;
}

/** Names that are exchanged or passed on are read before any of them is written. */
function renamedTogether(active: readonly ActiveEdit[], side: Side): ValueEdit[] {
  const renames = active.flatMap((one) => {
    const { field, edit } = one.change;
    if (edit.kind !== 'moved') return [];
    const [[from, deeper], [to, further]] = side === 'older' ? [edit.from, field] : [field, edit.from];
    const isName = from !== undefined && to !== undefined && deeper === undefined && further === undefined;
    return isName ? [{ one, from, to }] : [];
  });
  const [first, ...others] = renames;
  if (!first || others.length === 0) return active.map(({ edit }) => edit);
  const all = renamingAll(new Map(renames.map(({ from, to }) => [from, to])));
  return active
    .filter((one) => !others.some((other) => other.one === one))
    .map((one) => (one === first.one ? all : one.edit));
}

function nameIn(subject: FieldChange['subject'], side: Side): string[] {
  if (!('schema' in subject)) return [];
  return [side === 'older' ? (subject.was ?? subject.schema) : subject.schema];
}

function requestRewrites({ operations }: Contract, rewriter: Rewriter): Map<string, RequestRewrites> {
  const found = operations.map(({ id, body, query, headers }): [string, RequestRewrites] => [
    id,
    {
      body: rewriter(body?.schema, `${id}.body.schema`),
      query: rewriter(query, `${id}.query`),
      headers: rewriter(headers, `${id}.headers`),
    },
  ]);
  return new Map(found.filter(([, { body, query, headers }]) => body || query || headers));
}

/** Of the operations that answer older ones. Those that are kept have no newer form. */
function answerRewrites(
  { older, newer, redirects }: RewriteSource,
  rewriter: Rewriter,
  bodiesOf: (operation: Operation) => readonly AnswerBody[],
): Map<string, RewriteFor> {
  const heads = new Map(newer.operations.map((operation) => [operation.id, operation]));
  const found = new Map<string, RewriteFor>();
  for (const { id } of older.operations) {
    const head = heads.get(redirects[id] ?? id);
    const bodies = head ? bodiesOf(head) : [];
    const rewrites = new Map(
      bodies.map(({ body, path }) => [body, rewriter(body.schema, `${head?.id}.${path}.schema`)]),
    );
    if (!head || [...rewrites.values()].every((rewrite) => rewrite === null)) continue;
    found.set(id, (status) => {
      const body = declaredBody(head, status);
      return (body && rewrites.get(body)) ?? null;
    });
  }
  return found;
}

interface AnswerBody {
  path: string;
  body: Body;
}

function successesOf({ responses, ranges = {} }: Operation): AnswerBody[] {
  return [...bodiesIn('responses', responses), ...bodiesIn('ranges', ranges, /^[23]XX$/)];
}

function errorsOf({ errorBodies = {}, ranges = {} }: Operation): AnswerBody[] {
  return [...bodiesIn('errorBodies', errorBodies), ...bodiesIn('ranges', ranges, /^(?:[45]XX|default)$/)];
}

function bodiesIn(part: string, bodies: Readonly<Record<string, Body | null>>, wanted = /^/): AnswerBody[] {
  return Object.entries(bodies).flatMap(([status, body]) =>
    body && wanted.test(status) ? [{ path: `${part}.${status}`, body }] : [],
  );
}

/** Some contracts describe the frame of events too: the data is in it. */
function eventRewrites({ events }: Contract, rewriter: Rewriter): Map<string, Rewrite> {
  const found = events.map(({ kind, schema }): [string, Rewrite | null] => {
    const data = framedData(schema);
    return [kind, data ? rewriter(data, `${kind}.properties.data`) : rewriter(schema, kind)];
  });
  return new Map(found.flatMap(([kind, rewrite]) => (rewrite ? [[kind, rewrite] as const] : [])));
}

export function framedData({ properties, $defs }: JsonSchema): JsonSchema | null {
  if (!isPart(properties) || !isPart(properties.data) || !('api_version' in properties)) return null;
  return { ...properties.data, ...($defs === undefined ? {} : { $defs }) };
}

function changeProblems(change: FieldChange, { older, newer }: RewriteSource): string[] {
  const { subject, field, edit } = change;
  if (!('schema' in subject)) return referenceProblems(change, [older, newer]);
  const { schema: name, was = name } = subject;
  const inNewer = definitionsNamed(name, newer);
  const inOlder = definitionsNamed(was, older);
  const lacking = (version: string, called: string): string =>
    `schema('${name}').field('${field.join('.')}'): no operation and no event of ${version} uses a component ${called}; the name is that of components/schemas`;
  const values =
    edit.kind === 'values' ? ambiguousValues(edit.older, fieldFacts(change, newer).newerValues) : [];
  return [
    ...(inNewer.length === 0 ? [lacking(newer.version, name)] : []),
    ...(inOlder.length === 0 ? [lacking(older.version, was)] : []),
    ...values.map(
      (value) =>
        `schema('${name}').field('${field.join('.')}'): several newer values were ${value}, so nobody can say which one an older request means: ` +
        'use changed({ upgrade, downgrade })',
    ),
  ];
}

function referenceProblems(change: FieldChange, contracts: readonly Contract[]): string[] {
  const field = change.field.join('.');
  return contracts.flatMap((contract) =>
    [...componentsAt(change, contract)].map(
      ([path, name]) =>
        `at('${path}').field('${field}'): the component ${name} of ${contract.version} stands there: write schema('${name}').field('${field}'), ` +
        'which holds wherever it is used, or functions by operation',
    ),
  );
}

/** What the newer version says about the field of a change, as far as its edit asks: most ask nothing, and looking takes a start's time. */
function fieldFacts(change: FieldChange, newer: Contract): FieldFacts {
  const { edit } = change;
  return {
    isRequired: edit.kind === 'added' && edit.newer !== undefined && isRequiredIn(newer, change),
    newerValues: edit.kind === 'values' ? valuesOf(change, newer) : new Set(),
  };
}

/** A place that is named exactly is one where it counts. */
function isRequiredIn(newer: Contract, change: FieldChange): boolean {
  const [name, ...further] = change.field;
  if ('places' in change.subject || further.length > 0) return true;
  return statementsOf(change, newer).some(
    ({ part: { required } }) => Array.isArray(required) && required.includes(name),
  );
}

function valuesOf(change: FieldChange, newer: Contract): Set<unknown> {
  const [name] = change.field;
  const values = statementsOf(change, newer).flatMap(({ part, $defs }) => {
    if (name === undefined) return valuesIn(part, $defs);
    return isPart(part.properties) ? valuesIn(part.properties[name], $defs) : [];
  });
  return new Set(values);
}

function statementsOf(change: FieldChange, newer: Contract) {
  return subjectSchemas(change, newer).flatMap(({ schema, $defs }) =>
    statementsIn(schema, $defs).map((part) => ({ part, $defs })),
  );
}

function valuesIn(schema: unknown, $defs: unknown): unknown[] {
  return statementsIn(schema, $defs).flatMap((part) => [
    ...(Array.isArray(part.enum) ? part.enum : []),
    ...('const' in part ? [part.const] : []),
    ...valuesInItems(part.items, $defs),
  ]);
}

function valuesInItems(items: unknown, $defs: unknown): unknown[] {
  return isPart(items) ? valuesIn(items, $defs) : [];
}
