import type { EventFacts } from '../contract/change.ts';
import type { EventKind } from '../contract/contract.ts';
import type { ValidationFinding } from '../schema/validator.ts';
import type { ApiVersion } from '../version/api-version.ts';
import type { CompiledApi, CompiledVersion } from './compile-api.ts';

/** The contracts of the versions that are maintained at the moment, to render events with. */
export interface LiveContracts {
  current(): ApiVersion;
  /** Oldest first. */
  maintained(): readonly ApiVersion[];
  /** The version in effect for a pin: the pinned one while it is maintained, else the nearest. */
  effective(chosen: ApiVersion): ApiVersion;
  kindsOf(version: ApiVersion): readonly EventKind[];
  /** The scopes that a subscription to a kind needs, whatever version its events are in. */
  scopesOf(kind: string): readonly string[];
  /** The event as a version knows it; null if it does not. */
  eventIn(version: ApiVersion, event: EventFacts): EventFacts | null;
  /** The findings of a version's contract against the body of an event. */
  findingsIn(version: ApiVersion, kind: string, body: unknown): readonly ValidationFinding[];
}

export function createLiveContracts(
  api: CompiledApi,
  versions: { current(): ApiVersion; supported(): readonly ApiVersion[] },
): LiveContracts {
  function contractOf(version: ApiVersion): CompiledVersion {
    const compiled = api.get(version);
    if (!compiled) throw new Error(`this build lacks the contract of ${version}`);
    return compiled;
  }
  return {
    current: versions.current,
    maintained: versions.supported,
    effective(chosen) {
      const supported = versions.supported();
      const [oldest = chosen, newest = chosen] = [supported.at(0), supported.at(-1)];
      if (chosen < oldest) return oldest;
      return chosen > newest ? newest : chosen;
    },
    kindsOf: (version) => contractOf(version).contract.events,
    scopesOf(kind) {
      // The newest version that has the kind decides: older ones were frozen before scopes were asked for.
      const newestFirst = [...versions.supported()].reverse().map((version) => contractOf(version).contract);
      const known = newestFirst.flatMap(({ events }) => events.filter((event) => event.kind === kind));
      return known[0]?.scopes ?? [];
    },
    eventIn: (version, event) => contractOf(version).downgradeEvent(event),
    findingsIn(version, kind, body) {
      const validate = contractOf(version).validateEvent.get(kind);
      if (!validate) throw new Error(`${version} has no event kind ${kind}`);
      return validate(body);
    },
  };
}
