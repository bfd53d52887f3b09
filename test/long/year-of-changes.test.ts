import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiVersion,
  nextVersion,
  type OpenApiDocument,
  previousVersion,
  type ReleaseNotes,
  releaseNotes,
} from '@dateline/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { reserved } from '../../src/api/compose/reserved.ts';
import { foundAgain } from '../../src/api/folder/freeze/found-versions.ts';
import { readCheckedFolder } from '../../src/api/folder/freeze/read-checked-folder.ts';
import { planFolderRelease } from '../../src/api/folder/freeze/release-folder.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { readApiFolder } from '../../src/api/folder/read-api-folder.ts';
import { loadDocument, realDocuments } from '../support/documents/real-documents.ts';
import { decisionsOf, writeConfig } from '../support/documents/real-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is edited in many places
type Editable = any;

interface Quarter {
  what: string;
  edit(document: Editable): void;
  /** The whole of the module. */
  module: string;
  /** The names of the release notes, in their order. */
  notes: readonly string[];
}

const text = { type: 'string' };
const answer = (schema: object) => ({ description: 'Done', content: { 'application/json': { schema } } });

const quarters: readonly Quarter[] = [
  {
    what: 'a field is added, one is renamed, values and an operation are new',
    edit({ paths, components: { schemas } }) {
      schemas.Trip.properties.seats_left = { type: 'integer', minimum: 0 };
      rename(schemas.Booking, 'passenger_name', 'passenger');
      schemas.BookingPayment.properties.currency.enum.push('usd');
      paths['/trips'].get.parameters.push({ name: 'page', in: 'query', schema: { type: 'integer' } });
      paths['/stations/{stationId}'] = {
        parameters: [{ name: 'stationId', in: 'path', required: true, schema: text }],
        get: {
          operationId: 'get-station',
          responses: { 200: answer({ $ref: '#/components/schemas/Station' }) },
        },
      };
    },
    module: `import { operation, schema } from '@dateline/versions';
export const changes = [
  schema('Trip').field('seats_left').added(),
  schema('Booking').field('passenger').renamedFrom('passenger_name'),
  schema('BookingPayment').field('currency').values({ usd: 'eur' }),
  operation('get-station').added(),
  operation('get-trips').query('page').added(),
];`,
    notes: [
      'addSeatsLeftToTrip',
      'addGetStation',
      'addPageToGetTrips',
      'renamePassengerNameToPassengerOfBooking',
      'changeValuesOfCurrencyOfBookingPayment',
    ],
  },
  {
    what: 'a field has another type, one is gone, and a header is new',
    edit({ paths, components: { schemas } }) {
      schemas.Trip.properties.price = {
        type: 'object',
        required: ['amount', 'currency'],
        properties: { amount: { type: 'string', pattern: '^-?[0-9.e+-]+$' }, currency: text },
      };
      schemas.Booking.properties.has_dog = undefined;
      paths['/trips'].get.responses['200'].headers['X-Total-Count'] = { schema: { type: 'integer' } };
    },
    module: `import { operation, schema } from '@dateline/versions';
export const changes = [
  schema('Trip').field('price').changed({
    upgrade: (price) => ({ amount: String(price), currency: 'eur' }),
    downgrade: ({ amount }) => Number(amount) || 0,
  }),
  schema('Booking').field('has_dog').removed(),
  operation('get-trips').header('X-Total-Count').added(),
];`,
    notes: ['addXTotalCountToGetTrips', 'changePriceOfTrip', 'removeHasDogFromBooking'],
  },
  {
    what: 'a field moves, a status and an error are others',
    edit({ paths, components: { schemas } }) {
      const { Station } = schemas;
      Station.properties.location = {
        type: 'object',
        required: ['country'],
        properties: { country: Station.properties.country_code },
      };
      Station.properties.country_code = undefined;
      Station.required = ['id', 'name', 'address', 'location'];
      const { responses } = paths['/bookings'].post;
      responses['202'] = responses['201'];
      responses['201'] = undefined;
      paths['/bookings/{bookingId}'].delete.responses['410'] = {
        description: 'Gone',
        'x-error-codes': ['gone'],
      };
    },
    module: `import { operation, schema } from '@dateline/versions';
export const changes = [
  schema('Station').field('location.country').movedFrom('country_code'),
  operation('create-booking').status(202).was(201),
  operation('delete-booking').error(410, 'gone').was({ status: 404, code: 'not_found' }),
];`,
    notes: [
      'renameCountryCodeToLocationCountryOfStation',
      'answer202ToCreateBooking',
      'answerGoneToDeleteBooking',
    ],
  },
  {
    what: 'an operation is gone, and pages are read by cursor',
    edit({ paths }) {
      paths['/bookings/{bookingId}/payment'] = undefined;
      const { parameters } = paths['/trips'].get;
      const page = parameters.findIndex(
        (one: Editable) => one.$ref?.endsWith('/page') || one.name === 'page',
      );
      parameters[page] = { name: 'cursor', in: 'query', schema: text };
    },
    module: `import { operation } from '@dateline/versions';
export const changes = [
  operation('create-booking-payment').removed(),
  {
    name: 'readTripsByCursor', kind: 'changed', summary: 'Trips are read by cursor.', why: 'Pages shift.', upgradeNote: 'Send the cursor.',
    examples: [{ before: { request: 'GET /trips?page=2' }, after: { request: 'GET /trips?cursor=2' } }],
    touches: ['get-trips.query'],
    upgradeRequest: {
      'get-trips': ({ query: { page, ...query } }) => ({ query: page === undefined ? query : { ...query, cursor: String(page) } }),
    },
  },
];`,
    notes: ['readTripsByCursor', 'removeCreateBookingPayment'],
  },
];

/** The field keeps its place. */
function rename(schema: Editable, from: string, to: string): void {
  schema.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, part]) => [name === from ? to : name, part]),
  );
}

describe.skipIf(realDocuments === null)('a year of changes of a public document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-year-'));
  const nextFile = join(folder, 'contract/next.yaml');
  let head: ApiVersion = next;

  beforeAll(async () => {
    const real = realDocuments?.find(({ name }) => name === 'Train Travel');
    if (!real) throw new Error('Train Travel is among the documents');
    const document = await loadDocument(real);
    await initFolder(folder, { deprecated, current });
    writeConfig(folder, real, decisionsOf(document), 'http://127.0.0.1:9');
    write({ ...document, info: { ...(document.info as object), version: next } });
    await foundAgain(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(document: OpenApiDocument): void {
    // What is undefined is gone.
    writeFileSync(nextFile, stringify(JSON.parse(JSON.stringify(document))));
  }

  async function notesOf(version: ApiVersion): Promise<ReleaseNotes> {
    const { source } = await readApiFolder(folder, reserved());
    return releaseNotes(version, source.changeSets);
  }

  it.each(quarters)('[schemas] $what: checked, released, with a tape and release notes', async (quarter) => {
    const document = parse(readFileSync(nextFile, 'utf8'));
    quarter.edit(document);
    write(document);
    const step = `contract/changes/${head}-to-${previousVersion(head)}`;
    writeFileSync(join(folder, step, 'index.mjs'), quarter.module);
    const beyondProse = quarter.module
      .split('\n')
      .filter((line) => !/^import|summary|examples/.test(line.trim()));
    expect(beyondProse.length).toBeLessThanOrEqual(11);
    await readCheckedFolder(folder, reserved());
    const { groups } = await notesOf(head);
    expect(groups.flatMap(({ notes }) => notes.map(({ name }) => name))).toEqual(quarter.notes);
    for (const { summary } of groups.flatMap(({ notes }) => notes)) expect(summary).not.toBe('');
    const { steps, frozen } = await planFolderRelease(folder);
    expect(frozen).toBe(head);
    for (const { apply } of steps) await apply();
    expect(JSON.parse(readFileSync(join(folder, `contract/frozen/${head}/tape.json`), 'utf8'))).toBeTypeOf(
      'object',
    );
    head = nextVersion(head);
    // The frozen versions replay their tapes, and Next has nothing to say yet.
    await readCheckedFolder(folder, reserved());
    expect((await notesOf(head)).groups).toEqual([]);
  });
});
