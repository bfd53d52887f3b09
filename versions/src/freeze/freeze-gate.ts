import { canonicalForm, contractHash } from '../contract/canonical.ts';
import { differencesBetween } from '../contract/differences.ts';
import type { OpenApiDocument } from '../openapi/plain-data.ts';
import { type Tape, tapeDifferences, tapeHash } from './tape.ts';

/** `lock.json`: what each frozen contract and each tape must hash to. */
export interface FreezeLock {
  /** Says which API this is, wherever its folder lies. */
  id?: string;
  /** While it is there, the first versions may still be rewritten as a whole. */
  founding?: true;
  sha256: Readonly<Record<string, string>>;
  tape_sha256?: Readonly<Record<string, string>>;
}

export interface FrozenState {
  lock: FreezeLock;
  documents: Readonly<Record<string, OpenApiDocument>>;
  tapes: Readonly<Record<string, Tape>>;
}

/**
 * Says in sentences where frozen contracts and tapes are not what they were. `past` holds earlier states, newest
 * first, as far as they are known: with them a difference can be located, and a lock that was edited along is
 * found.
 */
export function frozenProblems(now: FrozenState, past: readonly FrozenState[], words: FreezeWords): string[] {
  const { lock, documents, tapes } = now;
  const versions = [lock.sha256, documents, lock.tape_sha256 ?? {}, tapes].flatMap(Object.keys);
  const [contractFile, tapeFile] = [contractFileOf(words), tapeFileOf(words)];
  return [...new Set(versions)]
    .sort()
    .flatMap((version) => [
      ...fileProblems(contractFile, version, { now, past }),
      ...fileProblems(tapeFile, version, { now, past }),
    ]);
}

/** The same of contracts alone: nothing is served by a tape. */
export function frozenContractProblems(now: FrozenState, words: FreezeWords): string[] {
  const versions = [now.lock.sha256, now.documents].flatMap(Object.keys);
  const file = contractFileOf(words);
  return [...new Set(versions)].sort().flatMap((version) => fileProblems(file, version, { now, past: [] }));
}

/** The files and commands of an API's maintainers, for the sentences. */
export interface FreezeWords {
  /** Where Next is written. */
  next: string;
  /** The command that freezes versions. */
  freeze: string;
  /** The command that records the tape of a version. */
  recordTape: string;
}

/** Why the tape of a version must not be recorded; null if it may be. */
export function recordingProblem(version: string, lock: FreezeLock): string | null {
  if (!(version in lock.sha256))
    return `${version} is not frozen; the tape of a version is recorded when it is.`;
  if (lock.tape_sha256?.[version] === undefined) return null;
  return `${version} has its tape, which is never recorded again. ${TAPE_ADVICE}`;
}

/** One of the files that a frozen version has, and how to find out what was done to it. */
interface FrozenFile<Content> {
  name: string;
  contents(state: FrozenState): Readonly<Record<string, Content>>;
  hashes(lock: FreezeLock): Readonly<Record<string, string>>;
  hashOf(content: Content): string;
  /** Such as `paths./v1/things/ was added`. */
  differences(original: Content, content: Content): string[];
  advice: string;
  /** Where neither the file nor its hash is there. */
  absent(version: string): string;
  /** The way it comes into lock.json. */
  madeBy: string;
}

const contractFileOf = ({ next, freeze }: FreezeWords): FrozenFile<OpenApiDocument> => ({
  name: 'contract.json',
  contents: ({ documents }) => documents,
  hashes: ({ sha256 }) => sha256,
  hashOf: contractHash,
  differences: (original, document) =>
    differencesBetween(JSON.parse(canonicalForm(original)), JSON.parse(canonicalForm(document))).map(
      ({ path, kind }) => `${path} was ${kind}`,
    ),
  advice: `A frozen version never changes; what is new belongs in Next, in ${next}.`,
  absent: (version) => `${version} has a tape.json, but no contract.json; restore the file.`,
  madeBy: `freeze versions with "${freeze}" only`,
});

const TAPE_ADVICE =
  'A frozen version behaves as it always did: restore tape.json, and mend the code until it replays.';

const tapeFileOf = ({ recordTape }: FreezeWords): FrozenFile<Tape> => ({
  name: 'tape.json',
  contents: ({ tapes }) => tapes,
  hashes: ({ tape_sha256 = {} }) => tape_sha256,
  hashOf: tapeHash,
  differences: (original, tape) =>
    tapeDifferences(original, tape).map(({ exchange, path, kind }) => {
      const location = path === '' ? '' : `${path} of `;
      return `${location}the exchange "${exchange}" of its tape was ${kind}`;
    }),
  advice: TAPE_ADVICE,
  absent: (version) => `${version} is frozen without a tape; record it with "${recordTape} -- ${version}".`,
  madeBy: `record tapes with "${recordTape}" only`,
});

function fileProblems<Content>(
  file: FrozenFile<Content>,
  version: string,
  { now, past }: { now: FrozenState; past: readonly FrozenState[] },
): string[] {
  const content = file.contents(now)[version];
  const locked = file.hashes(now.lock)[version];
  if (!content && !locked) return [file.absent(version)];
  if (!content) return [`${version} is in lock.json, but its ${file.name} is missing; restore the file.`];
  if (!locked) return [`${version} has a ${file.name}, but lock.json does not know it; ${file.madeBy}.`];
  const promised = promisedHash(file, version, past) ?? locked;
  if (file.hashOf(content) === promised && locked === promised) return [];
  const original = past
    .map((state) => file.contents(state)[version])
    .find((earlier) => earlier && file.hashOf(earlier) === promised);
  return describe(file, version, original ? file.differences(original, content) : []);
}

/** The hash that was locked first, after the founding period. */
function promisedHash<Content>(
  { hashes }: FrozenFile<Content>,
  version: string,
  past: readonly FrozenState[],
): string | undefined {
  const closed = past.filter(({ lock }) => !lock.founding && hashes(lock)[version] !== undefined);
  return closed.map(({ lock }) => hashes(lock)[version]).at(-1);
}

function describe<Content>(
  { name, advice }: FrozenFile<Content>,
  version: string,
  differences: readonly string[],
): string[] {
  if (differences.length === 0)
    return [`${version} is frozen, but its ${name} or its hash in lock.json was edited. ${advice}`];
  return differences.map((difference) => `${version} is frozen, but ${difference}. ${advice}`);
}
