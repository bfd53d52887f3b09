import type { FolderConfig } from './config-file.ts';
import { CONFIG_FILE } from './folder-files.ts';
import { refuse } from './folder-problem.ts';

/** Refuses a folder whose calls may take longer than callers wait: they would be told 503 while the upstream does the work. */
export function requireShorterCalls({ upstream }: FolderConfig, requestMs: number): void {
  const { timeoutSeconds = 0 } = upstream;
  if (timeoutSeconds * 1_000 <= requestMs) return;
  const reason = `it is ${timeoutSeconds}, and after DATELINE_REQUEST_SECONDS, which is ${requestMs / 1_000}, nobody waits for the answer: lower it, or raise the setting`;
  throw refuse(CONFIG_FILE, reason, 'upstream.timeoutSeconds');
}
