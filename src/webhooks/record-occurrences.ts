import type { Scene } from '../environments/environment.ts';
import { newId } from '../kernel/ids.ts';
import { insertOccurrences, occurrenceIdPrefix } from './store.ts';
import type { NewOccurrence } from './types.ts';

/** Writes down what happened. Called inside the transaction that makes it happen: no change without its occurrence. */
export async function recordOccurrences(scene: Scene, occurrences: readonly NewOccurrence[]): Promise<void> {
  if (occurrences.length === 0) return;
  const occurredAt = scene.clock.now();
  await insertOccurrences(
    scene.session,
    occurrences.map((occurrence) => ({
      ...occurrence,
      id: newId(occurrenceIdPrefix, occurredAt),
      occurredAt,
    })),
  );
}
