import type { KnownScopes, Scope } from '../../environments/known-scopes.ts';
import { StartupError } from '../../errors/startup-error.ts';

export type { KnownScopes, Scope };

/** Scopes of an API that is served here: what people read about each, and whether it acts in an organization. */
export type FolderScopes = Readonly<Record<Scope, { consent: string; organization: boolean }>>;

/** The scopes of Dateline. Those of its example resource make room for the own ones of an API. */
export function knownScopes(ofFolder?: FolderScopes): KnownScopes {
  if (ofFolder) refuseReserved(ofFolder);
  const usual = [...entries(aboutUsers), ...entries(ofFolder ?? ofProducts), ...entries(aboutOrganizations)];
  const all = new Map([...usual, ...entries(onlyNamed)]);
  const ofPeople = [...all].filter(([, { organization }]) => !organization).map(nameOf);
  return {
    all: [...all.keys()],
    usual: usual.map(nameOf),
    ofPeople,
    ofFolder: ofFolder ? Object.keys(ofFolder) : [],
    needsOrganization: (asked) => asked.some((scope) => !ofPeople.includes(scope)),
    wordsFor: (scope) => all.get(scope)?.consent ?? scope,
  };
}

const aboutUsers: FolderScopes = {
  openid: { consent: 'Know that it is you', organization: false },
  profile: { consent: 'See your name', organization: false },
  email: { consent: 'See your email address', organization: false },
};
const ofProducts: FolderScopes = {
  'products:read': { consent: 'See products', organization: true },
  'products:write': { consent: 'Create, change and delete products', organization: true },
};
const aboutOrganizations: FolderScopes = {
  'webhooks:read': { consent: 'See webhook endpoints and what was sent to them', organization: true },
  'webhooks:write': { consent: 'Create, change and delete webhook endpoints', organization: true },
  'organizations:read': { consent: 'See the names of your organizations', organization: true },
};
const onlyNamed: FolderScopes = {
  'grants:manage': {
    consent: 'See which applications have access, and revoke it',
    organization: false,
  },
  offline_access: { consent: 'Keep this access while you are away', organization: false },
};

/** Scopes that an API cannot have for its own: they mean something here. */
export const reservedScopes: readonly Scope[] = [aboutUsers, aboutOrganizations, onlyNamed].flatMap(
  Object.keys,
);

function refuseReserved(ofFolder: FolderScopes): void {
  const taken = reservedScopes.find((scope) => Object.hasOwn(ofFolder, scope));
  if (taken !== undefined)
    throw new StartupError(`The scope ${taken} is one of Dateline itself; give yours another name.`);
}

type Entry = [Scope, FolderScopes[Scope]];

const entries = (scopes: FolderScopes): Entry[] => Object.entries(scopes);
const nameOf = ([name]: Entry): Scope => name;

/** The scopes that a client gets without naming them. */
export function unnamed(of: readonly Scope[], { usual }: KnownScopes): readonly Scope[] {
  return of.filter((scope) => usual.includes(scope));
}

/** The stored scopes that are still known. */
export function stillKnown(stored: readonly Scope[], { all }: KnownScopes): readonly Scope[] {
  return stored.filter((scope) => all.includes(scope));
}

/** The scopes that a version offers: of Dateline's those in its contract, and all of the API folder. */
export function offeredBy(promised: readonly string[], { all, ofFolder }: KnownScopes): readonly Scope[] {
  return all.filter((scope) => promised.includes(scope) || ofFolder.includes(scope));
}
