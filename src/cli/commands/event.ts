import { createReadStream } from 'node:fs';
import { errorMessage } from '../../kernel/error-facts.ts';
import type { Command, CommandInput } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { limit, listSome, queryOf } from '../input/filters.ts';
import { type Line, readLines } from '../input/read-lines.ts';
import { addPeriod, period } from '../input/time-option.ts';
import { isObject, type Json, listIn, objectIn } from '../json.ts';
import { withLastFailure } from '../last-failure.ts';
import { printable } from '../output.ts';

const argument = 'event-id';

const eventPath = (id: string, part = ''): string =>
  `/operator/webhooks/events/${encodeURIComponent(id)}${part}`;

export const eventCommands: readonly Command[] = [
  {
    name: 'event list',
    description: 'List webhook events and the state of their deliveries; newest first',
    options: {
      organization: { placeholder: 'organization-id', description: 'Only those of this organization' },
      endpoint: { placeholder: 'endpoint-id', description: 'Only those for this endpoint' },
      type: {
        placeholder: 'kind',
        description: 'Only those of this kind; with --organization or --endpoint',
      },
      state: {
        placeholder: 'state',
        description: 'Only those that are pending, delivered, exhausted, held or cancelled',
      },
      'api-version': {
        placeholder: 'YYYY-MM',
        description: 'Only those in this version; with --organization, --endpoint or --since',
      },
      ...period,
      limit,
    },
    examples: [
      'dateline event list --endpoint whe_…',
      'dateline event list --api-version 2026-07 --since 2027-01-06T17:00:00Z',
      'dateline event list --state exhausted --environment production',
    ],
    run: listEvents,
  },
  {
    name: 'event show',
    description: 'Show a webhook event, with the body that is sent',
    argument,
    examples: ['dateline event show evt_…'],
    run: showEvent,
  },
  {
    name: 'event attempts',
    description: 'List the attempts to deliver a webhook event; --json has what was sent and what came back',
    argument,
    examples: ['dateline event attempts evt_…', 'dateline event attempts evt_… --json'],
    async run({ api, output, argument: id }) {
      output.list(
        await api().all(eventPath(id, '/attempts')),
        ['started_at', 'id', 'status', 'error', 'duration_ms', 'answer'],
        'It was not sent yet.',
      );
    },
  },
  {
    name: 'event redeliver',
    description: 'Send a webhook event again as it was',
    argument,
    examples: ['dateline event redeliver evt_…'],
    async run({ api, output, argument: id }) {
      const { organization_id: owner } = await api().get(eventPath(id));
      const path = `/operator/organizations/${encodeURIComponent(String(owner))}/webhooks/events`;
      output.item(await api().post(`${path}/${encodeURIComponent(id)}/redeliver`));
    },
  },
  {
    name: 'event preview',
    description: 'Show how a webhook event would look in another version',
    argument,
    options: {
      'api-version': { placeholder: 'YYYY-MM', required: true, description: 'The other version' },
    },
    examples: ['dateline event preview evt_… --api-version 2026-10'],
    run: previewEvent,
  },
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

async function listEvents(input: CommandInput): Promise<void> {
  const reach = { organization: 'organization_id', endpoint: 'endpoint_id' };
  const filters = { ...reach, type: 'type', state: 'state', 'api-version': 'api_version' };
  const query = addPeriod(input, queryOf(input, filters));
  const events = await listSome(input, '/operator/webhooks/events', query);
  const columns = ['created_at', 'id', 'type', 'state', 'attempt_count', 'next_attempt_at', 'api_version'];
  input.output.list(
    input.output.json ? events : withLastFailure(events),
    [...columns, 'last_failure', 'endpoint_id', 'endpoint_url', 'organization_id'],
    'No events match.',
  );
}

async function showEvent({ api, output, argument: id }: CommandInput): Promise<void> {
  const event = await api().get(eventPath(id));
  if (output.json) return output.item(event);
  const { payload, ...rest } = event;
  output.item(rest);
  output.text(`\n${payload === null ? 'The body is no longer stored.' : printable(String(payload))}`);
}

async function previewEvent({ api, output, argument: id, required }: CommandInput): Promise<void> {
  const query = new URLSearchParams({ api_version: required('api-version') });
  const preview = await api().get(eventPath(id, `/preview?${query}`));
  if (output.json) return output.item(preview);
  for (const { api_version, payload } of [objectIn(preview.from), objectIn(preview.to)]) {
    output.text(`In ${api_version}:`);
    output.text(payload === null ? 'It is not published.' : printable(JSON.stringify(payload)));
  }
  output.list(listIn(preview.differences), ['path', 'kind'], 'They do not differ.');
}

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
