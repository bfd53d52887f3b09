import { AsyncLocalStorage } from 'node:async_hooks';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that begins. */
export interface NewSpan {
  name: string;
  /** Who does the work: a server for its caller, or another server for this one. Else it is done here. */
  kind?: 'server' | 'client';
  attributes?: Attributes;
  /** Other work that it is done for as well. */
  links?: readonly Span[];
}

/** A piece of work, as a tracing system shows it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** For whoever is asked on its behalf (W3C Trace Context). */
  readonly traceparent: string;
  readonly isEnded: boolean;
  /** A part of it. */
  begin(part: NewSpan): Span;
  rename(name: string): void;
  set(attributes: Attributes): void;
  fail(reason: string): void;
  end(): void;
}

const spans = new AsyncLocalStorage<Span | undefined>();

/** The span of what runs now; undefined where nothing is traced, or where it has ended. */
export function currentSpan(): Span | undefined {
  const span = spans.getStore();
  return span?.isEnded ? undefined : span;
}

/** Runs work as a part of a span; without one, as a part of none. */
export function runIn<Result>(span: Span | undefined, work: () => Result): Result {
  return span === undefined && spans.getStore() === undefined ? work() : spans.run(span, work);
}

/** Runs work as a span of its own, which ends with it. */
export async function spanning<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await spans.run(span, work);
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'error');
    throw error;
  } finally {
    span.end();
  }
}

let traced = 0;

/** Something that begins a trace, or goes on with one of another process, has begun. */
export function traceBegun(): void {
  traced += 1;
}

/**
 * It has ended. As long as a context is in use, Node carries one along with every promise of the process: not any longer than
 * something is traced.
 */
export function traceEnded(): void {
  traced -= 1;
  if (traced === 0) spans.disable();
}
