import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Session } from '../../storage/database.ts';
import { type Endpoint, type EndpointId, isEndpointId } from '../types.ts';
import { selectEndpoint, selectEndpoints } from './store.ts';

/** Whose endpoints a caller may see and change: none for an empty list, never all. */
export type Reach = readonly string[];

export async function listEndpoints(
  context: Context,
  reach: Reach,
  page: PageRequest,
): Promise<Page<Endpoint>> {
  const rows = await selectEndpoints(context.session, { organizationIds: reach, ...page });
  return toPage(rows, page.limit, ({ id }) => id);
}

export async function readEndpoint(context: Context, reach: Reach, id: string): Promise<Endpoint> {
  return reachableEndpoint(context, { reach, id }, selectEndpoint);
}

type Look = (session: Session, id: EndpointId) => Promise<Endpoint | null>;

/** An endpoint of another organization is reported as not found. */
export async function reachableEndpoint(
  { session }: Context,
  { reach, id }: { reach: Reach; id: string },
  look: Look,
): Promise<Endpoint> {
  const endpoint = isEndpointId(id) ? await look(session, id) : null;
  if (!endpoint || !reach.includes(endpoint.organizationId)) throw new ApiError('not_found');
  return endpoint;
}
