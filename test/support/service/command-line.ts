import { dateline } from '../../../src/cli/dateline.ts';
import type { TestService } from './test-service.ts';

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** Runs one command line in this process. */
export async function runCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  let [out, err] = ['', ''];
  const code = await dateline(args, env, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

/** The settings with which the command line operates a service. */
export function operatorSettings({ urls, quickstart }: TestService): Record<string, string> {
  return {
    DATELINE_SANDBOX_PUBLIC_URL: urls.sandbox,
    DATELINE_PUBLIC_URL: urls.production,
    DATELINE_SANDBOX_OPERATOR_KEY: quickstart.sandbox.operator_key,
    DATELINE_OPERATOR_KEY: quickstart.production.operator_key,
  };
}
