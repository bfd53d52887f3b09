import type { EnvironmentName } from '../../../src/environments/environment.ts';
import type { Database } from '../../../src/storage/database.ts';

/** The databases of a suite, or of a tape: recording one knows nothing of test runners. */
export interface TestDatabases {
  /** Each environment's own; the same one at every call. */
  open(environment: EnvironmentName): Promise<Database>;
  close(): Promise<void>;
}
