import type { ApiVersion, EventKind } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import { chosenVersion } from '../endpoints/check-endpoint.ts';

export interface KindOfVersion extends EventKind {
  apiVersion: ApiVersion;
  scopes: readonly string[];
}

/** The kinds that a version publishes, by name. Without a version: those of Current, as for a new endpoint. */
export function listEventKinds(
  context: Context,
  named: string | null,
  { after, limit }: PageRequest,
): Page<KindOfVersion> {
  const apiVersion = chosenVersion(context, named);
  const kinds = context.contracts
    .kindsOf(apiVersion)
    .filter(({ kind }) => kind > (after ?? ''))
    .map((kind) => ({ ...kind, apiVersion, scopes: context.contracts.scopesOf(kind.kind) }))
    .sort((one, other) => (one.kind < other.kind ? -1 : 1));
  return toPage(kinds.slice(0, limit + 1), limit, ({ kind }) => kind);
}
