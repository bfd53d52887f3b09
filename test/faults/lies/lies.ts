import type { AnomalyKind } from '../checker/anomaly.ts';

/** A defect that is planted, to see that the checker finds it. */
export interface Lie {
  name: string;
  edits: readonly Edit[];
  /** Kinds of faults under which it shows, by a part of their names. */
  under: readonly string[];
  faults: number;
  /** As what it is found. */
  finds: readonly AnomalyKind[];
  needs?: 'readers';
}

/** Of a source file, which has what is replaced exactly once. */
export interface Edit {
  file: string;
  replace: string;
  by: string;
}

export const lies: readonly Lie[] = [
  {
    name: 'an event written after the commit',
    edits: [
      {
        file: 'src/webhooks/publishing/publish-events.ts',
        replace: 'const made = dryRun',
        by: `const later: NewOccurrence[] = [];
  const write = () => context.transaction((inside) => recordOccurrences(inside, later)).catch(() => {});
  setTimeout(() => void write(), 150);
  const made = dryRun`,
      },
      {
        file: 'src/webhooks/publishing/publish-events.ts',
        replace: 'return publishOnce(inside, fresh);',
        by: 'return publishOnce(inside, fresh, later);',
      },
      {
        file: 'src/webhooks/publishing/publish-events.ts',
        replace: 'publishOnce(context: Context, events: readonly IdentifiedEvent[]): Promise<Made> {',
        by: 'publishOnce(context: Context, events: readonly IdentifiedEvent[], later: NewOccurrence[]): Promise<Made> {',
      },
      {
        file: 'src/webhooks/publishing/publish-events.ts',
        replace: 'await recordOccurrences(context, mine.map(toOccurrence));',
        by: 'later.push(...mine.map(toOccurrence));',
      },
    ],
    under: ['a node is killed with -9', 'all nodes are killed'],
    faults: 8,
    finds: ['lost'],
  },
  {
    name: 'a cached answer',
    edits: [
      {
        file: 'src/oauth/tokens/introspect-token.ts',
        replace: 'const recordFirstUse = createFirstUseRecorder(environment);',
        by: `const recordFirstUse = createFirstUseRecorder(environment);
  const cached = new Map<string, { view: ActiveToken; untilMs: number }>();`,
      },
      {
        file: 'src/oauth/tokens/introspect-token.ts',
        replace: 'if (token && view.active) await recordFirstUse(token);',
        by: `const known = cached.get(tokenValue);
    if (known && performance.now() < known.untilMs) return known.view;
    if (view.active) cached.set(tokenValue, { view, untilMs: performance.now() + 5_000 });
    if (token && view.active) await recordFirstUse(token);`,
      },
    ],
    under: ['the connections of a node are cut'],
    faults: 20,
    finds: ['stale'],
  },
  {
    name: 'an acknowledgement from a read',
    edits: [
      {
        file: 'src/storage/postgres.ts',
        replace: '`$' + '{CONFIRM}; commit`',
        by: "'commit'",
      },
    ],
    under: ['after its waits were cut'],
    faults: 6,
    finds: ['stale', 'lost', 'done twice'],
  },
  {
    name: 'a wait skipped',
    edits: [
      {
        file: 'src/standbys/readers-wait.ts',
        replace: "if (session.engine === 'pglite') return",
        by: 'if (session.engine) return',
      },
    ],
    under: ['the replay of both standbys is paused', 'the asynchronous standby lags behind'],
    faults: 6,
    finds: ['stale'],
    needs: 'readers',
  },
  {
    name: 'a lease unchecked',
    edits: [
      {
        file: 'src/standbys/standby-link.ts',
        replace: 'heldSince !== null && msSince(heldSince) < HELD_MS',
        by: 'heldSince !== null && msSince(heldSince) < 1_000 * HELD_MS',
      },
    ],
    under: ['run out while its standbys lag behind'],
    faults: 6,
    finds: ['stale'],
    needs: 'readers',
  },
];

/** The text with an edit in it. Throws where that does not apply any more. */
export function edited(text: string, { file, replace, by }: Edit): string {
  const places = text.split(replace).length - 1;
  if (places !== 1) throw new Error(`${file} has what a lie replaces ${places} times: ${replace}`);
  return text.replace(replace, () => by);
}
