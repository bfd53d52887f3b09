import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { ApiProblem } from '../api.ts';
import { isAttended } from '../attention.ts';
import { Notice } from './notice.tsx';

export type Loaded<Data> =
  | { is: 'loading' }
  | { is: 'failed'; problem: ApiProblem }
  | { is: 'there'; data: Data };

/** Loads the data of a view: again when something changes, and every few seconds if asked to. */
export function useLoaded<Data>(
  load: () => Promise<Data>,
  changes: readonly unknown[],
  { everySeconds }: { everySeconds?: number } = {},
) {
  const state = useSignal<Loaded<Data>>({ is: 'loading' });
  const newest = useRef(0);
  const reload = useCallback(async () => {
    newest.current += 1;
    const round = newest.current;
    try {
      const data = await load();
      // Something has changed meanwhile, and a newer answer is here or on its way.
      if (round === newest.current) state.value = { is: 'there', data };
    } catch (error) {
      if (round !== newest.current) return;
      const problem = error instanceof ApiProblem ? error : new ApiProblem(0, { detail: String(error) });
      // What is there stays: an old figure is better than none.
      if (state.value.is !== 'there' || problem.status === 404) state.value = { is: 'failed', problem };
    }
  }, changes);
  useEffect(() => {
    void reload();
    if (everySeconds === undefined) return undefined;
    const timer = setInterval(() => {
      if (isAttended()) void reload();
    }, everySeconds * 1000);
    return () => clearInterval(timer);
  }, [reload, everySeconds]);
  return { state: state.value, reload };
}

interface ShownProps<Data> {
  state: Loaded<Data>;
  children(data: Data): ComponentChildren;
}

export function Shown<Data>({ state, children }: ShownProps<Data>) {
  if (state.is === 'loading') return <p class="loading">Loading…</p>;
  if (state.is === 'failed') return <Notice kind="problem">{state.problem.message}</Notice>;
  return <>{children(state.data)}</>;
}
