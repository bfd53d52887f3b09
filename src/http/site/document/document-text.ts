import { subjectsOf } from '../../../contracts/prose/index.ts';
import type { MaintainedVersion } from '../maintained-version.ts';
import { servedDocument } from './served-document.ts';

/** The text of a version's document. It is made once for each state of the versions: a release changes all of them. */
export function createDocumentText(issuer: string): (maintained: MaintainedVersion) => string {
  const texts = new Map<string, string>();
  return ({ shown, document, described }) => {
    const supported = described.versions.map(({ version }) => version);
    const key = [shown.version, shown.state, ...supported].join(' ');
    const known = texts.get(key);
    if (known) return known;
    const { version, state } = shown;
    const { current } = described;
    const subjects = subjectsOf(version);
    const text = JSON.stringify(servedDocument({ document, subjects, issuer, state, supported, current }));
    texts.set(key, text);
    return text;
  };
}
