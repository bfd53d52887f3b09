export const checks = [
  'database',
  'clock',
  'keys',
  'addresses',
  'backups',
  'deliveries',
  'nodes',
  'upstream',
] as const;

/** The result of one check. A warning can wait; a problem cannot. */
export interface Finding {
  check: (typeof checks)[number];
  state: 'ok' | 'warning' | 'problem';
  message: string;
}
