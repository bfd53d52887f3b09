import type { Example, Json, Sample } from '../../contract/change.ts';
import type { Contract, JsonSchema } from '../../contract/contract.ts';
import { isPart, type Part } from '../../openapi/plain-data.ts';
import { sampleOf } from '../../samples/sample-of.ts';
import { definitionIn, nameOfDefinition } from '../../schema/schema-definitions.ts';
import type { FieldChange } from '../written-change.ts';
import type { FieldEdits } from './field-edits.ts';
import { framedData } from './field-rewrites.ts';
import type { SchemaPlace } from './statements-at.ts';
import { type Side, subjectAt } from './subject-at.ts';

export interface ExampleSource {
  older: Contract;
  newer: Contract;
}

/**
 * The field before and after a change: in an answer where there is one with it, else in a request or an event. A field that is gone
 * is looked for in the older version, any other in the newer one.
 */
export function fieldExample(
  change: FieldChange,
  edits: FieldEdits | undefined,
  { older, newer }: ExampleSource,
): Example {
  const { edit } = change;
  const side = edit.kind === 'removed' ? 'older' : 'newer';
  const found = shortestTo(change, side, side === 'older' ? older : newer);
  if (!found) return { before: null, after: null };
  const { sample } = found;
  const made = (side === 'older' ? edits?.up : edits?.down)?.(sample);
  const other = isPart(made) ? made : sample;
  const shown = (object: Json): Sample => found.shown(within(found.path, fieldsIn(change, object)));
  const [before, after] = side === 'older' ? [sample, other] : [other, sample];
  return { before: shown(before), after: shown(after) };
}

interface Found {
  /** From the whole body to the object. */
  path: readonly ('items' | { property: string })[];
  sample: Json;
  shown(body: Json): Sample;
}

const LEVELS_MAX = 5;

function shortestTo(change: FieldChange, side: Side, contract: Contract): Found | undefined {
  const isAt = subjectAt(change, side);
  const found = bodiesOf(contract).flatMap(({ schema, path, shown }) => {
    const way = wayTo(schema, path, isAt);
    const sample = way && sampleOf({ ...way.schema, $defs: schema.$defs });
    return way && isPart(sample) ? [{ path: way.steps, sample, shown }] : [];
  });
  return found.toSorted((one, other) => one.path.length - other.path.length)[0];
}

interface ShownBody {
  schema: JsonSchema;
  path: string;
  shown(body: Json): Sample;
}

/** Answers before requests before events. */
function bodiesOf({ operations, events }: Contract): ShownBody[] {
  const answers = operations.flatMap(({ id, method, path, responses }) =>
    Object.entries(responses).flatMap(([status, body]): ShownBody[] =>
      body
        ? [
            {
              schema: body.schema,
              path: `${id}.responses.${status}.schema`,
              shown: (shownBody) => ({
                answerTo: `${method} ${path}`,
                status: Number(status),
                body: shownBody,
              }),
            },
          ]
        : [],
    ),
  );
  const requests = operations.flatMap(({ id, method, path, body }): ShownBody[] =>
    body
      ? [
          {
            schema: body.schema,
            path: `${id}.body.schema`,
            shown: (shownBody) => ({ request: `${method} ${path}`, body: shownBody }),
          },
        ]
      : [],
  );
  const queries = operations.flatMap(({ id, method, path, query }): ShownBody[] =>
    query
      ? [
          {
            schema: query,
            path: `${id}.query`,
            shown: (values) => ({ request: `${method} ${path}${queryText(values)}` }),
          },
        ]
      : [],
  );
  const ofEvents = events.map(({ kind, schema }): ShownBody => {
    const data = framedData(schema);
    const shown = (body: Json): Sample => ({ event: kind, data: body });
    return data ? { schema: data, path: `${kind}.properties.data`, shown } : { schema, path: kind, shown };
  });
  return [...answers, ...requests, ...queries, ...ofEvents];
}

function queryText(values: Json): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

interface Way {
  schema: Part;
  steps: Found['path'];
}

/** The nearest schema with the field. */
function wayTo(root: JsonSchema, path: string, isAt: ReturnType<typeof subjectAt>): Way | null {
  const seen = new Set<unknown>();
  const waiting: (SchemaPlace & { steps: Found['path'] })[] = [
    { schema: root, path, name: null, isShared: false, steps: [] },
  ];
  for (const place of waiting) {
    const { schema, steps, isShared } = place;
    if (!isPart(schema) || seen.has(schema) || steps.length > LEVELS_MAX) continue;
    seen.add(schema);
    if (isAt(place)) return { schema, steps };
    const { $ref, allOf, properties, items } = schema;
    const next = (held: unknown, key: string, step: Found['path']): void => {
      waiting.push({
        schema: held,
        path: `${place.path}.${key}`,
        name: null,
        isShared,
        steps: [...steps, ...step],
      });
    };
    if (typeof $ref === 'string')
      waiting.push({
        ...place,
        schema: definitionIn(root.$defs, $ref),
        name: nameOfDefinition($ref),
        isShared: true,
      });
    if (Array.isArray(allOf)) allOf.forEach((part, index) => void next(part, `allOf.${index}`, []));
    for (const [name, property] of Object.entries(isPart(properties) ? properties : {}))
      next(property, `properties.${name}`, [{ property: name }]);
    if (isPart(items)) next(items, 'items', ['items']);
  }
  return null;
}

/** What stays the same is left out. */
function fieldsIn({ field, edit }: FieldChange, object: Json): Json {
  const names = new Set([field[0], ...(edit.kind === 'moved' ? [edit.from[0]] : [])]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)));
}

function within(path: Found['path'], object: Json): Json {
  const whole = path.reduceRight<unknown>(
    (inner, step) => (step === 'items' ? [inner] : { [step.property]: inner }),
    object,
  );
  return isPart(whole) ? whole : { items: whole };
}
