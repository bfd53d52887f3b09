import { loadConfig } from '../config/load-config.ts';
import { startWorker } from '../main.ts';
import { createLog } from '../telemetry/log.ts';
import type { CommandInput } from './command.ts';
import { CommandError } from './command-error.ts';
import { withApiFolder } from './input/api-folder.ts';
import { waitMsOf } from './input/wait-option.ts';
import { keepHeapSmall } from './keep-heap-small.ts';
import { createProcessEnd, stopLimitMs } from './process-end.ts';

/** Delivers webhooks in this process, and serves nothing. */
export async function deliver(input: CommandInput): Promise<void> {
  keepHeapSmall();
  const { output } = input;
  const config = loadConfig(withApiFolder(input));
  if (config.databaseUrl === null)
    throw new CommandError(
      'dateline worker needs DATABASE_URL: the embedded database serves one process only, and "dateline serve" delivers in it.',
    );
  const log = createLog(config.logLevel);
  const end = createProcessEnd(log);
  const worker = await startWorker({
    config,
    log,
    waitMs: waitMsOf(input),
    say: (sentence) => output.note(sentence),
    abort(reason) {
      output.note(`dateline: ${reason}`);
      process.exit(1);
    },
  });
  end.stops({ ...worker, stopLimitMs: stopLimitMs(config) }, ['SIGTERM', 'SIGINT']);
  output.text('ready worker');
}
