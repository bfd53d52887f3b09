import { resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { PerEnvironment } from '../environments/open-environments.ts';
import { prepareQuickstart, type QuickstartOutcome } from '../quickstart/prepare-quickstart.ts';
import { quickstartPath } from '../quickstart/quickstart-file.ts';
import type { EnvironmentData } from './open-data.ts';

export interface PreparedQuickstart {
  path: string;
  outcome: QuickstartOutcome;
}

/** Keys and demo data for fresh databases, and the file that names them. */
export async function seedQuickstart(
  { production, sandbox }: PerEnvironment<EnvironmentData>,
  { dataDir }: Config,
  operatorUrls: PerEnvironment<string | null>,
): Promise<PreparedQuickstart> {
  const path = resolve(quickstartPath(dataDir));
  const outcome = await prepareQuickstart({
    production: production.environment,
    sandbox: sandbox.environment,
    path,
    operatorUrls,
  });
  return { path, outcome };
}
