import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const EXAMPLE = 'examples/orders';
export const ORDERS_AUDIENCE = 'https://orders.example';

/** A copy of the example that a test may edit. It leaves with its test. */
export function copyOrders(upstreams: Partial<Upstreams> = {}): string {
  const folder = copyOrdersFor(upstreams);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Upstreams {
  production: string;
  sandbox: string;
}

/** The same for a suite, which removes it itself. */
export function copyOrdersFor(upstreams: Partial<Upstreams> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-orders-'));
  cpSync(EXAMPLE, folder, { recursive: true });
  const { production = 'http://127.0.0.1:9', sandbox = 'http://127.0.0.1:8' } = upstreams;
  edit(folder, 'dateline.config.mjs', (text) =>
    text
      .replace(/production: .*,/, `production: '${production}',`)
      .replace(/sandbox: .*,/, `sandbox: '${sandbox}',`),
  );
  return folder;
}

export function edit(folder: string, file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing was edited in ${file}`);
  writeFileSync(path, after);
}
