import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runSql } from './shifted-database.ts';

const ways = ['straight', 'pooler', 'roles'] as const;
type Way = (typeof ways)[number];

/**
 * The way from a service to PostgreSQL in this run: straight, as the role that owns everything; through PgBouncer in transaction
 * mode; or as the role that serves (deploy/roles.sql). `npm run test:long` runs suites on the other two.
 */
export const databaseWay = wayNamed(process.env.TEST_DATABASE_WAY || 'straight');

function wayNamed(name: string): Way {
  const way = ways.find((known) => known === name);
  if (way === undefined) throw new Error(`TEST_DATABASE_WAY is one of ${ways.join(', ')}`);
  return way;
}

export const testRoles = { owner: 'dateline_test_owner', service: 'dateline_test_service' };

/** Makes the two roles in a database, with their name as password. */
export async function makeRoles(adminUrl: string): Promise<void> {
  const { owner, service } = testRoles;
  const script = readFileSync(resolve('deploy/roles.sql'), 'utf8');
  await runSql(adminUrl, `set dateline.owner = '${owner}'; set dateline.service = '${service}'; ${script}`);
  for (const role of Object.values(testRoles))
    await runSql(adminUrl, `alter role ${role} password '${role}'`);
}

export function withRole(url: string, role: string): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = role;
  return changed.toString();
}

export function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
}
