import { createReadStream } from 'node:fs';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { Command, CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { type Line, readLines } from '../input/read-lines.ts';
import { isObject, type Json, listIn } from '../json.ts';

export const eventCommands: readonly Command[] = [
  {
    name: 'event publish',
    description:
      'Publish events of your API, one JSON object per line; events that were published before are skipped',
    options: {
      file: { placeholder: 'path', required: true, description: 'Where they are; "-" reads standard input' },
      'dry-run': { description: 'Only check them; nothing is published' },
    },
    examples: [
      'dateline event publish --file events.ndjson --dry-run',
      'dateline event publish --environment production --file - < events.ndjson',
    ],
    run: publish,
  },
];

const PROGRESS_AFTER_MS = 1_000;

/** Publishes batch by batch. After a failure the same command resumes where it stopped: events have ids. */
async function publish(input: CommandInput): Promise<void> {
  const api = input.api();
  const dryRun = input.isSet('dry-run');
  const startedAtMs = performance.now();
  let [published, already] = [0, 0];
  for await (const batch of batchesOf(readLines(linesFrom(input.required('file'))))) {
    const body = { events: batch.map(({ event }) => event), dry_run: dryRun };
    const answer = await api.post('/operator/events', body).catch((error: unknown) => {
      throw failure(error, { batch, done: published + already, dryRun });
    });
    const known = listIn(answer.events).filter((event) => event.already === true).length;
    already += known;
    published += batch.length - known;
    if (performance.now() - startedAtMs > PROGRESS_AFTER_MS)
      input.output.note(`${published + already} events so far …`);
  }
  input.output.item({ dry_run: dryRun, [dryRun ? 'new' : 'published']: published, already });
}

async function* linesFrom(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* path === '-' ? process.stdin : createReadStream(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${errorMessage(error)}.`);
  }
}

interface NumberedEvent {
  number: number;
  event: Json;
}

const BATCH_MAX = 500;
/** The service takes twice as much: what is around the lines has room, and one long line too. */
const BATCH_BYTES_MAX = 2 ** 21;

async function* batchesOf(lines: AsyncIterable<Line>): AsyncGenerator<NumberedEvent[]> {
  let [batch, bytes]: [NumberedEvent[], number] = [[], 0];
  for await (const line of lines) {
    const lineBytes = Buffer.byteLength(line.text);
    if (batch.length === BATCH_MAX || (batch.length > 0 && bytes + lineBytes > BATCH_BYTES_MAX)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push({ number: line.number, event: readEvent(line) });
    bytes += lineBytes;
  }
  if (batch.length > 0) yield batch;
}

function readEvent({ number, text }: Line): Json {
  try {
    const event: unknown = JSON.parse(text);
    if (isObject(event)) return event;
  } catch {
    // What is wrong with it is said below, in both cases.
  }
  throw new CommandError(`Line ${number} is not a JSON object.`);
}

interface Failed {
  batch: readonly NumberedEvent[];
  done: number;
  dryRun: boolean;
}

/** The service counts from the beginning of a batch, people from the beginning of their file. */
function failure(error: unknown, { batch, done, dryRun }: Failed): unknown {
  if (!(error instanceof CommandError)) return error;
  const [first, last] = [batch[0]?.number, batch.at(-1)?.number];
  const reason = error.message.replaceAll(
    /events\[(\d+)\]\.?/g,
    (_all, index: string) => `line ${batch[Number(index)]?.number}: `,
  );
  const lines = first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
  const standing = dryRun
    ? `Valid so far: ${done}.`
    : `Published so far: ${done}; the same command resumes from there.`;
  return new CommandError(`${lines} failed: ${reason}. ${standing}`, error.exitCode);
}
