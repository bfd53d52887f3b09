import { type CallData, readCallData } from './call-data.ts';
import { type Caller, createCaller } from './caller.ts';
import { UsageError } from './errors.ts';
import { introspectTogether } from './introspect-together.ts';
import { paged } from './paged.ts';
import type {
  CallOptions,
  DatelineClass,
  DatelineInstance,
  DatelineOptions,
  DeprecationNotice,
  Page,
} from './types.ts';

type Input = Readonly<Record<string, unknown>>;
type Branch = { [name: string]: Branch | ((...args: unknown[]) => unknown) };

/** The client of one version: every call of its contract, under the name that the generated file gives it. */
export function defineClient<Api, Version extends string>(
  version: Version,
  calls: Readonly<Record<string, string>>,
): DatelineClass<Api, Version> {
  const warn = warnOnce();

  function Dateline(this: unknown, options: DatelineOptions): DatelineInstance<Api, Version> {
    if (!(this instanceof Dateline)) throw new UsageError('Dateline is made with new.');
    const caller = createCaller(version, { ...options }, warn);
    Object.defineProperty(this, 'apiVersion', { value: version, enumerable: true });
    for (const [name, line] of Object.entries(calls)) {
      place(this as unknown as Branch, name.split('.'), methodOf(caller, readCallData(line)));
    }
    gatherIntrospections(this as unknown as Branch, caller, calls);
    return this as unknown as DatelineInstance<Api, Version>;
  }
  Object.defineProperty(Dateline, 'apiVersion', { value: version, enumerable: true });
  return Dateline as unknown as DatelineClass<Api, Version>;
}

function methodOf(caller: Caller, data: CallData) {
  return (...args: unknown[]): unknown => {
    const parameters = args.slice(0, data.parameterCount) as string[];
    const rest = args.slice(data.parameterCount);
    const input = (data.send === null ? {} : (rest.shift() ?? {})) as Input;
    const options = (rest.shift() ?? {}) as CallOptions;
    const call = (said: Input) => caller({ data, parameters, input: said, options });
    return data.isPaged
      ? paged(input, (query) => call(query) as Promise<Page<unknown, object>>)
      : call(input);
  };
}

/** In versions that introspect several tokens in one request, calls at the same time share one. */
function gatherIntrospections(
  root: Branch,
  caller: Caller,
  { 'oauth.introspect': one, 'oauth.introspectMany': many }: Readonly<Record<string, string>>,
): void {
  if (one === undefined || many === undefined) return;
  const introspect = introspectTogether(caller, readCallData(one), readCallData(many));
  place(root, ['oauth', 'introspect'], (input, options) =>
    introspect((input ?? {}) as Input, (options ?? {}) as CallOptions),
  );
}

function place(root: Branch, path: readonly string[], method: (...args: unknown[]) => unknown): void {
  const groups = path.slice(0, -1);
  let branch = root;
  for (const group of groups) {
    branch[group] ??= {};
    branch = branch[group] as Branch;
  }
  branch[path.at(-1) as string] = method;
}

function warnOnce(): (notice: DeprecationNotice) => void {
  let isDone = false;
  return ({ message }) => {
    if (isDone) return;
    isDone = true;
    // biome-ignore lint/suspicious/noConsole: without a callback the warning must still be seen.
    console.warn(message);
  };
}
