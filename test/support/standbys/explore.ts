/** A system whose events may happen in any order. */
export interface Model<State> {
  readonly initial: State;
  /** The same for two states exactly when the same may follow from both. */
  keyOf(state: State): string;
  /** Calls `step` with each event that may happen in the state, and with the state after it. */
  follow(state: State, step: (event: string, after: State) => void): void;
}

export interface Exploration {
  readonly states: number;
  /** The shortest list of events that ends in a state that was looked for. */
  readonly trace: readonly string[] | undefined;
}

/** Goes through all states breadth-first, until one is found that is looked for. */
export function explore<State>(
  model: Model<State>,
  isLookedFor: (state: State) => boolean,
  statesMax = 1_000_000,
): Exploration {
  const seen = new Set([model.keyOf(model.initial)]);
  const parents = [-1];
  const events = [''];
  let found = isLookedFor(model.initial) ? 0 : -1;
  let level = [{ state: model.initial, index: 0 }];
  while (level.length > 0 && found < 0) {
    const next: typeof level = [];
    for (const { state, index } of level)
      model.follow(state, (event, after) => {
        const known = seen.size;
        if (found >= 0 || seen.add(model.keyOf(after)).size === known) return;
        if (isLookedFor(after)) found = parents.length;
        next.push({ state: after, index: parents.length });
        parents.push(index);
        events.push(event);
      });
    if (seen.size > statesMax) throw new RangeError(`More than ${statesMax} states.`);
    level = next;
  }
  const trace = found < 0 ? undefined : traceTo(found, parents, events);
  return { states: seen.size, trace };
}

/** Every event that may happen in some state. */
export function eventsIn<State>(model: Model<State>): ReadonlySet<string> {
  const events = new Set<string>();
  const follow: Model<State>['follow'] = (state, step) =>
    model.follow(state, (event, after) => {
      events.add(event);
      step(event, after);
    });
  explore({ ...model, follow }, () => false);
  return events;
}

function traceTo(found: number, parents: readonly number[], events: readonly string[]): string[] {
  const trace: string[] = [];
  for (let at = found; at > 0; at = parents[at] ?? 0) trace.push(events[at] ?? '');
  return trace.reverse();
}
