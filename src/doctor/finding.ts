export const checks = [
  'database',
  'clock',
  'keys',
  'addresses',
  'backups',
  'deliveries',
  'nodes',
  'standbys',
  'upstream',
] as const;

/** Of what must be settled before a service goes live, beside most of the others. */
export const productionChecks = [
  'secret-key',
  'operator-keys',
  'secret-files',
  'public-address',
  'operator-port',
  'proxies',
  'retention',
  'log-level',
  'runtime',
  'disk',
  'server',
  'database-tls',
  'connections',
  'role',
  'durability',
  'archiving',
  'statistics',
  'vacuum',
] as const;

/** The result of one check. A warning can wait; a problem cannot. */
export interface Finding {
  check: (typeof checks)[number] | (typeof productionChecks)[number];
  state: 'ok' | 'warning' | 'problem';
  message: string;
}
