import type { CommandInput, CommandOption } from '../command.ts';
import { usageError } from '../command-error.ts';
import { type Json, listIn, objectIn } from '../json.ts';

const LIMIT_DEFAULT = 100;
const PAGE_MAX = 100;

export const limit: CommandOption = {
  placeholder: 'number',
  description: `How many at most (default ${LIMIT_DEFAULT})`,
};

export const search: CommandOption = {
  placeholder: 'text',
  description: 'Only those with this text in a name or an address, or with this id',
};

/** The query of a list: options and the parameters that they are sent as. Those that were not given are left out. */
export function queryOf(input: CommandInput, names: Readonly<Record<string, string>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [option, name] of Object.entries(names)) {
    const value = input.optional(option);
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** All items of a list that match. */
export async function listAll(
  input: CommandInput,
  path: string,
  names: Readonly<Record<string, string>>,
): Promise<Json[]> {
  const query = queryOf(input, names);
  return input.api().all(query.size === 0 ? path : `${path}?${query}`);
}

/** The first items of a long list, up to `--limit`. */
export async function listSome(input: CommandInput, path: string, query: URLSearchParams): Promise<Json[]> {
  const most = limitOf(input);
  const items: Json[] = [];
  const api = input.api();
  for (let cursor: unknown = ''; typeof cursor === 'string' && items.length < most; ) {
    query.set('cursor', cursor);
    query.set('limit', String(Math.min(PAGE_MAX, most - items.length)));
    const page = await api.get(`${path}?${query}`);
    items.push(...listIn(page.items));
    cursor = objectIn(page.pagination).next_cursor;
  }
  return items;
}

function limitOf({ optional }: CommandInput): number {
  const text = optional('limit') ?? String(LIMIT_DEFAULT);
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw usageError('--limit must be a whole number from 1 to 999999.');
}
