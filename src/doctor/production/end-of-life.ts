/** https://github.com/nodejs/Release: the long-term versions. */
const node: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** https://www.postgresql.org/support/versioning/ */
const postgres: Readonly<Record<number, string>> = {
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
};

/** When a major version gets its last fixes; null for one that is not a long-term version, or that came later. */
export function nodeEndsAt(major: number): Date | null {
  return dateOf(node[major]);
}

/** The same for PostgreSQL. */
export function postgresEndsAt(major: number): Date | null {
  return dateOf(postgres[major]);
}

function dateOf(day: string | undefined): Date | null {
  return day === undefined ? null : new Date(`${day}T00:00:00Z`);
}
