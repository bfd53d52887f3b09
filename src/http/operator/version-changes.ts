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
import { describe, formerName, object, orNull, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const SampleOf = object({
  caption: describe(Text, 'What it is, in a few words.'),
  text: describe(Text, 'The text that is sent.'),
});

const Note = object({
  name: describe(Text, 'The name of the change.'),
  title: describe(Text, 'The same in words.'),
  summary: describe(Text, 'What changed, in a sentence.'),
  says: formerName('summary'),
  why: describe(Text, 'Why.'),
  upgrade_note: describe(Text, 'What an integrator has to do.'),
  examples: describe(
    Type.Array(
      object({
        before: describe(orNull(SampleOf), 'In the version before; null if it has nothing of the kind.'),
        after: describe(orNull(SampleOf), 'In this version; null if it has nothing of the kind.'),
      }),
    ),
    'The same thing before and after.',
  ),
});

const Changes = object({
  version: describe(Text, 'The version.'),
  since: describe(orNull(Text), 'The version before it; null where that is no longer known here.'),
  groups: describe(
    Type.Array(
      object({
        title: describe(Text, 'What kind of changes these are.'),
        notes: describe(Type.Array(Note), 'The changes.'),
      }),
    ),
    'The changes, by their kind.',
  ),
  differences: describe(
    Type.Array(Text),
    'Where the two contracts differ: paths that begin with an operation, a kind of event, or errors.',
  ),
});

export interface VersionChangesParts {
  /** The versions that this build can serve. */
  api: CompiledApi;
  releaseNotes(version: ApiVersion): ReleaseNotes;
}

/** The contract changes of a version, for operators who decide about a release. */
export function versionChangesRoutes(app: App, { api, releaseNotes }: VersionChangesParts): void {
  const operation = operationsOf(app, 'Releases');

  operation(
    'GET /operator/versions/:version/changes',
    {
      id: 'read_version_changes',
      needs: 'viewer',
      summary: 'Show what changed in a version, and where its contract differs from the one before',
      params: { version: 'The version, such as 2026-10.' },
      answer: { description: 'The changes.', body: Changes },
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
    says: note.summary,
    upgrade_note: upgradeNote,
    examples: examples.map(({ before, after }) => ({ before: side(before), after: side(after) })),
  };
}
