import { type CallData, readCallData } from './call-data.ts';
import { type Caller, createCaller } from './caller.ts';
import { once } from './deprecation.ts';
import { UsageError } from './errors.ts';
import { introspectTogether } from './introspect-together.ts';
import { membersOf } from './members.ts';
import type { CallOptions, DatelineClass, DatelineOptions, Page, Paged } from './types.ts';

type Calls = Readonly<Record<string, string>>;
type Input = Readonly<Record<string, unknown>>;
type Method = (...args: unknown[]) => unknown;
type Branch = { [name: string]: Branch | Method };

/** The client of one version: every call of its contract, under the name that the generated file gives it. */
export function defineClient<Api, Version extends string>(
  version: Version,
  calls: Calls,
): DatelineClass<Api, Version> {
  // biome-ignore lint/suspicious/noConsole: without a callback the warning must still be seen.
  const warn = once(({ message }) => console.warn(message));
  const apiVersion = { value: version, enumerable: true };

  function Dateline(this: unknown, options: DatelineOptions): void {
    if (!(this instanceof Dateline)) throw new UsageError('Dateline is made with new.');
    Object.defineProperty(this, 'apiVersion', apiVersion);
    Object.assign(this, methodsOf(createCaller(version, { ...options }, warn), calls));
  }
  // The generated file writes `Api` and `calls` from one contract.
  return Object.defineProperty(Dateline, 'apiVersion', apiVersion) as unknown as DatelineClass<Api, Version>;
}

/** The calls as methods, in groups by their names: `oauth.grants.list`. */
function methodsOf(caller: Caller, calls: Calls): Branch {
  const root: Branch = {};
  for (const [name, line] of Object.entries(calls))
    place(root, name.split('.'), methodOf(caller, readCallData(line)));
  const { 'oauth.introspect': one, 'oauth.introspectMany': many } = calls;
  // In versions that introspect several tokens in one request, calls at the same time share one.
  if (one !== undefined && many !== undefined)
    place(root, ['oauth', 'introspect'], introspectMethod(caller, one, many));
  return root;
}

function place(branch: Branch, [name = '', ...below]: readonly string[], method: Method): void {
  if (below.length === 0) {
    branch[name] = method;
    return;
  }
  const known = branch[name];
  const group = typeof known === 'object' ? known : {};
  branch[name] = group;
  place(group, below, method);
}

function methodOf(caller: Caller, data: CallData): Method {
  return (...args) => {
    const parameters = args.slice(0, data.parameterCount);
    const rest = args.slice(data.parameterCount);
    const input = data.send === null ? {} : membersOf(rest.shift());
    const options = optionsOf(rest.shift());
    const call = (said: Input) => caller({ data, parameters, input: said, options });
    return data.isPaged
      ? paged(input, (query) => call(query) as Promise<Page<unknown, object>>)
      : call(input);
  };
}

function introspectMethod(caller: Caller, one: string, many: string): Method {
  const introspect = introspectTogether(caller, readCallData(one), readCallData(many));
  return (input, options) => introspect(membersOf(input), optionsOf(options));
}

/** The types of the generated file hold callers to `CallOptions`. */
function optionsOf(argument: unknown): CallOptions {
  return membersOf(argument) as CallOptions;
}

type Query = Readonly<Record<string, unknown>>;
type AnyPage = Page<unknown, object>;

/** Fetches the first page at once, and the others when the iteration reaches them. */
export function paged(query: Query, getPage: (query: Query) => Promise<AnyPage>): Paged<unknown, object> {
  const first = getPage(query);

  async function* pages() {
    let page = await first;
    yield page;
    for (let next = nextPage(page.pagination); next; next = nextPage(page.pagination)) {
      page = await getPage({ ...query, ...next });
      yield page;
    }
  }

  async function* items() {
    for await (const page of pages()) yield* page.items;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

/** Versions page by a cursor or by numbers; the answer itself says which. */
function nextPage(pagination: object): Query | null {
  if ('next_cursor' in pagination) {
    return typeof pagination.next_cursor === 'string' ? { cursor: pagination.next_cursor } : null;
  }
  const { page, max_page: last } = membersOf(pagination);
  return typeof page === 'number' && typeof last === 'number' && page < last ? { page: page + 1 } : null;
}
