import { type DevService, startDev } from '../../compose/dev/start-dev.ts';
import { loadConfig } from '../../config/load-config.ts';
import { createLog } from '../../telemetry/log.ts';
import type { CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { apiFolderOf } from '../input/api-folder.ts';
import { waitMsOf } from '../input/wait-option.ts';
import { keepHeapSmall } from '../keep-heap-small.ts';
import { createProcessEnd, stopLimitMs } from '../process-end.ts';
import { firstCall } from './first-call.ts';
import { jsonReport } from './json-report.ts';
import { textReport } from './text-report.ts';

/** Serves a folder in this process until a signal ends it. Ends when it is ready. */
export async function runDev(input: CommandInput): Promise<void> {
  const { output, env, isSet } = input;
  const folder = requireFolder(input);
  const config = loadConfig(settingsOf(input, folder));
  const log = createLog(config.logLevel);
  const end = createProcessEnd(log);
  // A folder that is wrong is waited for, and nothing is in flight.
  const endAtOnce = (): void => process.exit(0);
  process.once('SIGINT', endAtOnce);
  const dev = await startDev({
    ...{ config, log, folder },
    waitMs: waitMsOf(input),
    mocks: isSet('mock'),
    logsRequests: env.DATELINE_LOG_LEVEL !== undefined,
    report: output.json
      ? jsonReport(output)
      : textReport(output, {
          isQuiet: isSet('quiet'),
          hasColour: process.stdout.isTTY === true && !env.NO_COLOR,
        }),
    say: (sentence) => output.note(sentence),
    abort(reason) {
      output.note(`dateline: ${reason}`);
      process.exit(1);
    },
  });
  process.off('SIGINT', endAtOnce);
  end.stops({ ...dev, stopLimitMs: stopLimitMs(config) }, ['SIGTERM', 'SIGINT']);
  announce(input, dev, folder);
  keepHeapSmall();
}

function requireFolder(input: CommandInput): string {
  const folder = apiFolderOf(input);
  if (folder !== null) return folder;
  throw new CommandError(
    'dateline dev serves an API folder, and this is none: name yours with --api or DATELINE_API, or make one with "dateline init orders".',
  );
}

function settingsOf({ env, optional }: CommandInput, folder: string): NodeJS.ProcessEnv {
  const port = optional('port');
  return {
    DATELINE_LOG_LEVEL: 'warn',
    ...env,
    DATELINE_API: folder,
    ...(port === undefined ? {} : { DATELINE_SANDBOX_PORT: port }),
  };
}

function announce({ output, isSet }: CommandInput, dev: DevService, folder: string): void {
  const { url, quickstart } = dev;
  const { folder: served } = dev.current().build;
  const by = isSet('mock') ? 'mock answers' : (served?.config.upstream.sandbox ?? '');
  if (output.json)
    return output.item({ event: 'ready', url, folder, answered_by: by, quickstart: quickstart.path });
  const hasToken = quickstart.outcome === 'created' || quickstart.outcome === 'kept';
  output.text(`${served?.config.title} listens at ${url}, answered by ${by}. Try, in another terminal:\n`);
  output.text(`  ${firstCall(dev.current(), { url, path: hasToken ? quickstart.path : null })}\n`);
  output.text(
    `The reference is at ${url}/docs. Edit ${folder} and save: good edits are served at once. Ctrl-C ends.`,
  );
  output.text(`ready sandbox ${url}`);
}
