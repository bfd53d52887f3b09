import {
  type ApiVersion,
  type CompiledApi,
  contractDifferences,
  parseApiVersion,
  type ReleaseNotes,
  type Sample,
  sampleText,
} from '@dateline/versions';
import { Type } from 'typebox';
import { ApiError } from '../../errors/api-error.ts';
import type { App } from '../app/create-app.ts';
import { object, orNull, says, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const SampleOf = object({
  caption: says(Text, 'What it is, in a few words.'),
  text: says(Text, 'As it goes over the wire.'),
});

const Note = object({
  name: says(Text, 'The name of the change.'),
  title: says(Text, 'The same in words.'),
  says: says(Text, 'What changed.'),
  why: says(Text, 'Why.'),
  upgrade_note: says(Text, 'What an integrator has to do.'),
  examples: says(
    Type.Array(
      object({
        before: says(orNull(SampleOf), 'In the version before; null if it has nothing of the kind.'),
        after: says(orNull(SampleOf), 'In this version; null if it has nothing of the kind.'),
      }),
    ),
    'The same thing before and after.',
  ),
});

const Changes = object({
  version: says(Text, 'The version.'),
  since: says(orNull(Text), 'The version before it; null where that is no longer known here.'),
  groups: says(
    Type.Array(
      object({
        title: says(Text, 'What kind of changes these are.'),
        notes: says(Type.Array(Note), 'The changes.'),
      }),
    ),
    'The changes, by their kind.',
  ),
  differences: says(
    Type.Array(Text),
    'Where the two contracts differ: paths that begin with an operation, a kind of event, or errors.',
  ),
});

export interface VersionChangesParts {
  /** All versions that this build holds. */
  api: CompiledApi;
  releaseNotes(version: ApiVersion): ReleaseNotes;
}

/** What the contract of a version changed, for people who decide about a release. */
export function versionChangesRoutes(app: App, { api, releaseNotes }: VersionChangesParts): void {
  const operation = operationsOf(app, 'Releases');

  operation(
    'GET /operator/versions/:version/changes',
    {
      id: 'read_version_changes',
      needs: 'viewer',
      summary: 'Show what changed in a version, and where its contract differs from the one before',
      params: { version: 'The version, such as 2026-10.' },
      answer: { status: 200, says: 'The changes.', body: Changes },
      errors: ['not_found'],
    },
    async ({ params }) => {
      const version = parseApiVersion(params.version);
      const newer = version && api.get(version);
      if (!newer)
        throw new ApiError('not_found', { detail: `There is no version ${params.version} in this build.` });
      const { since, groups } = releaseNotes(newer.version);
      const older = since && api.get(since);
      return {
        version: newer.version,
        since,
        groups: groups.map(({ title, notes }) => ({ title, notes: notes.map(noteBody) })),
        differences: older ? contractDifferences(older.contract, newer.contract) : [],
      };
    },
  );
}

function noteBody({ upgradeNote, examples, ...note }: ReleaseNotes['groups'][number]['notes'][number]) {
  const side = (sample: Sample | null) => sample && sampleText(sample);
  return {
    ...note,
    upgrade_note: upgradeNote,
    examples: examples.map(({ before, after }) => ({ before: side(before), after: side(after) })),
  };
}
