import cluster from 'node:cluster';
import { createVersions } from '../compose/create-versions.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { systemClock } from '../kernel/clock.ts';
import { type PreparedQuickstart, startService, startWorker } from '../main.ts';
import { tour } from '../quickstart/tour.ts';
import { createLog } from '../telemetry/log.ts';
import type { CommandInput } from './command.ts';
import { CommandError, usageError } from './command-error.ts';
import { withApiFolder } from './input/api-folder.ts';
import { waitMsOf } from './input/wait-option.ts';
import { keepHeapSmall } from './keep-heap-small.ts';
import type { Output } from './output.ts';
import { createProcessEnd, stopLimitMs } from './process-end.ts';
import { type Ready, runWorker, runWorkers } from './workers.ts';

/** Runs the service in this process, or in several. Ends when it is ready; signals stop it. */
export async function serve(input: CommandInput): Promise<void> {
  await startServing(input);
  keepHeapSmall();
}

async function startServing(input: CommandInput): Promise<void> {
  const { output, optional } = input;
  const options = { ...optionsOf(input), adopts: input.isSet('adopt') };
  const { config, log } = options;
  const workers = parseWorkers(optional('workers'), config);
  const end = createProcessEnd(log);
  if (cluster.isWorker) return runWorker(options, end);
  if (workers > 1) return runWorkers(workers, { options, end }, (ready) => announce(ready, output));
  const service = await startService(options);
  end.stops({ ...service, stopLimitMs: stopLimitMs(config) }, ['SIGTERM', 'SIGINT']);
  announce(service, output);
}

/** Delivers webhooks in this process, and serves no requests of the API. */
export async function deliver(input: CommandInput): Promise<void> {
  const options = optionsOf(input);
  const { config, log } = options;
  if (config.databaseUrl === null)
    throw new CommandError(
      'dateline worker needs DATABASE_URL: the embedded database serves one process only, and "dateline serve" delivers in it.',
    );
  const end = createProcessEnd(log);
  const worker = await startWorker(options);
  end.stops({ ...worker, stopLimitMs: stopLimitMs(config) }, ['SIGTERM', 'SIGINT']);
  if (worker.probesUrl !== null) input.output.text(`probes of worker ${worker.probesUrl}`);
  input.output.text('ready worker');
  keepHeapSmall();
}

function optionsOf(input: CommandInput) {
  const { output } = input;
  const config = loadConfig(withApiFolder(input));
  return {
    config,
    log: createLog(config.logLevel),
    waitMs: waitMsOf(input),
    say: (sentence: string) => output.note(sentence),
    abort(reason: string) {
      output.note(`dateline: ${reason}`);
      process.exit(1);
    },
  };
}

/** Says where the service is. Scripts wait for the two `ready` lines. */
function announce({ urls, operatorUrls, quickstart }: Ready, output: Output): void {
  if (quickstart) output.text(quickstartText(quickstart, urls.sandbox));
  for (const [name, url] of Object.entries(operatorUrls))
    if (url !== null) output.text(`operators of ${name} ${url}`);
  output.text(`ready production ${urls.production}`);
  output.text(`ready sandbox ${urls.sandbox}`);
}

function quickstartText({ path, outcome }: PreparedQuickstart, sandboxUrl: string): string {
  switch (outcome) {
    case 'created':
      return tour({ path, sandboxUrl, currentVersion: createVersions(systemClock).current() });
    case 'kept':
      return `Keys and demo data are as before, with a fresh access token, in ${path}`;
    case 'elsewhere':
      return `This database was set up from another data folder; ${path} is not written. Its keys are in that folder's quickstart.json.`;
    case 'mismatched':
      return `${path} belongs to another database, or its demo client or user is gone; it is left as it is.`;
    default:
      return outcome satisfies never;
  }
}

function parseWorkers(text: string | undefined, config: Config): number {
  const workers = Number(text ?? '1');
  if (!Number.isInteger(workers) || workers < 1 || workers > 256)
    throw usageError('--workers must be a whole number from 1 to 256.');
  if (workers > 1 && config.databaseUrl === null) {
    throw new CommandError(
      '--workers above 1 needs DATABASE_URL: the embedded database serves one process only.',
    );
  }
  const ports = [config.production, config.sandbox].flatMap(({ port, operatorPort }) => [port, operatorPort]);
  if (workers > 1 && ports.includes(0)) {
    throw new CommandError(
      '--workers above 1 needs fixed ports: set DATELINE_PORT and DATELINE_SANDBOX_PORT, and no port of operators to 0.',
    );
  }
  return workers;
}
