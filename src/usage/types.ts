import type { RejectionReason } from '@dateline/versions';
import type { OAuthClientId } from '../oauth/types.ts';
import type { Day } from './day.ts';

/** The origin of a request's version: it named one, it named none and got Current, or the one it named was refused. */
export const versionChoices = [
  'pinned',
  'defaulted',
  'rejected_malformed',
  'rejected_unknown',
  'rejected_removed',
] as const satisfies readonly ('pinned' | 'defaulted' | `rejected_${RejectionReason}`)[];
export type VersionChoice = (typeof versionChoices)[number];

/** The counted facts of one request. */
export interface Use {
  choice: VersionChoice;
  /** The version that served the request, or the one that was refused; null where that is not kept. */
  version: string | null;
  /** Null where no operation matched, or none was looked for. */
  operation: string | null;
  /** Null while the request is not authenticated. */
  clientId: OAuthClientId | null;
}

export interface UsageCount extends Readonly<Use> {
  readonly day: Day;
  requests: number;
}

/** The columns that usage can be grouped by. */
export const usageDimensions = ['day', 'version', 'choice', 'client', 'organization', 'operation'] as const;
export type UsageDimension = (typeof usageDimensions)[number];

export interface UsageQuery {
  from: Day;
  to: Day;
  version: string | null;
  choice: VersionChoice | null;
  clientId: string | null;
  by: readonly UsageDimension[];
  rowsMax: number;
}

/** Holds the dimensions that were asked for. */
export interface UsageRow {
  day?: string;
  version?: string | null;
  choice?: string;
  client?: string | null;
  /** The one that owns the client; null where that is not known any more. */
  organization?: string | null;
  operation?: string | null;
  requests: number;
  lastDay: Day;
}
