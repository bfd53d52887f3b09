import type { organizationOperations } from '../../../contracts/head/organizations.ts';
import { organizationBody, organizationsOf } from '../../../identity/organizations.ts';
import { toPage } from '../../../kernel/page.ts';
import { pageBody } from '../../app/paging.ts';
import type { HandlersOf } from '../handler.ts';
import { listIn } from '../read-list.ts';

export const organizationHandlers: HandlersOf<typeof organizationOperations> = {
  async 'organizations:list'({ context, request, token }) {
    const { limit, paging } = listIn(request);
    const all = await organizationsOf(context, token.organizationIds);
    const start = paging.by === 'page' ? (paging.page - 1) * limit : 0;
    const rest =
      paging.by === 'cursor' ? all.filter(({ id }) => id > (paging.after ?? '')) : all.slice(start);
    const page = toPage(rest.slice(0, limit + 1), limit, ({ id }) => id);
    return {
      status: 200,
      body: pageBody(page, organizationBody),
      extras: { totalCount: all.length },
    };
  },
};
