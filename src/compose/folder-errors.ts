import type { Logger } from 'pino';
import type { Build } from '../api/build.ts';
import { createFolderErrorWriter, type FolderErrorWriter } from '../http/api/folder-errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The writer of errors in the form of the folder's API; none are written where there is no folder. */
export function folderErrorWriter(
  { folder }: Pick<Build, 'folder'>,
  { metrics, log }: { metrics: Metrics; log: Logger },
): FolderErrorWriter {
  if (folder === null) return () => null;
  return createFolderErrorWriter({
    folder,
    onFailure({ requestId, code, reason }) {
      metrics.countErrorFailure();
      log.warn({ request_id: requestId, error: code, internal: reason }, 'errors.mjs failed');
    },
  });
}
