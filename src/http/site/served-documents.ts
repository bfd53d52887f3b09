import type { OpenApiDocument } from '@dateline/versions';
import { servedDocument } from '../../api/document/served-document.ts';
import { subjectsOf } from '../../contracts/prose/index.ts';
import type { MaintainedVersion } from './maintained-version.ts';

export interface MadeDocument {
  document: OpenApiDocument;
  text: string;
}

export type ServedDocuments = (maintained: MaintainedVersion) => MadeDocument;

/** The documents of an environment. Each is made once for each state of the versions: a release changes all of them. */
export function createServedDocuments(issuer: string): ServedDocuments {
  const made = new Map<string, MadeDocument>();
  return ({ shown, document: contract, described }) => {
    const supported = described.versions.map(({ version }) => version);
    const key = [shown.version, shown.state, ...supported].join(' ');
    const known = made.get(key);
    if (known) return known;
    const { version, state } = shown;
    const { current } = described;
    const subjects = subjectsOf(version);
    const document = servedDocument({ document: contract, subjects, issuer, state, supported, current });
    const fresh = { document, text: JSON.stringify(document) };
    made.set(key, fresh);
    return fresh;
  };
}
