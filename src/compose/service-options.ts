import type { Logger } from 'pino';
import type { Build } from '../api/build.ts';
import type { Config } from '../config/load-config.ts';
import type { EnvironmentName } from '../environments/environment.ts';
import type { Clock } from '../kernel/clock.ts';
import type { FolderScopes } from '../oauth/scopes/scopes.ts';
import type { Database } from '../storage/database.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { MetricsText } from '../telemetry/metrics-text.ts';

export interface ServiceOptions {
  config: Config;
  log: Logger;
  /** Prints a sentence about work that may take more than a second. */
  say(sentence: string): void;
  /** Time that a start waits for a database server that is not up yet; by default none. */
  waitMs?: number;
  clock?: Clock;
  /** The database may serve another API folder from now on than it did. */
  adopts?: boolean;
  /** The process must end at once: another one has taken over the data folder. */
  abort(reason: string): void;
  /** The scopes of the API that is served here, in place of those of our example resource. */
  folderScopes?: FolderScopes;
  /** Opens an environment's database; by default as the settings say. */
  openDatabase?(environment: EnvironmentName): Promise<Database>;
  /** Workers of one service answer `/metrics` for all of them; a single process answers for itself. */
  metricsText?(environment: EnvironmentName, own: Metrics): MetricsText;
  /** Another process has migrated and seeded the databases. */
  alreadyPrepared?: boolean;
  /** Others answer on the same ports, which are known: listen only when ready. */
  hasSiblings?: boolean;
  /** The API to serve; by default that of this build. */
  build?: Build;
  /** Interval of deleting old rows; by default about a minute. */
  housekeepingMs?: number;
}
