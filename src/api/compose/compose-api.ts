import {
  type ApiVersion,
  type ChangeSet,
  type CompiledApi,
  type CompiledVersion,
  type EventKind,
  mergeApis,
  type OpenApiDocument,
  validator,
} from '@dateline/versions';
import { present } from '../../kernel/presence.ts';
import { urlOf } from '../../kernel/url.ts';
import { type FolderScopes, knownScopes } from '../../oauth/scopes/scopes.ts';
import { partsIn } from '../document/parts.ts';
import { mountedDocument } from '../folder/mounted-api.ts';
import type { ApiFolder } from '../folder/read-api-folder.ts';
import { composeDocument } from './compose-document.ts';
import { createDocumentedErrors } from './document-errors.ts';
import { isAboutExample, withoutExample, withoutExampleSamples } from './without-example.ts';

/** Version by version: what Dateline offers, and the API of a folder in the place of our example resource. */
export function composeApi(ours: CompiledApi, folder: ApiFolder): CompiledApi {
  const theirs = folder.api;
  const last = present([...theirs.keys()].at(-1), 'the newest version of the folder');
  // Versions missing from either API are dropped.
  const held = [...ours].filter(([version]) => version <= last);
  const enveloped = held.flatMap(([version, our]) => {
    const their = theirs.get(version);
    return their ? [[version, inEnvelopeOf(our, their)] as const] : [];
  });
  const folderVersions = new Map(enveloped);
  const left = held.map(([version, our]) => [version, withoutExample(our)] as const);
  const describe = createDescription(folder);
  const merged = [...mergeApis(new Map(left), folderVersions)];
  return new Map(
    merged.map(([version, both]) => [version, describe(both, folderVersions.get(version))] as const),
  );
}

/** The document of a version describes both APIs. It is made when somebody reads it: large ones take as long as the rest of a start. */
function createDescription(folder: ApiFolder) {
  const scopes = knownScopes(folderScopes(folder));
  const { production, sandbox } = folder.config.upstream;
  const upstreams = new Set([production, sandbox].map((address) => new URL(address).hostname));
  const mounted = (version: CompiledVersion): CompiledVersion => ({
    ...version,
    document: mountedDocument(version.document, folder.config.mount),
  });
  return (both: CompiledVersion, their: CompiledVersion | undefined): CompiledVersion => {
    if (!their) return both;
    let made: OpenApiDocument | undefined;
    return {
      ...both,
      get document() {
        made ??= composeDocument(both.document, mounted(their), {
          scopes,
          errorsOf: createDocumentedErrors(folder, both.version),
          isUpstream: (address) => upstreams.has(urlOf(address)?.hostname ?? ''),
        });
        return made;
      },
    };
  };
}

/** The envelope of events is Dateline's, and has changed between its versions. */
function inEnvelopeOf(our: CompiledVersion, their: CompiledVersion): CompiledVersion {
  const pattern = present(our.contract.events[0], 'an event of ours');
  const events = their.contract.events.map((event) => inEnvelope(event, pattern));
  return {
    ...their,
    contract: { ...their.contract, events },
    validateEvent: new Map(events.map(({ kind, schema }) => [kind, validator(schema)])),
  };
}

/** Its example is made when it is asked for: in a large API all of them take longer than the rest of a start. */
function inEnvelope(event: EventKind, pattern: EventKind): EventKind {
  const { kind, summary, scopes } = event;
  const properties = partsIn(pattern.schema, 'properties');
  const { $defs, ...data } = event.schema;
  return {
    kind,
    summary,
    ...(scopes ? { scopes } : {}),
    schema: {
      ...pattern.schema,
      properties: { ...properties, type: { ...properties.type, const: kind }, data },
      ...($defs ? { $defs } : {}),
    },
    get example() {
      return { ...pattern.example, type: kind, data: event.example };
    },
  };
}

/** Merges the changes between neighbouring versions of both APIs, for the release notes. */
export function composeChanges(ours: readonly ChangeSet[], folder: ApiFolder): ChangeSet[] {
  return ours.map((set) => ({
    ...set,
    changes: [
      ...folderChanges(set, folder).map((change) => ({ ...change, part: folder.config.title })),
      ...set.changes
        .filter((change) => !isAboutExample(change))
        .map((change) => ({ ...withoutExampleSamples(change), part: PLATFORM })),
    ],
  }));
}

/** Tokens, clients, grants and webhooks, in words for integrators. */
const PLATFORM = 'The platform';

function folderChanges({ newer }: ChangeSet, { source }: ApiFolder): ChangeSet['changes'] {
  return source.changeSets.find((set) => set.newer === newer)?.changes ?? [];
}

/**
 * A version is frozen only if it is frozen in both APIs. Where a folder begins later, ours alone was the API.
 */
export function composeFrozen(ours: readonly ApiVersion[], folder: ApiFolder): ApiVersion[] {
  const [first = folder.next] = folder.frozen;
  return ours.filter((version) => version < first || folder.frozen.includes(version));
}

/** The scopes of a folder, as consent pages and checks need them. */
export function folderScopes({ config }: ApiFolder): FolderScopes {
  const scopes = Object.entries(config.scopes);
  return Object.fromEntries(
    scopes.map(([name, { consent, organization = true }]) => [name, { consent, organization }]),
  );
}
