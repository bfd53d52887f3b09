import { hostname } from 'node:os';
import type { Build } from '../api/build.ts';
import { atMost } from '../kernel/wait.ts';
import type { Tracer } from '../tracing/tracer.ts';
import type { Closing } from './closing.ts';
import type { ServiceOptions } from './service-options.ts';

/** Nobody waits for a process to end because of its traces. */
const CLOSE_MS_MAX = 3_000;

/** Null where nothing is traced: then nothing of it is loaded, either. */
export async function openTracer(
  { config: { tracing }, log }: ServiceOptions,
  { release }: Build,
  closing: Closing,
): Promise<Tracer | null> {
  if (tracing === null) return null;
  const { createTracer } = await import('../tracing/tracer.ts');
  const { serviceName, ...settings } = tracing;
  const tracer = createTracer({
    ...settings,
    resource: {
      'service.name': serviceName,
      'service.version': release,
      'service.instance.id': `${hostname()} ${process.pid}`,
    },
    onExport(problem) {
      if (problem === null) log.info('traces are taken again');
      else log.warn({ internal: problem }, 'traces are not taken');
    },
  });
  closing.closeLast(() => atMost(CLOSE_MS_MAX, tracer.close()));
  return tracer;
}
