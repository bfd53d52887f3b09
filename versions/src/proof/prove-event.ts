import type { Change, EventFacts, Json } from '../contract/change.ts';
import type { EventKind, JsonSchema } from '../contract/contract.ts';
import { isPart, type OpenApiDocument } from '../openapi/plain-data.ts';
import { examplesOf, partAt } from '../samples/sample-in.ts';
import { validator } from '../schema/validator.ts';
import { findCounterexample } from './find-counterexample.ts';
import { asSent, judged, proofSentence, type Writing } from './proof-sentence.ts';

export interface EventPassage extends Writing {
  /** Of the newer version. */
  event: EventKind;
  /** The schemas of the older version's events, by kind. */
  known: ReadonlyMap<string, JsonSchema>;
  versions: { older: string; newer: string };
  documents: { newer: OpenApiDocument };
  /** Names of properties that differ. */
  names: ReadonlySet<string>;
}

/** Problems of the data of an event on its way down. */
export function eventProofProblems(passage: EventPassage): string[] {
  const { event, known, changes, versions, names } = passage;
  const { kind, schema } = event;
  const { newer } = passage.documents;
  const found = findCounterexample({
    schema,
    examples: examplesOf(
      newer,
      partAt(newer, 'webhooks', kind, 'post', 'requestBody', 'content', 'application/json'),
    ),
    beside: [known.get(kind)],
    names,
    problemOf: (sample) =>
      judged(
        () => downgraded({ kind, data: sample as Json }, changes),
        (older) => eventProblem(older, known),
      ),
  });
  if (!found) return [];
  const what = `an event of ${versions.newer}`;
  return [proofSentence({ id: kind, part: 'downgradeEvent', what, to: versions.older }, found, passage)];
}

function downgraded(event: EventFacts, changes: readonly Change[]): EventFacts | null {
  let older: EventFacts | null = event;
  for (const { downgradeEvent } of changes.toReversed())
    older = older && (downgradeEvent?.[older.kind] ?? asItIs)(older);
  return older;
}

const asItIs = (event: EventFacts): EventFacts => event;

function eventProblem(event: unknown, known: ReadonlyMap<string, JsonSchema>): string | null {
  if (event === null) return null;
  if (!isPart(event)) return 'what comes out is neither an event nor null';
  const schema = known.get(String(event.kind));
  if (schema === undefined) return `there is no event ${String(event.kind)}`;
  const [finding] = validator(schema)(asSent(event.data));
  return finding
    ? `its data${finding.instancePath && ` at ${finding.instancePath}`} ${finding.message}`
    : null;
}
