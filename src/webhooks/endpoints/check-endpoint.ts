import type { ApiVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { checkTarget, type TargetRules } from '../sending/target-rules.ts';
import { isWanted } from '../wanted-kinds.ts';

/** The version that was named, or Current if none was. Its identifier is stored, so that a release does not move the endpoint. */
export function chosenVersion({ contracts }: Context, named: string | null): ApiVersion {
  if (named === null) return contracts.current();
  const chosen = contracts.maintained().find((maintained) => maintained === named);
  if (chosen) return chosen;
  throw refused(`api_version must be one of ${contracts.maintained().join(', ')}`);
}

/** Rejects kinds that the version never publishes: such a subscription would stay silent. */
export function checkKinds({ contracts }: Context, events: readonly string[], pinned: ApiVersion): void {
  const effective = contracts.effective(pinned);
  const kinds = contracts.kindsOf(effective).map(({ kind }) => kind);
  const unknown = events.filter((wanted) => !kinds.some((kind) => isWanted([wanted], kind)));
  if (unknown.length === 0) return;
  throw refused(
    `events has ${unknown.join(', ')}, which ${effective} does not publish; it publishes ${kinds.join(', ')}`,
  );
}

/** The kinds that a subscription brings, however it names them. */
export function wantedKinds({ contracts }: Context, events: readonly string[], pinned: ApiVersion): string[] {
  const kinds = contracts.kindsOf(contracts.effective(pinned)).map(({ kind }) => kind);
  return kinds.filter((kind) => isWanted(events, kind));
}

export function checkUrl(url: string, rules: TargetRules): void {
  const checked = checkTarget(url, rules);
  if ('problem' in checked) throw refused(`url ${checked.problem}`);
}

export function refused(sentence: string): ApiError {
  return new ApiError('validation_failed', { detail: `${sentence}.` });
}
