import type { Change, Json, ResponseContext, UpgradableRequest } from '@dateline/versions';

export const listByCursor: Change = {
  name: 'listByCursor',
  kind: 'changed',
  summary: 'Lists are read by cursor instead of by page number.',
  why: 'Pages shift when something is added or removed while they are read; a cursor does not.',
  upgradeNote:
    'Drop page. Send the next_cursor of an answer as cursor until it is null. There is no total_count.',
  examples: [
    {
      before: { request: 'GET /v1/products/?page=2&limit=10' },
      after: { request: 'GET /v1/products/?cursor=prd_0000000000000000000010&limit=10' },
    },
    {
      before: {
        answerTo: 'GET /v1/products/',
        status: 200,
        body: { pagination: { page: 2, limit: 10, total_count: 35, max_page: 4 } },
      },
      after: {
        answerTo: 'GET /v1/products/',
        status: 200,
        body: { pagination: { next_cursor: 'prd_0000000000000000000010' } },
      },
    },
  ],
  touches: [
    '**:list.query.properties.page',
    '**:list.query.properties.cursor',
    '**:list.responses.200.schema.properties.pagination',
  ],
  upgradeRequest: { 'products:list': upgradePage, 'organizations:list': upgradePage },
  downgradeResponse: { 'products:list': downgradePagination, 'organizations:list': downgradePagination },
};

// These versions have promised this page size; it must not follow Next's, which may change.
const LIMIT_DEFAULT = 50;

function upgradePage(request: UpgradableRequest): UpgradableRequest {
  const { page = 1, limit = LIMIT_DEFAULT, ...query } = request.query;
  return { ...request, query: { ...query, limit }, command: { ...request.command, page } };
}

function downgradePagination(body: Json, { request, extras }: ResponseContext): Json {
  const limit = Number(request.query.limit ?? LIMIT_DEFAULT);
  const totalCount = Number(extras.totalCount);
  const pagination = {
    page: Number(request.query.page ?? 1),
    limit,
    total_count: totalCount,
    max_page: Math.max(1, Math.ceil(totalCount / limit)),
  };
  return { ...body, pagination };
}
