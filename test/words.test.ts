import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Node {
  type: string;
  name: string;
}

interface Syntax {
  parse(file: string, text: string): { program: Node };
  nodesBelow(node: Node): Iterable<{ node: Node }>;
}

const { nodesBelow, parse } = (await import('../tools/syntax.mjs' as string)) as Syntax;

/** Names that the field has a better word for, and that word. Sentences may use them; identifiers may not. */
const retired: Readonly<Record<string, string>> = {
  Scene: 'Context',
  scene: 'context',
  says: 'description, message or summary',
  trouble: 'error, failure, problem or fault',
  onTrouble: 'onError',
  Trouble: 'Fault',
  OwnApi: 'ApiFolder',
  ownScopes: 'folderScopes',
  ownKinds: 'folderKinds',
  ownRoutes: 'forwardedRoutes',
  OwnGrant: 'CallerGrant',
  OwnToken: 'ClientCredentialsToken',
  ownMetricsText: 'serviceMetricsText',
  requireOwnForm: 'requireSameOriginForm',
  isFromOwnPage: 'isSameOrigin',
  releaseEndpoint: 'allowEnabling',
  placeOf: 'pathOf',
  Place: 'Location',
  framed: 'wrapped, inEnvelope',
  halves: 'what they are',
  goings: 'endings',
  PASSING: 'REVERSIBLE',
};

/** Where a retired name stays: it is on a wire, in a frozen tape, or an alias that is accepted for good. */
const kept: Readonly<Record<string, readonly string[]>> = {
  says: [
    'versions/src/contract/change.ts', // The former name of a change's summary.
    'src/api/folder/load-changes.ts',
    'src/http/operator/doctor.ts', // Beside `message` and `summary` until 2027-01 is Current.
    'src/http/operator/explanation-body.ts',
    'src/http/operator/version-changes.ts',
    'console/src/generated/operator-api.ts',
  ],
  trouble: ['versions/src/freeze/tape.ts'], // The format of frozen tapes.
};

const files = execFileSync('git', ['ls-files', 'src', 'versions/src', 'client/src', 'console/src'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file));

describe('the words of the code', () => {
  it.each(Object.entries(retired))('have no identifier %s: it is %s', (name) => {
    const found = files.filter((file) => namesIn(file).has(name));
    expect(found.sort()).toEqual([...(kept[name] ?? [])].sort());
  });
});

const cache = new Map<string, ReadonlySet<string>>();

/** The identifiers of a file, those of types and properties too. */
function namesIn(file: string): ReadonlySet<string> {
  const known = cache.get(file);
  if (known) return known;
  const nodes = [...nodesBelow(parse(file, readFileSync(file, 'utf8')).program)];
  const names = new Set(nodes.flatMap(({ node }) => (/Identifier$/.test(node.type) ? [node.name] : [])));
  cache.set(file, names);
  return names;
}
