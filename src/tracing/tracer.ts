import { type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Attributes, type NewSpan, type Span, traceBegun, traceEnded } from './span.ts';
import type { TraceParent } from './traceparent.ts';

export interface TracerOptions {
  /** The base address of an OTLP receiver. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** How much is traced, from 0 for nothing to 1 for all. */
  ratio: number;
  /** The process, for all of its spans. */
  resource: Attributes;
  /** Spans could not be sent, for the first time since they could; null once they can be again. */
  onExport(problem: string | null): void;
}

export interface Tracer {
  /** Begins work that no other span here is about. Null where it is not traced. */
  begin(part: NewSpan, parent: Parent | null): Span | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface Parent extends TraceParent {
  /** Its word counts on whether this is traced: strangers could have everything traced. */
  isBelieved: boolean;
}

/** Sends spans to an OTLP receiver over HTTP. What it does not take in time is dropped: nothing waits for a trace. */
export function createTracer(options: TracerOptions): Tracer {
  const { endpoint, headers, timeoutMs, ratio, resource, onExport } = options;
  const receiver = { url: `${endpoint}/v1/traces`, headers: { ...headers }, timeoutMillis: timeoutMs };
  const exporter = watched(new OTLPTraceExporter(receiver), onExport);
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes(resource),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const spans = provider.getTracer('dateline');

  function start(part: NewSpan, context: typeof ROOT_CONTEXT, onEnd: () => void): Span {
    const { name, kind, attributes = {}, links = [] } = part;
    const span = spans.startSpan(
      name,
      { kind: KINDS[kind ?? 'own'], attributes, links: links.map(linkTo) },
      context,
    );
    const { traceId, spanId } = span.spanContext();
    let isEnded = false;
    return {
      traceId,
      spanId,
      traceparent: `00-${traceId}-${spanId}-01`,
      get isEnded() {
        return isEnded;
      },
      begin: (child) => start(child, trace.setSpan(ROOT_CONTEXT, span), () => {}),
      rename: (newName) => void span.updateName(newName),
      set: (more) => void span.setAttributes(more),
      fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
      end() {
        if (isEnded) return;
        isEnded = true;
        span.end();
        onEnd();
      },
    };
  }

  return {
    begin(part, parent) {
      const isSampled = parent?.isBelieved ? parent.isSampled : Math.random() < ratio;
      if (!isSampled) return null;
      traceBegun();
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
      return start(part, context, traceEnded);
    },
    // What could not be sent has been told.
    close: () => provider.shutdown().catch(() => {}),
  };
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, own: SpanKind.INTERNAL };

function contextOf({ traceId, spanId }: TraceParent) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

function linkTo({ traceId, spanId }: Span): Link {
  return { context: { traceId, spanId, traceFlags: TraceFlags.SAMPLED } };
}

/** The library tells of failures nowhere that an operator would look. */
function watched(exporter: OTLPTraceExporter, onExport: TracerOptions['onExport']): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed !== isFailing) onExport(result.error?.message ?? null);
        isFailing = failed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
