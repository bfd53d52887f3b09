import { listCommand } from '../../../contracts/head/commands.ts';
import { organizationsOf, tellOrganization } from '../../../identity/organizations.ts';
import { toPage } from '../../../kernel/page.ts';
import type { OperationHandlers } from '../version-app.ts';

export const organizationHandlers: OperationHandlers = {
  async 'organizations:list'({ scene, request, token }) {
    const { limit, paging } = listCommand(request);
    const all = await organizationsOf(scene, token.organizationIds);
    const start = paging.by === 'page' ? (paging.page - 1) * limit : 0;
    const rest =
      paging.by === 'cursor' ? all.filter(({ id }) => id > (paging.after ?? '')) : all.slice(start);
    const page = toPage(rest.slice(0, limit + 1), limit, ({ id }) => id);
    return {
      status: 200,
      body: { items: page.items.map(tellOrganization), pagination: { next_cursor: page.next } },
      extras: { totalCount: all.length },
    };
  },
};
