import type { Change } from '../contract/change.ts';
import type { Counterexample, Verdict } from './find-counterexample.ts';

/** The changes of a step, and where they are written. */
export interface Writing {
  changes: readonly Change[];
  folder: string;
}

/** Something that changes translate. */
export interface Translation {
  /** The operation or event. */
  id: string;
  part: 'upgradeRequest' | 'downgradeResponse' | 'downgradeErrorBody' | 'downgradeHeaders' | 'downgradeEvent';
  /** Such as `a request of 2026-10`. */
  what: string;
  /** The version that has to know what comes out. */
  to: string;
}

/** A problem as a maintainer needs it: what was sent, what became of it, what is wrong there, and where to mend it. */
export function proofSentence(
  { id, part, what, to }: Translation,
  found: Counterexample,
  { changes, folder }: Writing,
): string {
  const modules = changes
    .filter((change) => Object.hasOwn(change[part] ?? {}, id))
    .flatMap(({ name, codeOf = [name] }) => codeOf);
  const became = 'became' in found ? `becomes ${shown(found.became)}, and ` : '';
  const remedy =
    modules.length === 0
      ? `no change translates it: write ${part} for '${id}' into one in ${folder}`
      : `correct ${part} of ${[...new Set(modules)].join(' or ')} in ${folder}`;
  return `${id}: ${what}, ${shown(found.value)}, ${became}${found.problem}, so it does not fit ${to}; ${remedy}.`;
}

const SHOWN_MAX = 300;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}…`;
}

/** Does a translation, and judges what comes out. */
export function judged<Value>(
  translate: () => Value,
  problemOf: (value: Value) => string | null,
): Verdict | null {
  let became: Value;
  try {
    became = translate();
  } catch (error) {
    const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { problem: `the change throws ${thrown}` };
  }
  const problem = problemOf(became);
  return problem === null ? null : { problem, became };
}

/** What is undefined is not sent, and what is no JSON becomes some. */
export function asSent(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}
