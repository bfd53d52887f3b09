import type { Json } from './json.ts';
import type { Output } from './output.ts';

const columns = [
  'client_id',
  'client_name',
  'organization_name',
  'at_risk_because',
  'requests',
  'calls',
  'last_day',
];

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
    clients.map((client) => ({
      ...client,
      at_risk_because: reasons[String(client.risk)],
      calls: callsText(client),
    })),
    columns,
    counted === 0
      ? `No requests were counted in the last ${days} days, so nothing is known of any client.`
      : `No client is at risk: in the last ${days} days none named ${removedVersion}, and none called the API without a version.`,
  );
}

const CALLS_SHOWN = 3;

/** The first operations of a client, and how many more there are. */
export function callsText({ operations, operation_count: count }: Json): string {
  const names = (operations as readonly string[] | undefined)?.slice(0, CALLS_SHOWN) ?? [];
  const more = Number(count) - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Clients that a release does not break, though they name no version: they are counted apart. */
export function noteOAuthOnly(output: Output, { length }: readonly Json[]): void {
  if (length > 0)
    output.text(
      `Not at risk: ${clientsText(length)} without a version at the OAuth endpoints only, as stock libraries do.`,
    );
}

/** How many of these clients break, and how many may break. */
export function breakingText(clients: readonly Json[]): string {
  const breaking = clients.filter(({ risk }) => risk === 'version_removed').length;
  return countedText(breaking, clients.length - breaking);
}

export function countedText(breaking: number, changing: number): string {
  return `The release breaks ${clientsText(breaking)}; ${clientsText(changing)} may break`;
}

function clientsText(count: number): string {
  return `${count} ${count === 1 ? 'client' : 'clients'}`;
}
