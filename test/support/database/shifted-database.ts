import pg from 'pg';

/** In a run at a shifted time (see tools/shifted-clock.mjs) a database’s clock is ahead too. */
export async function shiftClock(databaseUrl: string): Promise<void> {
  const shiftMs = Number(process.env.CLOCK_SHIFT_MS || '0');
  if (shiftMs === 0) return;
  await runSql(
    databaseUrl,
    `alter function pg_catalog.now() rename to real_now;
     create function pg_catalog.now() returns timestamptz language sql stable
       as $$ select pg_catalog.real_now() + interval '${shiftMs} milliseconds' $$`,
  );
}

export async function runSql(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
