import type { ApiVersion, EventFacts } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import type { Format, Occurrence } from '../types.ts';
import { chatText } from './chat-text.ts';

export type Rendering = Pick<Occurrence, 'type' | 'data' | 'occurredAt'>;

/** The event as one version knows it; null if that version does not know of it at all. */
export function eventIn(
  { contracts }: Context,
  version: ApiVersion,
  { type, data }: Rendering,
): EventFacts | null {
  return contracts.eventIn(version, { kind: type, data });
}

/** The bytes of a delivery, which never change. Throws if they violate this version's contract. */
export function renderPayload(
  context: Context,
  occurrence: Rendering,
  { apiVersion, format }: { apiVersion: ApiVersion; format: Format },
): Buffer {
  const event = eventIn(context, apiVersion, occurrence);
  if (!event) throw new Error(`${apiVersion} does not know of ${occurrence.type}`);
  const body = {
    type: event.kind,
    api_version: apiVersion,
    timestamp: occurrence.occurredAt.toISOString(),
    data: event.data,
  };
  const [finding] = context.contracts.findingsIn(apiVersion, event.kind, body);
  if (finding) throw new Error(`${event.kind} in ${apiVersion}: ${finding.instancePath} ${finding.message}`);
  return Buffer.from(JSON.stringify(format === 'raw' ? body : chatText(format, body)));
}
