import type { Id } from '../kernel/ids.ts';

export type OccurrenceId = Id<'occurrence'>;

export interface NewOccurrence {
  type: string;
  organizationIds: readonly string[];
  /** As the newest version tells it; never a secret. */
  data: Readonly<Record<string, unknown>>;
}

export interface Occurrence extends NewOccurrence {
  id: OccurrenceId;
  occurredAt: Date;
}
