import {
  type ApiVersion,
  apiVersion,
  type Change,
  releaseNotes,
  releaseNotesMarkdown,
  type Sample,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';

const [older, newer] = [apiVersion('2026-01'), apiVersion('2026-04')];

function change(name: string, kind: Change['kind'], before: Sample | null, after: Sample | null): Change {
  const words = { summary: `${name}.`, why: 'Because.', upgradeNote: 'Do it.' };
  return { name, kind, ...words, examples: [{ before, after }], touches: [] };
}

const markdown = (version: ApiVersion, ...changes: Change[]): string =>
  releaseNotesMarkdown(releaseNotes(version, [{ newer, older, changes }]));

describe('release notes', () => {
  it('are grouped by additions, changes and removals, in this order', () => {
    const notes = releaseNotes(newer, [
      {
        newer,
        older,
        changes: [
          change('dropIt', 'removed', null, null),
          change('addIt', 'added', null, null),
          change('addMore', 'added', null, null),
        ],
      },
    ]);
    expect(notes.since).toBe(older);
    expect(notes.groups.map(({ title, notes }) => [title, notes.map((note) => note.title)])).toEqual([
      ['New', ['Add it', 'Add more']],
      ['Removed', ['Drop it']],
    ]);
  });

  it('take the summary of a change by its former name too', () => {
    const { summary: _, ...rest } = { summary: '', ...change('addIt', 'added', null, null) };
    expect(markdown(newer, { ...rest, says: 'It is there.' })).toContain('It is there.');
  });

  it('show requests, answers, events and rules as they go over the wire', () => {
    const text = markdown(
      newer,
      change('a', 'added', null, { request: 'GET /a?b=1', scopes: ['a:read'] }),
      change('b', 'changed', { request: 'POST /b', scopes: [], body: { b: 1 } }, null),
      change(
        'c',
        'changed',
        { answerTo: 'GET /c', status: 404, body: { c: 1 } },
        { event: 'd', data: { d: 1 } },
      ),
      change('e', 'changed', null, { ruleOf: 'POST /e', field: 'f', schema: { maxLength: 9 } }),
    );
    expect(text).toContain('Before: nothing of the kind.');
    expect(text).toContain('```http\nGET /a?b=1\nAuthorization: Bearer <token with a:read>\n```');
    expect(text).toContain('```http\nPOST /b\nAuthorization: Bearer <any token>\n\n{\n  "b": 1\n}\n```');
    expect(text).toContain('Before, answer to GET /c, 404:\n\n```json\n{\n  "c": 1\n}\n```');
    expect(text).toContain(
      'After, event d:\n\n```json\n{\n  "type": "d",\n  "data": {\n    "d": 1\n  }\n}\n```',
    );
    expect(text).toContain('After, rule for f in POST /e:\n\n```json\n{\n  "maxLength": 9\n}\n```');
  });

  it('say so where nothing changed, and where the version before is removed', () => {
    expect(markdown(newer)).toBe(`# ${newer}\n\nNothing changed since ${older}.\n`);
    expect(markdown(older)).toBe(`# ${older}\n\nThe version before this one is no longer known here.\n`);
  });
});
