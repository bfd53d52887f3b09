import { answerHeaders } from '../../contracts/prose/about.ts';
import type { VersionState } from '../../releases/lifecycle.ts';
import { mapValues } from './describe-schema.ts';

type Part = Readonly<Record<string, unknown>>;

const ALWAYS = ['Service-Version', 'X-Request-Id'];
const WHEN_DEPRECATED = ['Deprecation', 'Sunset', 'Link'];
const BY_STATUS: Readonly<Record<string, readonly string[]>> = {
  302: ['Location'],
  303: ['Location'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of an answer, by reference. */
export function headersOf(status: number | 'default', state: VersionState): Part {
  const names = [...ALWAYS, ...(state === 'deprecated' ? WHEN_DEPRECATED : []), ...(BY_STATUS[status] ?? [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The components that the answers' headers refer to. */
export function headerParts(version: string, state: VersionState): Part {
  const parts = mapValues(answerHeaders(version), ({ description, example }) => ({
    description: description,
    schema: { type: typeof example === 'number' ? 'integer' : 'string' },
    example,
  }));
  const sent = Object.entries(parts).filter(
    ([name]) => state === 'deprecated' || !WHEN_DEPRECATED.includes(name),
  );
  return Object.fromEntries(sent);
}
