import type { Json } from './json.ts';
import type { Output } from './output.ts';

const columns = ['client_id', 'client_name', 'at_risk_because', 'requests', 'last_day'];

/** The clients that a release hits, as a table. */
export function listClientsAtRisk(
  output: Output,
  clients: readonly Json[],
  { removedVersion, days, counted }: { removedVersion: string; days: string; counted: unknown },
): void {
  const reasons: Record<string, string> = {
    version_removed: `names ${removedVersion}, which is removed`,
    default_changes: 'names no version, so its contract changes',
  };
  output.list(
    clients.map((client) => ({ ...client, at_risk_because: reasons[String(client.risk)] })),
    columns,
    counted === 0
      ? `No requests were counted in the last ${days} days, so nothing is known of any client.`
      : `No client is at risk: in the last ${days} days none named ${removedVersion}, and all of them named a version.`,
  );
}
